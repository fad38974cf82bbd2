import Signals

/// The ticks of a clock that is read more often than it goes on, as are whole seconds beside samples of 32 Hz: between two
/// ticks lie whole samples, while the first and the last stamp may stand anywhere in their second.
struct StampTicks {
    private var count = 0
    private var ticks = 0
    private var latest = -Seconds.infinity
    private var first = (row: 0, time: 0.0)
    private var last = (row: 0, time: 0.0)
    /// The shortest and the longest time from tick to tick.
    private var shortest = Seconds.infinity
    private var longest = 0.0
    /// The fewest and the most samples from tick to tick.
    private var fewest = Int.max
    private var most = 0

    init() {}

    init(_ stamps: [Seconds]) {
        for stamp in stamps { add(stamp) }
    }

    @inline(__always)
    mutating func add(_ stamp: Seconds) {
        if stamp > latest {
            if count > 0 {
                if ticks == 0 {
                    first = (count, stamp)
                } else {
                    fewest = min(fewest, count - last.row)
                    most = max(most, count - last.row)
                }
                shortest = min(shortest, stamp - latest)
                longest = max(longest, stamp - latest)
                last = (count, stamp)
                ticks += 1
            }
            latest = stamp
        }
        count += 1
    }

    /// The number of ticks after the first stamp; true if some stamps are equal.
    var tickCount: Int { ticks }
    var hasRepeats: Bool { ticks + 1 < count }
    /// True if stamps are repeated and there are too few ticks to measure the time between samples.
    var isShort: Bool { hasRepeats && ticks < 4 && count > 8 * (ticks + 1) }
    /// The most samples from tick to tick.
    var mostRows: Int { max(1, most) }
    /// The longest time from tick to tick.
    var longestStep: Seconds { longest }

    /// The time from sample to sample, to a sample in all; nil where the clock goes on with every second sample or more
    /// often, where neither its ticks are all alike nor, if they are about even, the samples between them, or where too few
    /// were seen.
    var period: Seconds? {
        guard ticks >= 3, 2 * ticks < count, areEven || fewest == most && longest < 2 * shortest else { return nil }
        return (last.time - first.time) / Double(last.row - first.row)
    }

    /// How far the time over all ticks may be from that of its samples, which came in packets where ticks are uneven: each
    /// was stamped when it arrived.
    var jitter: Seconds { areEven ? 0 : longest - shortest }

    private var areEven: Bool { longest < 1.01 * shortest }
}
