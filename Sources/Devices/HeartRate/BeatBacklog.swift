import Signals

/// Intervals that wait for their places: those of the message that just came, and, after one that came too late, those of
/// all that come within a short time of it.
///
/// A radio that was held up delivers in a moment what a sensor told over seconds. What came of it says nothing of when the
/// beats were; but as each message spans the time since the one before, all lie one before the other from the last one's
/// arrival back.
struct BeatBacklog: Sendable {
    /// Intervals of which each follows the one before.
    struct Run {
        /// In 1/1024 s, oldest first.
        var intervals: [Int]
        /// When they came, or would have come had nothing been held up.
        var arrival: Seconds
        /// Whether the first follows no beat.
        var isApart: Bool
        /// Whether beats may be missing before the first.
        var isDoubtful: Bool

        /// What they come to, in 1/1024 s.
        var span: Int { intervals.reduce(0, +) }
    }

    private var runs: [Run] = []
    private var opened: Seconds?
    /// Until when more is waited for.
    private(set) var due: Seconds?

    /// The longest that any message is held.
    private static let longestHold: Seconds = 3

    /// Whether messages are held.
    var isOpen: Bool { opened != nil }

    /// Holds what comes from `moment` on.
    mutating func open(at moment: Seconds) { opened = moment }

    mutating func add(_ run: Run) { runs.append(run) }

    /// Waits for more for another `patience` seconds.
    /// - Returns: whether that may be.
    mutating func wait(for patience: Seconds, after moment: Seconds) -> Bool {
        guard let opened, moment < opened + Self.longestHold else { return false }
        due = min(moment + patience, opened + Self.longestHold)
        return true
    }

    /// Hands out all there is. None came later than the one after it began.
    mutating func take() -> [Run] {
        var latest = Seconds.infinity
        for index in runs.indices.reversed() {
            runs[index].arrival = min(runs[index].arrival, latest)
            latest = runs[index].arrival - Double(runs[index].span) / BeatClock.ticksPerSecond
        }
        defer { self = BeatBacklog() }
        return runs
    }
}
