import Foundation
import Signals

/// RR intervals as a plain column, along lines, or in a table with a time column.
enum RRTextTable {
    /// The rows of numbers.
    struct Rows {
        var columnCount: Int
        var names: [String]
        var numbers: [Int] = []
        var values: [[Double]] = []
        /// Columns of times of day.
        var daily: Set<Int> = []
        /// The columns of dates that are told without a time zone.
        var local: Set<Int> = []
        /// What a reader of the file should know.
        var notes: [String] = []

        func column(_ index: Int) -> [Double] { values.map { $0[index] } }
    }

    /// What the name of the column of intervals says, nil where there is none, and whether there is one of times.
    static func naming(_ text: RRTextLines) throws -> (heading: IntervalHeading?, isTimed: Bool) {
        let rows = try rows(of: text)
        let columns = try columns(of: rows, text.file)
        guard columns.intervals < rows.names.count else { return (nil, columns.time != nil) }
        let name = rows.names[columns.intervals]
        let isSentence = rows.columnCount == 1 && isSentence(name)
        return (isSentence ? .nothing : IntervalHeading(name), columns.time != nil)
    }

    /// A sentence above a column is no name: it may tell from what the numbers come.
    static func isSentence(_ heading: some StringProtocol) -> Bool { heading.split(separator: " ").count > 4 }

    static func read(_ text: RRTextLines) throws -> RRSeries {
        guard !text.statesSampleRate else {
            throw FormatError(text.file, "gives a sampling rate, so its numbers are samples and not RR intervals")
        }
        let rows = try rows(of: text)
        let columns = try columns(of: rows, text.file)
        let raw = rows.column(columns.intervals)
        for (value, line) in zip(raw, rows.numbers) where value <= 0 || value.isInfinite {
            throw FormatError(text.file, at: "line \(line)", "the interval \(value) is not positive")
        }
        for (value, line) in zip(raw, rows.numbers) where !value.isNaN && !value.isPlaceable {
            throw FormatError(text.file, at: "line \(line)", "the interval is \(value), expected less than 1e12")
        }
        let present = raw.filter { !$0.isNaN }
        guard !present.isEmpty else { throw FormatError(text.file, "has no RR intervals") }
        let median = present.upperMedian
        guard let unit = RRUnit(median: median) else {
            throw FormatError(
                text.file, "the median value is \(NumberFormatting.text(median))",
                advice: "RR intervals are in seconds (0.2 to 5) or milliseconds (200 to 5000)")
        }
        let intervals = raw.map { $0 / unit.rawValue }
        var series =
            if let time = columns.time {
                try timed(intervals, rows.column(time), rows.numbers, isDaily: rows.daily.contains(time), text.file)
            } else {
                untimed(intervals)
            }
        series.hasTimeZone = columns.time.map(rows.local.contains) != true
        series.notes.insert("RR intervals are in \(unit == .seconds ? "seconds" : "milliseconds")", at: 0)
        series.notes += rows.notes
        return series
    }

    // MARK: rows

    private static func isCutOff(
        _ data: ArraySlice<(number: Int, text: Substring)>, _ style: Style, _ columnCount: Int
    ) -> Bool {
        let above = data.dropLast().prefix(512).compactMap { line in
            let cells = style.cells(line.text)
            return cells.count == columnCount ? cells.last : nil
        }
        return CutOffLine(columnCount: columnCount, fewestCells: columnCount, lastCells: above, mark: style.mark)
            .holds(style.cells(data[data.endIndex - 1].text))
    }

    private static func rows(of text: RRTextLines) throws -> Rows {
        guard let first = text.lines.firstIndex(where: { isData($0.text) }) else {
            throw FormatError(text.file, "has no line of numbers, expected RR intervals")
        }
        guard first <= 200 else { throw FormatError(text.file, "has no numbers in its first 200 lines") }
        var data = text.lines[first...]
        let style = Style(of: data, below: first > 0 ? text.lines[first - 1].text : nil)
        let columnCount = style.cells(data[first].text).count
        if style.delimiter == nil, columnCount > 2 { return try along(data, style, text.file) }
        var rows = Rows(columnCount: columnCount, names: [])
        if text.isUnfinished, data.count > 1, isCutOff(data, style, columnCount) {
            rows.notes.append(CutOffLine.note(line: data.removeLast().number))
        }
        if first > 0 {
            // Above one column blanks divide nothing: `EDA [uS]` is one name.
            let heading = text.lines[first - 1].text
            let names = columnCount == 1 && style.delimiter == nil ? [heading] : style.cells(heading)
            if names.count == columnCount { rows.names = names.map(String.init) }
        }
        var stamps = (0..<columnCount).map { columnCount > 1 ? moments(of: $0, data, style) : nil }
        rows.daily = Set(stamps.indices.filter { stamps[$0]?.isTimeOfDay == true })
        rows.local = Set(stamps.indices.filter { stamps[$0]?.hasZone == false })
        if stamps.contains(where: { $0?.isAmbiguous == true }) {
            rows.notes.append(
                "the recording has no start, as day and month of its dates cannot be told apart: write them as 2024-03-05"
            )
        }
        for (number, line) in data {
            let cells = style.cells(line)
            guard cells.count == columnCount else {
                throw FormatError(
                    text.file, at: "line \(number)", "has \(cells.count) columns, the lines before have \(columnCount)")
            }
            rows.values.append(
                try cells.indices.map { column in
                    try stamps[column]?.time(cells[column]) ?? value(cells[column], style, number, text.file)
                })
            rows.numbers.append(number)
        }
        return rows
    }

    /// What reads the cells of a column that begins with a date or a time of day; nil for others.
    private static func moments(
        of column: Int, _ data: ArraySlice<(number: Int, text: Substring)>, _ style: Style
    ) -> DelimitedStamps? {
        let first = data.first.map { style.cells($0.text) } ?? []
        guard first.indices.contains(column), DelimitedTime.isMoment(first[column]) else { return nil }
        // A whole file of one day does not tell a day from a month, and need not.
        let cells = data.lazy.map { style.cells($0.text) }.compactMap { $0.indices.contains(column) ? $0[column] : nil }
        return DelimitedStamps(Array(cells), mark: style.mark)
    }

    /// Intervals that follow each other along lines.
    private static func along(
        _ data: ArraySlice<(number: Int, text: Substring)>, _ style: Style, _ file: URL
    ) throws -> Rows {
        var rows = Rows(columnCount: 1, names: [])
        for (number, line) in data {
            for cell in style.cells(line) {
                rows.values.append([try value(cell, style, number, file)])
                rows.numbers.append(number)
            }
        }
        return rows
    }

    private static func value(_ cell: Substring, _ style: Style, _ line: Int, _ file: URL) throws -> Double {
        guard let value = style.number(cell) else {
            throw FormatError(file, at: "line \(line)", "found \"\(cell.prefix(40))\", expected a number")
        }
        return value
    }

    private static func isData(_ line: Substring) -> Bool {
        let style = Style(of: [(0, line)][...])
        let cells = style.cells(line)
        // A date alone stands above intervals, not beside one.
        let values = cells.map { style.number($0) ?? (cells.count > 1 && DelimitedTime.isMoment($0) ? 0 : nil) }
        return values.allSatisfy { $0 != nil } && values.contains { $0?.isNaN == false }
    }

    // MARK: columns

    private static func columns(of rows: Rows, _ file: URL) throws -> (time: Int?, intervals: Int) {
        if rows.columnCount == 1 { return (nil, 0) }
        func couldBeTimes(_ index: Int) -> Bool {
            let values = rows.column(index)
            return values.allSatisfy { !$0.isNaN } && zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
        }
        if let named = named(rows.names) {
            if rows.columnCount == 2, areRowNumbers(1 - named.intervals, of: rows) { return (nil, named.intervals) }
            if named.time == nil, rows.columnCount == 2, couldBeTimes(1 - named.intervals) {
                return (1 - named.intervals, named.intervals)
            }
            return named
        }
        guard rows.columnCount == 2 else {
            throw FormatError(
                file, "has \(rows.columnCount) columns and none is called RR, IBI or NN",
                advice: "expected intervals, or times and intervals")
        }
        func couldBeIntervals(_ index: Int) -> Bool {
            RRUnit(median: rows.column(index).filter { !$0.isNaN }.upperMedian) != nil
        }
        switch (couldBeTimes(0) && couldBeIntervals(1), couldBeTimes(1) && couldBeIntervals(0)) {
        case (true, false): return (0, 1)
        case (false, true): return (1, 0)
        case (true, true) where rows.values.count < 3: return (0, 1)
        default:
            throw FormatError(
                file, "has two columns of which one should be rising times and the other RR intervals",
                advice: "name the columns, for instance \"time\" and \"rr\"")
        }
    }

    /// Whether a column numbers the rows, as in tables that programs write, and is not called a time.
    private static func areRowNumbers(_ place: Int, of rows: Rows) -> Bool {
        let name = rows.names[place].lowercased().filter(\.isLetter)
        let values = rows.column(place)
        return rowNames.contains(name) && zip(values, values.dropFirst()).allSatisfy { $1 - $0 == 1 }
    }

    private static let rowNames: Set<String> = [
        "", "unnamed", "index", "idx", "i", "n", "no", "nr", "number", "num", "row", "id", "beat", "beats",
        "beatnumber",
    ]

    /// Which columns the names call times and intervals; nil where none is called intervals.
    static func named(_ names: [String]) -> (time: Int?, intervals: Int)? {
        guard let intervals = names.firstIndex(where: { IntervalHeading($0) == .intervals }) else { return nil }
        let time = names.firstIndex { name in
            name.lowercased().split { !$0.isLetter }
                .contains { ["time", "t", "onset", "timestamp", "seconds"].contains($0) }
        }
        return (time == intervals ? nil : time, intervals)
    }

    // MARK: series

    private static func untimed(_ intervals: [Double]) -> RRSeries {
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

    private static func timed(
        _ intervals: [Double], _ raw: [Double], _ lines: [Int], isDaily: Bool, _ file: URL
    ) throws -> RRSeries {
        for (index, pair) in zip(raw, raw.dropFirst()).enumerated() where !(pair.0 < pair.1) || pair.1.isInfinite {
            throw FormatError(
                file, at: "line \(lines[index + 1])",
                "the time \(pair.1) does not come after \(pair.0) on the line before")
        }
        let scale = try timeScale(intervals, raw, file)
        let times = raw.map { $0 / scale }
        for (time, line) in zip(times, lines) where !time.isPlaceable {
            throw FormatError(file, at: "line \(line)", "the time is \(time) s, expected less than 1e12 s")
        }
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }
        // Whether the time between two entries is the length of the later one or of the earlier one; pauses do not tell.
        let longest = 1.5 * median(intervals)
        func misfit(_ intervals: some Sequence<Double>) -> Double {
            let pairs = zip(steps, intervals).filter { $0 <= max($1, longest) }
            return median(pairs.map { abs($0 - $1) })
        }
        let (asEnd, asBeginning) = (misfit(intervals.dropFirst()), misfit(intervals))
        let isBeginning = asBeginning < asEnd
        var series = RRSeries(intervals: [])
        var previousEnd: Seconds?
        for (time, interval) in zip(times, intervals) {
            guard !interval.isNaN else {
                previousEnd = nil
                continue
            }
            let end = isBeginning ? time + interval : time
            series.followsBreak.append(previousEnd.map { end - interval - $0 > 0.1 } ?? true)
            series.intervals.append(interval)
            series.onsets.append(end)
            previousEnd = end
        }
        // Clock readings since 1970: time 0 is where the first interval begins.
        if let end = series.onsets.first, end >= 5e8, let moment = Plausible.moment(end - series.intervals[0]) {
            series.start = moment
            series.onsets = series.onsets.map { $0 - moment.secondsSince1970 }
        }
        // `9:05:03` is a time of day where the intervals do not take as long as that.
        if isDaily, let end = series.onsets.first, let last = series.onsets.last, end > last - end {
            let begin = end - series.intervals[0]
            series.onsets = series.onsets.map { $0 - begin }
        }
        if isBeginning { series.notes.append("the times are those of the beats that begin the intervals") }
        let breaks = series.followsBreak.count { $0 } - 1
        if breaks > 0 { series.notes.append("the series is broken in \(breaks) places") }
        return series
    }

    private static func timeScale(_ intervals: [Double], _ times: [Double], _ file: URL) throws -> Double {
        guard times.count > 1 else { return times.first.map { $0 > 1000 ? 1000 : 1 } ?? 1 }
        let steps = zip(times.dropFirst(), times).map { $0 - $1 }
        let ratio = median(steps) / median(intervals)
        if (0.3...3).contains(ratio) { return 1 }
        if (300...3000).contains(ratio) { return 1000 }
        // Pauses may be most of what lies between; what is left must fit.
        for scale in [1.0, 1000] {
            let fitting = steps.indices.count { place in
                intervals[place...place + 1].contains { abs(steps[place] / scale - $0) <= 0.1 }
            }
            if fitting >= max(2, steps.count / 8) { return scale }
        }
        throw FormatError(file, "the times do not advance with the intervals, neither as seconds nor as milliseconds")
    }

    private static func median(_ values: [Double]) -> Double { values.filter { !$0.isNaN }.upperMedian }
}
