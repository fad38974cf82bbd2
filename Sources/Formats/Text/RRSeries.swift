public import Signals

/// A series of RR intervals, exact to the last digit of its file.
public struct RRSeries: Hashable, Sendable {
    /// The intervals in seconds.
    public var intervals: [Double]
    /// When each interval ended, in seconds. Without times in the file the first interval begins at 0 and each
    /// interval begins where the one before it ends.
    public var onsets: [Seconds]
    /// For each interval whether something lies before it that the series does not tell: a missing entry, or a pause
    /// between the times of the file. No successive difference may be taken there. True for the first interval.
    public var followsBreak: [Bool]
    /// When time 0 was, where the file says so; taken as UTC.
    public var start: Timestamp?
    /// Whether the start is told with a time zone.
    public var hasTimeZone = true
    /// What was recognised and what was odd.
    public var notes: [String]
    /// The symbol of the annotated beat that ends each interval; empty where beats have none.
    public let symbols: [String]

    /// Intervals in seconds that follow each other from time 0 on.
    public init(intervals: [Double]) {
        self.intervals = intervals
        followsBreak = intervals.indices.map { $0 == 0 }
        start = nil
        notes = []
        symbols = []
        onsets = Self.onsets(of: intervals)
    }

    /// Intervals in seconds and when each of them ended.
    /// - Precondition: the arrays are of one length; there may be no symbols.
    public init(
        intervals: [Double], onsets: [Seconds], followsBreak: [Bool], start: Timestamp? = nil, notes: [String] = [],
        symbols: [String] = []
    ) {
        precondition(intervals.count == onsets.count && intervals.count == followsBreak.count, "one length for all")
        precondition(symbols.isEmpty || symbols.count == intervals.count, "one length for all")
        self.intervals = intervals
        self.onsets = onsets
        self.followsBreak = followsBreak
        self.start = start
        self.notes = notes
        self.symbols = symbols
    }

    /// The running sums, rounding compensated (Neumaier), so that a day of beats is exact to the last place.
    private static func onsets(of intervals: [Double]) -> [Seconds] {
        var sum = 0.0
        var lost = 0.0
        return intervals.map { interval in
            let next = sum + interval
            lost += sum >= interval ? (sum - next) + interval : (interval - next) + sum
            sum = next
            return sum + lost
        }
    }
}
