import Signals

/// Whether numbers that have the size of RR intervals behave as such.
enum IntervalSigns {
    /// Whether rows come evenly while their intervals are uneven: each then tells what the interval was at that time, as a
    /// monitor or interpolation gives it, and successive rows are no successive intervals.
    ///
    /// A few rows look so by chance, and rounded times of hardly varying intervals do.
    /// - Parameters:
    ///   - fewest: how many rows tell.
    ///   - allowsSums: whether rows that take as long as all of their intervals are intervals all the same, as where times
    ///     are whole seconds.
    static func areOnGrid(_ series: RRSeries, fewest: Int, allowsSums: Bool = false) -> Bool {
        guard series.intervals.count >= fewest, !(allowsSums && takesAsLong(series)) else { return false }
        let isEven = times(series).contains { times in
            areAlike(zip(times.dropFirst(), times).map { $0 - $1 }, within: 0.0015)
        }
        return isEven && !areAlike(series.intervals, within: 0.02 * series.intervals.upperMedian)
    }

    /// True where a series takes as long by its times as its intervals do together.
    private static func takesAsLong(_ series: RRSeries) -> Bool {
        guard let first = series.onsets.first, let last = series.onsets.last else { return false }
        let sum = series.intervals.dropFirst().reduce(0, +)
        return abs(abs(last - first) - sum) <= max(1.5, 0.03 * sum)
    }

    /// Whether the times of a series follow from its intervals, so that it needs no name: most intervals are as long as the
    /// times say, but for what rounding makes of these, or a quarter of what intervals usually vary by. The values of a
    /// signal may resemble the spacing of its rows, but not where they are unusual: of such intervals, around which pauses
    /// lie, a quarter must be as long as the times say.
    /// - Returns: nil where intervals are too alike to tell.
    static func areTimed(_ series: RRSeries) -> Bool? {
        let usual = series.intervals.upperMedian
        let deviations = series.intervals.map { abs($0 - usual) }
        let resolution = 1 / ([10, 100].first { isWritten(series, inParts: $0) } ?? 1000)
        let allowed = max(resolution + 0.0005, deviations.upperMedian / 4) + 1e-6
        let rows = series.intervals.indices.dropFirst()
        func isTimed(_ row: Int) -> Bool {
            abs(series.onsets[row] - series.intervals[row] - series.onsets[row - 1]) <= allowed
        }
        guard 2 * rows.count(where: isTimed) > rows.count else { return false }
        // Between two rows passes the later interval, or the earlier one where times are those of beginnings.
        let telling = [0, 1].map { before in rows.filter { deviations[$0 - before] > allowed } }
        if telling.contains(where: \.isEmpty) { return nil }
        return telling.allSatisfy { 4 * $0.count(where: isTimed) >= $0.count }
    }

    /// Whether a column of numbers is a sampled signal rather than intervals: it changes little from sample to sample
    /// against its variance (von Neumann's ratio is below 0.06); or its steps go on as the ones before did, and are mostly
    /// small, as those between the waves of an ECG, whose variance lies in few steps. Intervals of slow breathing go on as
    /// much, but in larger steps; those of a heart that speeds up take steps as small, but to and fro.
    static func areSampled(_ values: [Double]) -> Bool {
        guard values.count >= 32 else { return false }
        let mean = values.reduce(0, +) / Double(values.count)
        let spread = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        // What rounding makes of a constant is no signal.
        guard spread > 1e-18 * mean * mean * Double(values.count) else { return false }
        let steps = zip(values.dropFirst(), values).map { $0 - $1 }
        let squares = steps.reduce(0) { $0 + $1 * $1 }
        if squares < 0.06 * spread { return true }
        let correlation = zip(steps.dropFirst(), steps).reduce(0) { $0 + $1.0 * $1.1 } / squares
        let sorted = values.sorted()
        let range = sorted[sorted.count * 9 / 10] - sorted[sorted.count / 10]
        return correlation > 0.3 && steps.map(abs).upperMedian < 0.06 * range
    }

    /// The times that a file may have told: where intervals end, and where they begin.
    private static func times(_ series: RRSeries) -> [[Seconds]] {
        [series.onsets, zip(series.onsets, series.intervals).map { $0 - $1 }]
    }

    /// Whether times are whole tenths, hundredths and so on of a second.
    private static func isWritten(_ series: RRSeries, inParts parts: Double) -> Bool {
        times(series).contains { $0.allSatisfy { abs($0 * parts - ($0 * parts).rounded()) < 1e-4 } }
    }

    /// Whether nearly all values are as large.
    private static func areAlike(_ values: [Double], within allowed: Double) -> Bool {
        let usual = values.upperMedian
        return 20 * values.count { abs($0 - usual) <= allowed } >= 19 * values.count
    }
}
