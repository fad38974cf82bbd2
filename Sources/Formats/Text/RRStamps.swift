import Foundation
import Signals

/// Places intervals by the times next to them.
struct RRStamps {
    /// The series, with breaks where the times say that something is missing.
    let series: RRSeries
    /// The same intervals with the times as the file gives them.
    let raw: RRSeries

    /// The largest step back from one time to the next, in seconds, as where a phone receives data late.
    private static let mostLate: Seconds = 3

    /// - Throws: `FormatError` where times are missing, go back, or do not advance with the intervals.
    init(_ intervals: [Double], _ raw: [Double], _ lines: [Int], isDaily: Bool, _ file: URL) throws {
        for (time, line) in zip(raw, lines) where time.isNaN || time.isInfinite {
            throw FormatError(file, at: "line \(line)", "the time is \(time.isNaN ? "missing" : "no number")")
        }
        let scale = try Self.unitsPerSecond(intervals, raw, file)
        let times = raw.map { $0 / scale }
        for (time, line) in zip(times, lines) where !time.isPlaceable {
            throw FormatError(file, at: "line \(line)", "the time is \(time) s, expected less than 1e12 s")
        }
        let rows = zip(times, intervals).map { IntervalChain.Row(stamp: $0, interval: $1) }
        let chain = IntervalChain(rows)
        try Self.refuseFalls(
            chain.isNewestFirst ? rows.reversed() : rows, chain.isNewestFirst ? lines.reversed() : lines, file)
        var series = RRSeries(
            intervals: chain.intervals, onsets: chain.onsets, followsBreak: chain.followsBreak)
        series.notes = Self.notes(chain, intervals)
        Self.setStart(&series, isDaily: isDaily)
        self.series = series
        let present = rows.filter { !$0.interval.isNaN }
        self.raw = RRSeries(
            intervals: present.map(\.interval),
            onsets: present.map { chain.isBeginning ? $0.stamp + $0.interval : $0.stamp },
            followsBreak: present.map { _ in false })
    }

    private static func notes(_ chain: IntervalChain, _ intervals: [Double]) -> [String] {
        var notes: [String] = []
        if chain.isNewestFirst {
            notes.append("the newest rows come first in the file; they were put in order of time")
        }
        if chain.repeated > 0 {
            let count = chain.repeated
            notes.append(
                "\(count.counted("row")) \(count.word("is", "are")) there more than once and "
                    + "\(count.word("counts", "count")) once")
        }
        notes += doubts(chain)
        let missing = intervals.count(where: \.isNaN)
        if missing > 0 { notes.append("\(missing.counted("interval")) \(missing.word("is", "are")) missing") }
        if chain.isBeginning { notes.append("the times are those of the beats that begin the intervals") }
        if chain.isTimedBySums {
            notes.append(
                "the times of the intervals are coarse or late; beats are timed by the sums of the intervals")
        }
        if chain.pauses > 0 {
            var note = "the series is broken in \(chain.pauses) places"
            if chain.lost >= 0.05 {
                note +=
                    ": the times advance \((chain.lost * 10).rounded() / 10) s more than the intervals, as beats were lost there"
            }
            notes.append(note)
        }
        let sum = chain.intervals.reduce(0, +)
        if abs(chain.drift) > max(2, 0.01 * sum) {
            let percent = (1000 * abs(chain.drift) / sum).rounded() / 10
            notes.append(
                "the intervals add up to \(percent) % \(chain.drift < 0 ? "more" : "less") than the times say: their unit or the clock may "
                    + "be wrong")
        }
        return notes
    }

    /// The warning about rows that may be repeats or equal intervals; empty where all were decided.
    static func doubts(_ chain: IntervalChain) -> [String] {
        guard chain.undecided > 0 else { return [] }
        let count = chain.undecided
        return [
            "warning: equal rows of \(count.counted("time")) may be repeats or equal intervals, and the times are too coarse to "
                + "say which: they count once, and the series is broken there"
        ]
    }

    /// Clock readings since 1970: time 0 is where the first interval begins.
    private static func setStart(_ series: inout RRSeries, isDaily: Bool) {
        guard let end = series.onsets.first else { return }
        if end >= 5e8, let moment = Plausible.moment(end - series.intervals[0]) {
            series.start = moment
            series.onsets = series.onsets.map { $0 - moment.secondsSince1970 }
        }
        // `9:05:03` is a time of day where the intervals do not take as long as that.
        if isDaily, let end = series.onsets.first, let last = series.onsets.last, end > last - end {
            let begin = end - series.intervals[0]
            series.onsets = series.onsets.map { $0 - begin }
        }
    }

    /// Times may be a little late, but not jump back, unless the rows that follow are repeats.
    private static func refuseFalls(_ rows: [IntervalChain.Row], _ lines: [Int], _ file: URL) throws {
        var latest = -Seconds.infinity
        var seen: Set<IntervalChain.Row> = []
        for (row, line) in zip(rows, lines) {
            if row.stamp < latest - mostLate, !seen.contains(row), !row.interval.isNaN {
                throw FormatError(
                    file, at: "line \(line)", "the time \(row.stamp) does not come after \(latest) on the lines before")
            }
            seen.insert(row)
            latest = max(latest, row.stamp)
        }
    }

    private static func unitsPerSecond(_ intervals: [Double], _ times: [Double], _ file: URL) throws -> Double {
        guard times.count > 1 else { return times.first.map { $0 > 1000 ? 1000 : 1 } ?? 1 }
        if let unit = DelimitedTime.unit(first: times[0], spacing: .nan), unit.countsSince1970 { return unit.perSecond }
        // Rows of one packet have one time.
        let steps = zip(times.dropFirst(), times).map { abs($0 - $1) }
        let usual = intervals.filter { !$0.isNaN }.upperMedian
        let ratio = steps.filter { $0 > 0 }.upperMedian / usual
        let scales: [Double] = [1, 1000, 1e6, 1e9]
        if let scale = scales.first(where: { (0.3 * $0...3 * $0).contains(ratio) }) { return scale }
        // Pauses may be most of what lies between; what is left must fit.
        for scale in scales {
            let fitting = steps.indices.count { place in
                intervals[place...place + 1].contains { abs(steps[place] / scale - $0) <= 0.1 }
            }
            if fitting >= max(2, steps.count / 8) { return scale }
        }
        throw FormatError(file, "the times do not advance with the intervals, neither as seconds nor as milliseconds")
    }
}
