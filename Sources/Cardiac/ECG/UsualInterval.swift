import CVectors

/// The median of the latest intervals between beats.
struct UsualInterval {
    /// In seconds; nil before the first.
    private(set) var interval: Double?
    /// Up to eight intervals, a ring once there are so many; infinite where there are fewer.
    private var latest = SIMD8<Double>(repeating: .infinity)
    private var count = 0

    /// A beat came `interval` seconds after the one before.
    mutating func note(_ interval: Double) {
        // Not in memory, which would have to be waited for.
        latest = marey_with(latest, count & 7, interval)
        count += 1
        // Of an even number the upper middle one: a false beat halves intervals.
        self.interval = marey_ranked(latest, Int32(truncatingIfNeeded: min(count, 8) / 2))
    }
}
