/// The interval between waves that look like the beats of late, while it stays the same.
///
/// Where the heart is so fast that every second beat was taken for a wave between beats, the usual interval is twice
/// what it should be and speaks for itself. Waves of the same shape and size at even distances are beats all the same.
struct SteadyInterval {
    /// In seconds; nil where the latest distances differ.
    private(set) var interval: Double?
    /// A ring.
    private var latest: InlineArray<6, Double> = .init(repeating: 0)
    private var count = 0
    private var last = -Double.infinity

    /// The longest of the distances over the shortest, at most.
    private static let evenness = 1.2

    /// A run begins.
    mutating func restart() {
        interval = nil
        count = 0
        last = -.infinity
    }

    /// A run begins soon after another: the distance across says nothing.
    mutating func resume() { last = -.infinity }

    /// A wave that looks like the beats of late, later than all others; not nearer to the one before than `least`
    /// seconds, if it is to be a beat as well.
    mutating func note(_ time: Double, least: Double) {
        let distance = time - last
        last = time
        guard distance.isFinite else { return }
        latest[count % 6] = distance
        count += 1
        interval = nil
        guard count >= 6 else { return }
        var shortest = distance
        var longest = distance
        var sum = 0.0
        for index in latest.indices {
            shortest = min(shortest, latest[index])
            longest = max(longest, latest[index])
            sum += latest[index]
        }
        if shortest >= least, longest <= Self.evenness * shortest { interval = sum / 6 }
    }
}
