import CVectors
import Signals

/// How nearly a run of intervals is one wave, as breathing makes it: then large differences between neighbours are no
/// ectopic beats.
///
/// In a sine every value's two neighbours add up to the same multiple of it, 2 cos w for w radians per beat. What the
/// best multiple leaves over is next to nothing where breathing drives the intervals, and next to all of their
/// variance where single beats come early.
struct SinusArrhythmia {
    /// Whether one wave accounts for the intervals.
    let isWave: Bool
    /// The cosine of its radians per beat.
    private let cosine: Double

    /// The variance left over, as a share of what intervals without any order would leave.
    private static let mostLeft = 0.15
    /// Bigeminy and trigeminy repeat after two and three beats; what repeats sooner than after 3.1 is not told from them.
    private static let leastCosine = -0.45

    init(_ durations: ArraySlice<Seconds>) {
        let sums = durations.withUnsafeBufferPointer { durations -> marey_moments in
            guard let base = durations.baseAddress else { return marey_moments() }
            return marey_wave_moments(base, durations.count)
        }
        // Sums in lanes are as good as those in order where rounding cannot tip the scales.
        let (spread, turn) = (sums.power + sums.neighbours, sums.product / sums.power / 2)
        let (left, most) = (sums.neighbours - sums.product * sums.product / sums.power, Self.mostLeft * 2 * sums.power)
        let isVaried = sums.power > 1e-12 * sums.mean * sums.mean * Double(durations.count)
        if durations.count >= 8, isVaried, abs(left - most) > 1e-5 * spread, abs(turn - Self.leastCosine) > 1e-5 {
            (isWave, cosine) = (left < most, turn)
        } else {
            (isWave, cosine) = Self.exact(durations)
        }
    }

    private static func exact(_ durations: ArraySlice<Seconds>) -> (isWave: Bool, cosine: Double) {
        let mean = durations.reduce(0, +) / Double(max(1, durations.count))
        var (power, product, neighbours) = (0.0, 0.0, 0.0)
        for place in durations.indices.dropFirst().dropLast() {
            let here = durations[place] - mean
            let beside = durations[place - 1] + durations[place + 1] - 2 * mean
            power += here * here
            product += here * beside
            neighbours += beside * beside
        }
        guard durations.count >= 8, power > 0 else { return (false, 0) }
        return (neighbours - product * product / power < mostLeft * 2 * power, product / power / 2)
    }

    /// Whether the wave is no ectopic beat's, however large it is.
    var drives: Bool { isWave && cosine > Self.leastCosine }
}
