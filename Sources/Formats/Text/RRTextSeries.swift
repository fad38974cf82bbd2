import Signals

/// Makes the series of a table's intervals: their unit, those that are missing, and their times.
struct RRTextSeries {
    /// The series.
    let series: RRSeries
    /// The times as the file gives them, in seconds, where there are any; rows without an interval are left out.
    let stamped: RRSeries?

    /// Intervals that are not positive are beats that were not found, unless they are more than this share.
    private static let mostMissing = 0.2
    /// Median intervals below and above these, in seconds, are hardly those of a person at rest or moving.
    private static let likely = 0.3...2.0

    /// - Throws: `FormatError` where the numbers are no intervals.
    init(_ content: RRTextTable.Content, _ text: RRTextLines, rate: Double?) throws {
        let (rows, choice, file) = (content.rows, content.choice, text.file)
        var raw = try rows.column(choice.intervals)
        if choice.areBeats {
            var series = try RRBeatTimes.series(raw, stated: choice.unit, rate: rate, rows.numbers, text)
            series.notes += Self.unreadNote(choice) + rows.notes
            (self.series, stamped) = (series, nil)
            return
        }
        if text.statesSampleRate, choice.unit == nil, content.heading != .intervals {
            throw FormatError(file, "gives a sampling rate, so its numbers are samples and not RR intervals")
        }
        var notes: [String] = []
        try Self.takeOut(&raw, rows, choice, &notes)
        let present = raw.filter { !$0.isNaN }
        guard !present.isEmpty else {
            throw FormatError(file, "has no RR intervals" + (notes.isEmpty ? "" : ": " + notes.joined(separator: "; ")))
        }
        let times = try choice.time.map(rows.column)
        var scale = try Self.scale(present, choice.unit, rate ?? text.sampleRate, text)
        if choice.unit == nil, let times, Self.areTicks(raw, times, scale.perSecond) {
            scale = (1024, "1/1024 s, as their times say")
        }
        try Self.refuseTwoSizes(raw, rows.numbers, present.upperMedian, text)
        let intervals = raw.map { $0 / scale.perSecond }
        notes.insert("RR intervals are in \(scale.name)", at: 0)
        if let note = Self.unlikely(present.upperMedian, scale, isStated: choice.unit != nil) { notes.append(note) }
        var series: RRSeries
        if let times, let time = choice.time {
            let isDaily = rows.stamps[time]?.isTimeOfDay == true
            let stamps = try RRStamps(intervals, times, rows.numbers, isDaily: isDaily, file)
            (series, stamped) = (stamps.series, stamps.raw)
            series.hasTimeZone = !rows.isMoments(time) || rows.stamps[time]?.hasZone != false
        } else {
            (series, stamped) = (Self.untimed(intervals), nil)
        }
        series.notes = notes + series.notes + Self.unreadNote(choice) + rows.notes
        self.series = series
    }

    private static func unreadNote(_ choice: RRColumns) -> [String] {
        guard !choice.unread.isEmpty else { return [] }
        let list = choice.unread.map { "\"\($0.prefix(40))\"" }.joined(separator: ", ")
        let count = choice.unread.count
        return ["\(count.word("column", "columns")) \(list) \(count.word("is", "are")) not read"]
    }

    /// Makes NaN of missing intervals: what is not positive, and what a column marks as bad.
    private static func takeOut(
        _ raw: inout [Double], _ rows: RRTextTable.Rows, _ choice: RRColumns, _ notes: inout [String]
    ) throws {
        for (value, line) in zip(raw, rows.numbers) where value.isInfinite {
            throw FormatError(rows.file, at: "line \(line)", "the interval \(value) is no number")
        }
        for (value, line) in zip(raw, rows.numbers) where !value.isNaN && !value.isPlaceable {
            throw FormatError(rows.file, at: "line \(line)", "the interval is \(value), expected less than 1e12")
        }
        let wrong = raw.indices.filter { raw[$0] <= 0 }
        if let first = wrong.first {
            guard Double(wrong.count) <= max(1, mostMissing * Double(raw.count)), wrong.count < raw.count else {
                throw FormatError(
                    rows.file, at: "line \(rows.numbers[first])",
                    "the interval \(raw[first]) is not positive, nor are \(wrong.count) of \(raw.count)")
            }
            for place in wrong { raw[place] = .nan }
            let zeros = wrong.count
            notes.append(
                "\(zeros.counted("interval")) of 0 or less \(zeros.word("is a beat", "are beats")) that "
                    + "\(zeros.word("was", "were")) not found, the first on line \(rows.numbers[first])")
        }
        for marks in choice.validity {
            let bad = raw.indices.filter { marks.isBad[$0] && !raw[$0].isNaN }
            for place in bad { raw[place] = .nan }
            notes.append(marks.note(bad.count, of: raw.count))
        }
    }

    private static func scale(
        _ present: [Double], _ unit: IntervalUnit?, _ rate: Double?, _ text: RRTextLines
    ) throws -> (perSecond: Double, name: String) {
        let median = present.upperMedian
        if let unit {
            guard let perSecond = unit.perSecond(sampleRate: rate) else {
                throw FormatError(
                    text.file, "its intervals are in samples, whose rate is not stated",
                    advice: "give the samples per second with --text-rate, or in the heading: \"RR [1/256 s]\"")
            }
            guard IntervalChain.plausible.contains(median / perSecond) else {
                throw FormatError(
                    text.file,
                    "the median value is \(NumberFormatting.text(median)), which in \(unit.description(sampleRate: rate)), as is "
                        + "stated, is no RR interval",
                    advice: "correct the unit in the heading; RR intervals are 0.2 to 5 s long")
            }
            return (perSecond, unit.description(sampleRate: rate))
        }
        guard let unit = RRUnit(median: median) else {
            throw FormatError(
                text.file, "the median value is \(NumberFormatting.text(median))",
                advice:
                    "RR intervals are in seconds (0.2 to 5) or milliseconds (200 to 5000); state another unit in the "
                    + "heading, such as \"RR [1/256 s]\"")
        }
        return (unit.rawValue, unit == .seconds ? "seconds" : "milliseconds")
    }

    /// True where times say that what could be milliseconds are 1/1024 s, the unit of Bluetooth's heart rate profile.
    private static func areTicks(_ raw: [Double], _ times: [Double], _ perSecond: Double) -> Bool {
        guard perSecond == 1000, times.count >= 16 else { return false }
        let pairs = zip(zip(times.dropFirst(), times), raw.dropFirst())
        let ratios = pairs.compactMap { times, interval -> Double? in
            let ratio = (times.0 - times.1) / interval
            return ratio > 0 ? ratio : nil
        }
        guard 2 * ratios.count > times.count else { return false }
        let sorted = ratios.sorted()
        let (low, median, high) = (sorted[sorted.count / 4], sorted[sorted.count / 2], sorted[sorted.count * 3 / 4])
        // In seconds or milliseconds, and as exact as times must be to show 2 %.
        return [1.0 / 1024, 1000.0 / 1024].contains { abs(median / $0 - 1) < 0.004 } && high / low < 1.008
    }

    /// A thousands separator that was read as a decimal mark, or two units in one column.
    private static func refuseTwoSizes(
        _ raw: [Double], _ lines: [Int], _ median: Double, _ text: RRTextLines
    ) throws {
        for scale in [1000.0, 0.001] {
            let odd = raw.indices.filter { (0.4...2.5).contains(raw[$0] * scale / median) }
            guard let first = odd.first else { continue }
            let isWritten = scale > 1 && odd.contains { raw[$0] != raw[$0].rounded() }
            guard isWritten || odd.count >= 3 else { continue }
            throw FormatError(
                text.file, at: "line \(lines[first])",
                "the interval \(NumberFormatting.text(raw[first])) is \(scale > 1 ? "a thousandth" : "a thousand times") of what "
                    + "others are, as \(odd.count) of \(raw.count) are: a thousands separator was read as a decimal mark, or units are mixed",
                advice: "write all intervals in one unit, without thousands separators")
        }
    }

    /// The warning about intervals that hardly any heart has; nil for others.
    private static func unlikely(_ median: Double, _ scale: (perSecond: Double, name: String), isStated: Bool)
        -> String?
    {
        let seconds = median / scale.perSecond
        guard !likely.contains(seconds) else { return nil }
        let rate = Int((60 / seconds).rounded())
        var note =
            "warning: the median interval of \(Int((seconds * 1000).rounded())) ms (\(rate) beats/min) is unlikely"
        let units: [Double] = [256, 250, 128, 125, 500, 512, 1000, 1024, 2000, 2048, 4096, 1]
        if let likeliest = units.first(where: { (0.6...1.2).contains(median / $0) }) {
            let name = IntervalUnit.perSecond(likeliest).description()
            note +=
                ": the intervals may be in \(name) (\(Int((median / likeliest * 1000).rounded())) ms)"
                + "; state their unit in the heading, such as \"RR [1/\(NumberFormatting.text(likeliest)) s]\""
        }
        return note
    }

    static func untimed(_ intervals: [Double]) -> RRSeries {
        let present = intervals.filter { !$0.isNaN }
        var series = RRSeries(intervals: present)
        var place = 0
        var isBroken = true
        for interval in intervals {
            if interval.isNaN {
                isBroken = true
            } else {
                series.followsBreak[place] = isBroken
                isBroken = false
                place += 1
            }
        }
        let missing = intervals.count - present.count
        if missing > 0 {
            series.notes.append("\(missing) intervals are missing; how long they took is unknown and counted as none")
        }
        return series
    }
}
