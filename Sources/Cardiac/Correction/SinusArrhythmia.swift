import Signals

/// Whether a run of intervals rises and falls with the breath: then large differences between neighbours are no
/// ectopic beats.
///
/// In a sine every value's two neighbours add up to the same multiple of it, 2 cos w for w radians per beat. What the
/// best multiple leaves over is next to nothing where breathing drives the intervals, and next to all of their
/// variance where single beats come early.
enum SinusArrhythmia {
    /// The variance left over, as a share of what intervals without any order would leave.
    private static let mostLeft = 0.15
    /// Bigeminy and trigeminy repeat after two and three beats; what repeats sooner than after 3.1 is not told from them.
    private static let leastCosine = -0.45

    static func drives(_ durations: ArraySlice<Seconds>) -> Bool {
        guard durations.count >= 8 else { return false }
        let mean = durations.reduce(0, +) / Double(durations.count)
        var (power, product, neighbours) = (0.0, 0.0, 0.0)
        for place in durations.indices.dropFirst().dropLast() {
            let here = durations[place] - mean
            let beside = durations[place - 1] + durations[place + 1] - 2 * mean
            power += here * here
            product += here * beside
            neighbours += beside * beside
        }
        guard power > 0 else { return false }
        let cosine = product / power / 2
        return cosine > leastCosine && neighbours - product * product / power < mostLeft * 2 * power
    }
}
