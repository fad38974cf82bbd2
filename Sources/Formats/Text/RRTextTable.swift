import Foundation
import Signals

/// RR intervals as a plain column, along lines, or in a table with a time column.
enum RRTextTable {
    /// How the numbers of a line are kept apart, and how their decimals are marked.
    struct Style {
        var delimiter: Character?
        var mark = UInt8(ascii: ".")

        /// The cells of a line; nil delimiter means any number of blanks.
        func cells(_ line: Substring) -> [Substring] {
            if delimiter == nil, line.utf8.allSatisfy({ $0 != 0x20 && $0 != 0x09 && $0 != 0x22 }) { return [line] }
            let cells =
                delimiter.map { line.split(separator: $0, omittingEmptySubsequences: false).map(RRTextLines.trim) }
                ?? line.split { $0 == " " || $0 == "\t" }
            return cells.map { $0.count > 1 && $0.first == "\"" && $0.last == "\"" ? $0.dropFirst().dropLast() : $0 }
        }

        /// A number, NaN for a missing cell, nil for anything else.
        func number(_ cell: Substring) -> Double? {
            if cell.isEmpty { return .nan }
            if let value = NumberParsing.double(cell, mark: mark) { return value }
            return ["n/a", "na", "null"].contains(cell.lowercased()) ? .nan : clock(cell)
        }

        /// `h:mm:ss` or `mm:ss` as seconds.
        private func clock(_ cell: Substring) -> Double? {
            let parts = cell.split(separator: ":", omittingEmptySubsequences: false)
            guard (2...3).contains(parts.count) else { return nil }
            return parts.reduce(0) { sum, part -> Double? in
                guard let sum, let value = NumberParsing.double(part, mark: mark), value >= 0 else { return nil }
                return sum * 60 + value
            }
        }
    }

    /// The rows of numbers.
    struct Rows {
        var columnCount: Int
        var names: [String]
        var numbers: [Int] = []
        var values: [[Double]] = []

        func column(_ index: Int) -> [Double] { values.map { $0[index] } }
    }

    /// Whether a column says that it holds intervals.
    static func isNamed(_ text: RRTextLines) -> Bool {
        (try? rows(of: text)).map { named($0.names) != nil } ?? false
    }

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
        let median = RRUnit.median(present)
        guard let unit = RRUnit(median: median) else {
            throw FormatError(
                text.file, "the median value is \(NumberFormatting.text(median))",
                advice: "RR intervals are in seconds (0.2 to 5) or milliseconds (200 to 5000)")
        }
        let intervals = raw.map { $0 / unit.rawValue }
        var series =
            if let time = columns.time {
                try timed(intervals, rows.column(time), rows.numbers, text.file)
            } else {
                untimed(intervals)
            }
        series.notes.insert("RR intervals are in \(unit == .seconds ? "seconds" : "milliseconds")", at: 0)
        return series
    }

    // MARK: rows

    private static func rows(of text: RRTextLines) throws -> Rows {
        guard let first = text.lines.firstIndex(where: { isData($0.text) }) else {
            throw FormatError(text.file, "has no line of numbers, expected RR intervals")
        }
        guard first <= 200 else { throw FormatError(text.file, "has no numbers in its first 200 lines") }
        let data = text.lines[first...]
        let style = style(of: data)
        let columnCount = style.cells(data[first].text).count
        if style.delimiter == nil, columnCount > 2 { return try along(data, style, text.file) }
        var rows = Rows(columnCount: columnCount, names: [])
        if first > 0 {
            let names = style.cells(text.lines[first - 1].text).map { $0.lowercased() }
            if names.count == columnCount { rows.names = names }
        }
        for (number, line) in data {
            let cells = style.cells(line)
            guard cells.count == columnCount else {
                throw FormatError(
                    text.file, at: "line \(number)", "has \(cells.count) columns, the lines before have \(columnCount)")
            }
            rows.values.append(try cells.map { try value($0, style, number, text.file) })
            rows.numbers.append(number)
        }
        return rows
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
        let style = style(of: [(0, line)][...])
        let values = style.cells(line).map { style.number($0) }
        return values.allSatisfy { $0 != nil } && values.contains { $0?.isNaN == false }
    }

    private static func style(of data: ArraySlice<(number: Int, text: Substring)>) -> Style {
        let sample = data.prefix(1000).map(\.text)
        let hasStop = sample.contains { $0.contains(".") }
        let comma = UInt8(ascii: ",")
        for delimiter in ["\t", ";"] as [Character] where sample.contains(where: { $0.contains(delimiter) }) {
            return Style(delimiter: delimiter, mark: hasStop ? UInt8(ascii: ".") : comma)
        }
        guard sample.contains(where: { $0.contains(",") }) else { return Style(delimiter: nil) }
        if hasStop || sample.contains(where: { $0.contains(", ") }) { return Style(delimiter: ",") }
        let isBlankSeparated = sample.allSatisfy { $0.contains(" ") }
        if isBlankSeparated { return Style(delimiter: nil, mark: comma) }
        return hasDecimalComma(sample) ? Style(delimiter: nil, mark: comma) : Style(delimiter: ",")
    }

    /// Whether `0,719` means 0.719 and not the two numbers 0 and 719: as intervals they lie in range, and what stands
    /// before the commas does not rise as times would.
    private static func hasDecimalComma(_ sample: [Substring]) -> Bool {
        guard sample.allSatisfy({ $0.split(separator: ",").count <= 2 }) else { return false }
        let decimals = sample.compactMap { NumberParsing.double($0, mark: UInt8(ascii: ",")) }
        guard decimals.count == sample.count, RRUnit(median: RRUnit.median(decimals)) != nil else { return false }
        let before = sample.compactMap { $0.split(separator: ",").first.flatMap { NumberParsing.double($0) } }
        let rises = zip(before, before.dropFirst()).allSatisfy { $0 < $1 }
        return !(rises && sample.count > 1)
    }

    // MARK: columns

    private static func columns(of rows: Rows, _ file: URL) throws -> (time: Int?, intervals: Int) {
        if rows.columnCount == 1 { return (nil, 0) }
        func couldBeTimes(_ index: Int) -> Bool {
            let values = rows.column(index)
            return values.allSatisfy { !$0.isNaN } && zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
        }
        if let named = named(rows.names) {
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
            RRUnit(median: RRUnit.median(rows.column(index).filter { !$0.isNaN })) != nil
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

    private static func named(_ names: [String]) -> (time: Int?, intervals: Int)? {
        func words(_ name: String) -> [Substring] { name.split { !$0.isLetter } }
        let intervals = names.firstIndex { name in
            let words = words(name)
            return words.contains { ["rr", "rri", "rrs", "ibi", "nn", "nni"].contains($0) }
                && !words.contains("time") || name.hasPrefix("rr interval") || name.hasPrefix("rr-interval")
        }
        guard let intervals else { return nil }
        let time = names.firstIndex { name in
            words(name).contains { ["time", "t", "onset", "timestamp", "seconds"].contains($0) }
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
        _ intervals: [Double], _ raw: [Double], _ lines: [Int], _ file: URL
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
        // Whether the time between two entries is the length of the later one or of the earlier one.
        let asEnd = median(zip(steps, intervals.dropFirst()).map { abs($0 - $1) })
        let asBeginning = median(zip(steps, intervals).map { abs($0 - $1) })
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
        throw FormatError(file, "the times do not advance with the intervals, neither as seconds nor as milliseconds")
    }

    private static func median(_ values: [Double]) -> Double { RRUnit.median(values.filter { !$0.isNaN }) }
}
