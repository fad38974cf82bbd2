import Foundation
import Kernels

/// The filter that makes what EEG has least of count most: artefact subspace reconstruction looks at the signal behind
/// it. Its gains are those of the EEGLAB plug-in clean_rawdata (Kothe & Jung 2016, US patent application 14/895,440,
/// lapsed), made with symmetric taps.
enum SubspaceFilter {
    /// The gains' corners in hertz; beyond the last one it stays.
    private static let corners = [0.0, 2, 3, 13, 16, 40, 80]
    private static let gains = [3.0, 0.75, 0.33, 0.33, 1, 1, 3]

    /// Taps over one second.
    static func design(sampleRate: Double) -> FIRDesign {
        let half = max(8, Int(sampleRate / 2))
        let window = Window.hamming.symmetric(2 * half + 1)
        // The inverse transform of the gains on a grid four times as fine as the taps can tell.
        let points = 4 * half
        let gains = (0...points).map { gain(at: Double($0) / Double(points) * sampleRate / 2) }
        let cosines = (0..<2 * points).map { cos(Double.pi * Double($0) / Double(points)) }
        let taps = (-half...half).map { place -> Double in
            let sum = (1..<points).reduce(0.0) { sum, point in
                sum + 2 * gains[point] * cosines[point * abs(place) % (2 * points)]
            }
            let ends = gains[0] + gains[points] * (place % 2 == 0 ? 1 : -1)
            return (sum + ends) / Double(2 * points) * window[place + half]
        }
        return FIRDesign(taps: taps)
    }

    private static func gain(at frequency: Double) -> Double {
        guard let upper = corners.firstIndex(where: { $0 >= frequency }) else { return gains[gains.count - 1] }
        guard upper > 0 else { return gains[0] }
        let share = (frequency - corners[upper - 1]) / (corners[upper] - corners[upper - 1])
        return gains[upper - 1] + share * (gains[upper] - gains[upper - 1])
    }
}
