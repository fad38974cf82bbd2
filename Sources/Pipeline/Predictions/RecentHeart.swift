public import Cardiac
public import Signals

/// The heart as it is told while it beats: rate and variability of the last intervals, from the past alone.
///
/// The rate is that of the median of the last five intervals that end within ten seconds; the variability is RMSSD over
/// the intervals of the last minute, ten differences at least, those of more than 20 % of an interval (an ectopic or a
/// wrong beat) left out. Windows of corrected intervals, in the HRV tables, are better.
public struct RecentHeart: Sendable {
    /// The heart at a beat.
    public struct Value: Hashable, Sendable {
        /// When the beat was, seconds from the recording's start.
        public var time: Seconds
        /// Beats per minute.
        public var rate: Double
        /// RMSSD in milliseconds; not a number where there are too few differences.
        public var variability: Double
    }

    private var recent: [IBI] = []

    /// A heart that has not beaten yet.
    public init() {}

    /// The heart at the end of the next interval.
    public mutating func next(_ interval: IBI) -> Value {
        recent.removeAll { $0.onset <= interval.onset - 60 }
        recent.append(interval)
        return Value(time: interval.onset, rate: Self.rate(recent) ?? .nan, variability: variability)
    }

    /// Beats per minute at the last of some intervals; nil where there is none.
    static func rate(_ intervals: [IBI]) -> Double? {
        guard let last = intervals.last else { return nil }
        let durations = intervals.suffix(5).filter { last.onset - $0.onset < 10 }.map(\.duration).sorted()
        let median = durations[durations.count / 2]
        return median > 0 ? 60 / median : nil
    }

    private var variability: Double {
        var (sum, count) = (0.0, 0)
        for (before, after) in zip(recent, recent.dropFirst()) where after.isContiguous {
            let difference = after.duration - before.duration
            guard abs(difference) <= 0.2 * before.duration else { continue }
            sum += difference * difference
            count += 1
        }
        return count >= 10 ? 1000 * (sum / Double(count)).squareRoot() : .nan
    }
}
