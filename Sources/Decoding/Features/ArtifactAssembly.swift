import Brain
import Foundation

/// Measures of muscles, eyes and head movement in an epoch, for control models.
///
/// Muscle: the logarithm of the power above 35 Hz and the slope of the spectrum from 30 Hz on, each the mean over temporal and
/// frontal sites of a side (Whitham et al. 2007, Clinical Neurophysiology 118:1877). Eyes: slow power, peak-to-peak range and
/// number of blinks in the difference between front and back, and slow power, range and steepest step in the difference
/// between the temples. Frequencies where the brain's rhythms dominate a difference are left out: the vertical one is read
/// below 4 Hz only. Motion: the logarithm of the movement of the head.
struct ArtifactAssembly: Sendable {
    /// Channels whose muscle measures are averaged: temporal left and right, frontal left and right.
    private let groups: [[Int]]
    private let eyes: EyeDerivation?
    private let bands: [EEGBand]

    /// The lowest frequency that is read for muscles in cleaned EEG, in hertz: below, the brain's beta rhythm is larger.
    private static let muscleFloor = 30.0
    /// Height of a blink between front and back, smoothed, in µV.
    private static let blinkHeight = 30.0
    /// Seconds of the moving average, applied twice: it removes alpha, whose period it is.
    private static let smoothing = 0.1
    /// Seconds over which a saccade's step is measured.
    private static let step = 0.05
    /// The smallest value that a logarithm is taken of.
    private static let smallest = 1e-6

    /// - Parameter bands: the lines of the spectrum whose powers `measures` is given.
    init(labels: [String], bands: [EEGBand]) {
        self.bands = bands
        eyes = EyeDerivation(labels: labels)
        groups = Self.groups(labels)
    }

    private static func groups(_ labels: [String]) -> [[Int]] {
        let names = labels.map(ElectrodeName.init(label:))
        let temporal: Set = ["T", "FT", "TP", "A", "M"]
        func places(_ fits: (ElectrodeName) -> Bool) -> [Int] {
            names.indices.filter { names[$0].map(fits) ?? false }
        }
        let found = [ElectrodeName.Side.left, .right].flatMap { side in
            [
                places { temporal.contains($0.region) && $0.side == side },
                places { ["FP", "AF", "F"].contains($0.region) && $0.side == side },
            ]
        }.filter { !$0.isEmpty }
        return found.isEmpty ? [Array(labels.indices)] : found
    }

    /// The measures of an epoch.
    /// - Parameter lines: power of each of the bands in µV², a row per channel.
    func measures(_ epoch: Epoch, lines: [[Double]]) -> [ArtifactSource: [Double]] {
        var found: [ArtifactSource: [Double]] = [.muscle: muscle(epoch, lines)]
        if let eyes, epoch.frameCount > 0 { found[.eyes] = measures(of: eyes, in: epoch) }
        if let movement = epoch.movement { found[.motion] = [Self.logarithm(movement)] }
        return found
    }

    private static func logarithm(_ value: Double) -> Double { value.isNaN ? .nan : log(max(value, smallest)) }

    // MARK: Muscle

    private func muscle(_ epoch: Epoch, _ lines: [[Double]]) -> [Double] {
        let steep = bands.indices.filter { bands[$0].lower >= Self.muscleFloor }
        return groups.flatMap { group -> [Double] in
            let powers = group.map { channel in
                (epoch.fast.indices.contains(channel) ? epoch.fast[channel] : nil).map { 2 * Self.logarithm($0) }
                    ?? Self.logarithm(steep.reduce(0) { $0 + lines[channel][$1] })
            }
            let slopes = group.compactMap { steep.count > 2 ? slope(steep, lines[$0]) : nil }
            func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(values.count) }
            return [mean(powers)] + (slopes.isEmpty ? [] : [mean(slopes)])
        }
    }

    /// The slope of the logarithm of power over that of frequency.
    private func slope(_ places: [Int], _ powers: [Double]) -> Double {
        let x = places.map { log((bands[$0].lower + bands[$0].upper) / 2) }
        let y = places.map { Self.logarithm(powers[$0]) }
        let middle = x.reduce(0, +) / Double(x.count)
        let spread = x.reduce(0) { $0 + ($1 - middle) * ($1 - middle) }
        return zip(x, y).reduce(0) { $0 + ($1.0 - middle) * $1.1 } / spread
    }

    // MARK: Eyes

    private func measures(of eyes: EyeDerivation, in epoch: Epoch) -> [Double] {
        let sides = [eyes.left, eyes.right].compactMap { $0 }.map { Self.derive($0, epoch) }
        var found: [Double] = []
        let width = max(1, Int((Self.smoothing * epoch.sampleRate).rounded()))
        if let first = sides.first {
            let mean = sides.count > 1 ? zip(sides[0], sides[1]).map { ($0 + $1) / 2 } : first
            found.append(Self.logarithm(Self.power(mean, 1, 4, epoch.sampleRate)))
            // A blink shows on both sides; a pop of one electrode does not.
            let smooth = sides.map { Self.smoothed(Self.smoothed($0, width), width) }
            let both = smooth.count > 1 ? zip(smooth[0], smooth[1]).map { min($0, $1) } : smooth[0]
            let level = both.sorted()[both.count / 2]
            let top = (both.max() ?? level) - level
            found.append(Self.logarithm((both.max() ?? 0) - (both.min() ?? 0)))
            found.append(min(max(log(max(top, 1) / 15) / log(3), 0), 1))
            found.append(Double(min(3, Self.rises(both, above: level + Self.blinkHeight))))
        }
        if let across = eyes.across.map({ Self.derive($0, epoch) }) {
            found.append(Self.logarithm(Self.power(across, 1, 4, epoch.sampleRate)))
            found.append(Self.logarithm(Self.power(across, 4, 8, epoch.sampleRate)))
            let smooth = Self.smoothed(Self.smoothed(across, width), width)
            found.append(Self.logarithm((smooth.max() ?? 0) - (smooth.min() ?? 0)))
            let reach = max(1, width / 2)
            let sharp = Self.smoothed(across, reach)
            let steepest = zip(sharp, sharp.dropFirst(reach)).reduce(0) { max($0, abs($1.1 - $1.0)) }
            found.append(Self.logarithm(steepest))
        }
        return found
    }

    private static func derive(_ weights: [Double], _ epoch: Epoch) -> [Double] {
        var sum = [Double](repeating: 0, count: epoch.frameCount)
        for (channel, weight) in weights.enumerated() where weight != 0 {
            let first = epoch.range(ofChannel: channel).lowerBound
            for frame in sum.indices { sum[frame] += weight * Double(epoch.samples[first + frame]) }
        }
        return sum
    }

    /// The number of times that values rise above a level, those that begin above it counted.
    private static func rises(_ values: [Double], above level: Double) -> Int {
        values.indices.count { values[$0] > level && ($0 == 0 || values[$0 - 1] <= level) }
    }

    /// The moving average of `width` values, where it is whole.
    private static func smoothed(_ values: [Double], _ width: Int) -> [Double] {
        guard values.count > width else { return values }
        var sum = values[..<width].reduce(0, +)
        var found = [sum / Double(width)]
        found.reserveCapacity(values.count - width + 1)
        for place in width..<values.count {
            sum += values[place] - values[place - width]
            found.append(sum / Double(width))
        }
        return found
    }

    /// The power from `low` to below `high` hertz, by a Hann-tapered discrete Fourier transform of these few frequencies.
    private static func power(_ values: [Double], _ low: Double, _ high: Double, _ sampleRate: Double) -> Double {
        let count = Double(values.count)
        let mean = values.reduce(0, +) / count
        let tapered = values.enumerated().map { place, value in
            (value - mean) * (0.5 - 0.5 * cos(2 * .pi * (Double(place) + 0.5) / count))
        }
        let first = Int((low * count / sampleRate).rounded(.up))
        let last = max(first, Int((high * count / sampleRate).rounded(.up)) - 1)
        var sum = 0.0
        for bin in first...last {
            // Goertzel 1958.
            let turn = 2 * cos(2 * .pi * Double(bin) / count)
            var (before, last) = (0.0, 0.0)
            for value in tapered { (before, last) = (last, value + turn * last - before) }
            sum += before * before + last * last - turn * before * last
        }
        return sum / (count * count)
    }
}
