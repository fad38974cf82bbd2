import Foundation
import Quality
import Testing

/// A narrow R, as sharp electrodes give it, beside a T wave nearly as steep.
@Suite struct TallTWaveTests {
    private static let rate = 1_000.0

    /// A minute of beats 0.9 s apart, each with R, S and an inverted T wave a quarter of a second later, in mV.
    private static let samples: [Float] = {
        var samples = [Float](repeating: 0, count: Int(60 * rate))
        for beat in stride(from: 0.5, to: 59.4, by: 0.9) {
            for (height, lag, width) in [(0.4, 0.0, 0.006), (-0.4, 0.02, 0.006), (-0.4, 0.25, 0.03)] {
                for place in samples.indices {
                    let distance = (Double(place) / rate - beat - lag) / width
                    if abs(distance) < 6 { samples[place] += Float(height * exp(-distance * distance / 2)) }
                }
            }
        }
        return samples
    }()

    @Test func `a steep T wave soon after each beat is no second opinion against it`() {
        let windows = judge(Self.samples, .ecg, rate: Self.rate)
        #expect(windows.count == 51)
        #expect(windows.flagged() == 0)
    }
}
