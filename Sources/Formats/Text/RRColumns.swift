import Signals

/// Which columns of a table are intervals or beats, and which say when they were and whether they are bad.
struct RRColumns {
    /// The column of the intervals, or of the beats.
    var intervals: Int
    /// The column of times next to intervals.
    var time: Int?
    /// True where the numbers are times or sample numbers of beats.
    var areBeats = false
    /// The unit that is stated for the intervals or beats.
    var unit: IntervalUnit?
    /// Columns that say which intervals are bad.
    var validity: [RRValidity] = []
    /// Names of columns that are not read.
    var unread: [String] = []

    /// - Throws: `FormatError` where there is no such column.
    init(of rows: RRTextTable.Rows, _ text: RRTextLines, asBeats: Bool) throws {
        (time, intervals) = try asBeats ? (nil, Self.beats(in: rows)) : Self.chosen(rows, text)
        unit = Self.unit(of: intervals, rows) ?? text.statedUnit
        let column = rows.isMoments(intervals) ? nil : rows.numbers(ofColumn: intervals)
        areBeats =
            asBeats || column.map { RRBeatTimes.areBeats($0, unit: unit) } ?? false
            || rows.name(intervals).isBeats && column.map { RRBeatTimes.rises($0.filter { !$0.isNaN }) } ?? false
        let present = (column ?? []).filter { $0 > 0 }
        let perSecond =
            unit?.perSecond(sampleRate: text.sampleRate)
            ?? (present.isEmpty ? nil : RRUnit(median: present.upperMedian)?.rawValue) ?? 1000
        let seconds = (column ?? []).map { $0 / perSecond }
        if areBeats { time = nil }
        for place in 0..<rows.columnCount where place != intervals && place != time {
            let name = rows.name(place)
            let cells = rows.cells.map { $0[place] }
            if let marks = RRValidity(name, cells) ?? RRValidity(errors: name, cells, of: seconds) {
                validity.append(marks)
            } else if !Self.areRowNumbers(place, of: rows) {
                unread.append(name.isEmpty ? "\(place + 1)" : name)
            }
        }
    }

    private static func unit(of column: Int, _ rows: RRTextTable.Rows) -> IntervalUnit? {
        if rows.units.indices.contains(column), let unit = IntervalUnit(cell: rows.units[column]) { return unit }
        // `eda_uS` is no time.
        return IntervalHeading(rows.name(column)) == .otherSignal ? nil : IntervalUnit(statedBy: rows.name(column))
    }

    /// The column of beats where the caller says that the file holds them: by its name, else the only one that rises.
    private static func beats(in rows: RRTextTable.Rows) throws -> Int {
        if rows.columnCount == 1 { return 0 }
        if let named = (0..<rows.columnCount).first(where: { rows.name($0).isBeats }) { return named }
        let rising = (0..<rows.columnCount).filter { place in
            rows.numbers(ofColumn: place).map { RRBeatTimes.rises($0) } ?? false && !areRowNumbers(place, of: rows)
        }
        guard rising.count == 1 else {
            throw FormatError(
                rows.file,
                "has \(rising.count.counted("column")) that \(rising.count.word("rises", "rise")), expected one with the times or "
                    + "sample numbers of beats",
                advice: "call the column \"beats\"")
        }
        return rising[0]
    }

    private static func chosen(_ rows: RRTextTable.Rows, _ text: RRTextLines) throws -> (time: Int?, intervals: Int) {
        if rows.columnCount == 1 { return (nil, 0) }
        if let named = named(rows.names) {
            return (
                named.time.flatMap { couldBeStamps($0, rows) ? $0 : nil } ?? stamps(beside: named.intervals, rows),
                named.intervals
            )
        }
        if let beats = (0..<rows.columnCount).first(where: { place in
            rows.name(place).isBeats
                && rows.numbers(ofColumn: place).map { $0.count >= 3 && RRBeatTimes.rises($0) } ?? false
        }) {
            return (nil, beats)
        }
        guard rows.columnCount == 2 else {
            throw FormatError(
                rows.file, "has \(rows.columnCount) columns and none is called RR, IBI or NN",
                advice: "expected intervals, or times and intervals")
        }
        let columns = try [rows.column(0), rows.column(1)]
        let areTimes = columns.map { column in
            !column.contains(where: \.isNaN) && RRBeatTimes.rises(column)
        }
        let areIntervals = columns.map { RRUnit(median: $0.filter { !$0.isNaN }.upperMedian) != nil }
        switch (areTimes[0] && areIntervals[1], areTimes[1] && areIntervals[0]) {
        case (true, false): return (0, 1)
        case (false, true): return (1, 0)
        case (true, true) where rows.cells.count < 3: return (0, 1)
        default:
            throw FormatError(
                rows.file, "has two columns of which one should be rising times and the other RR intervals",
                advice: "name the columns, for instance \"time\" and \"rr\"")
        }
    }

    /// The column of times next to named intervals where none is called so: one of moments or clock readings, or of two
    /// columns one that rises.
    private static func stamps(beside intervals: Int, _ rows: RRTextTable.Rows) -> Int? {
        let others = (0..<rows.columnCount).filter { $0 != intervals }
        if let moments = others.first(where: { rows.isMoments($0) && couldBeStamps($0, rows) }) { return moments }
        if rows.columnCount == 2, areRowNumbers(others[0], of: rows) { return nil }
        return others.first { place in
            guard RRValidity(rows.name(place), rows.cells.map { $0[place] }) == nil,
                let values = rows.numbers(ofColumn: place), !values.contains(where: \.isNaN)
            else { return false }
            return rows.columnCount == 2 && (RRBeatTimes.rises(values) || RRBeatTimes.rises(values.reversed()))
                || DelimitedTime.areReadings(values)
        }
    }

    /// True where a column holds more than one moment, so that it is no date of a whole table.
    private static func couldBeStamps(_ place: Int, _ rows: RRTextTable.Rows) -> Bool {
        guard rows.isMoments(place), rows.cells.count > 2 else { return true }
        return rows.numbers(ofColumn: place).map { values in values.contains { $0 != values[0] } } ?? true
    }

    /// True where a column numbers the rows, as in tables that programs write, and is not called a time.
    private static func areRowNumbers(_ place: Int, of rows: RRTextTable.Rows) -> Bool {
        guard place < rows.names.count, let values = rows.numbers(ofColumn: place) else { return false }
        let name = rows.names[place].lowercased().filter(\.isLetter)
        return rowNames.contains(name) && zip(values, values.dropFirst()).allSatisfy { $1 - $0 == 1 }
    }

    private static let rowNames: Set<String> = [
        "", "unnamed", "index", "idx", "i", "n", "no", "nr", "number", "num", "row", "id", "beat", "beats",
        "beatnumber",
    ]

    /// Which columns the names call times and intervals; nil where none is called intervals.
    static func named(_ names: [String]) -> (time: Int?, intervals: Int)? {
        let isTable = names.count > 2
        guard
            let intervals = names.firstIndex(where: { IntervalHeading($0) == .intervals })
                ?? (isTable ? names.firstIndex { IntervalHeading($0) == .possibly } : nil)
        else { return nil }
        func first(_ words: Set<String>) -> Int? {
            names.indices.first { place in
                place != intervals
                    && names[place].lowercased().split { !$0.isLetter }.contains { words.contains(String($0)) }
            }
        }
        return (first(["time", "t", "onset", "timestamp", "seconds", "datetime"]) ?? first(["date"]), intervals)
    }
}

extension String {
    fileprivate var isBeats: Bool { RRBeatTimes.isNamed(self) && IntervalHeading(self) != .intervals }
}
