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
        let mean = durations.reduce(0, +) / Double(max(1, durations.count))
        var (power, product, neighbours) = (0.0, 0.0, 0.0)
        for place in durations.indices.dropFirst().dropLast() {
            let here = durations[place] - mean
            let beside = durations[place - 1] + durations[place + 1] - 2 * mean
            power += here * here
            product += here * beside
            neighbours += beside * beside
        }
        guard durations.count >= 8, power > 0 else {
            (isWave, cosine) = (false, 0)
            return
        }
        isWave = neighbours - product * product / power < Self.mostLeft * 2 * power
        cosine = product / power / 2
    }

    /// Whether the wave is no ectopic beat's, however large it is.
    var drives: Bool { isWave && cosine > Self.leastCosine }
}
