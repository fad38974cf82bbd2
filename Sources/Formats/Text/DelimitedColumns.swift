import Foundation
import Signals

/// Which columns of a delimited text file go where.
struct DelimitedColumns {
    /// A stream's channels and the columns they come from.
    struct Stream {
        var kind: StreamKind
        var channels: [Channel]
        var columns: [Int]
        /// One of so many rows holds its values.
        var stride = 1
    }

    var time: (column: Int, unit: ColumnMap.TimeUnit?)?
    /// The column of dates, where that of times has times of day.
    var date: Int?
    var streams: [Stream] = []
    /// The columns whose cells are markers.
    var markers: [Int] = []
    var notes: [String] = []

    /// What to do with a column of text.
    static let adviceOnText = "a column of text can be left out, or read as markers, by a column map (--columns)"

    /// - Parameter input: the file, to look at more than its beginning.
    init(_ dialect: DelimitedDialect, _ map: ColumnMap, _ file: URL, input: InputFile? = nil) throws {
        var finder = DelimitedColumnFinder(dialect: dialect, file: file)
        if let input, map.columns == nil {
            try finder.findLateCells(DelimitedLines(input, dialect))
            try finder.lookFurther(input)
        }
        let found = finder.timeColumn()
        let mapped = try map.columns?.map { ($0, try finder.column($0.column)) }
        if let mapped = map.time {
            time = (try finder.column(mapped.column), mapped.unit)
        } else if let found, mapped?.contains(where: { $0.1 == found }) != true {
            // Whoever names the columns and a rate, but no time, wants even rows, as where a clock is of no use.
            if mapped == nil || map.sampleRate == nil {
                time = (found, nil)
            } else {
                notes.append(
                    "column \"\(finder.name(found))\" is not used: the column map has a sample rate and no time")
            }
        }
        date = time.flatMap { finder.dateColumn(beside: $0.column) }
        if let mapped {
            for (mapped, column) in mapped { add(mapped, column, finder) }
        } else {
            try finder.demandOneMeaning(besides: [time?.column, found, date])
            let labels = ColumnLabels(finder, time: time?.column)
            for column in 0..<dialect.columnCount where column != time?.column && column != found && column != date {
                let (name, isText) = (finder.name(column), finder.isText(column))
                let isMarkers = finder.isMarkers(column, isText: isText)
                if isMarkers {
                    markers.append(column)
                    notes.append("column \"\(name)\" gives markers; a column map (--columns) can say what else it is")
                }
                if !isText {
                    let (kind, note) = labels.kind(column)
                    add(ColumnMap.MappedColumn(column: name), column, finder, told: kind)
                    note.map { notes.append($0) }
                } else if !isMarkers {
                    notes.append(
                        "column \"\(name)\" holds text and was left out; a column map (--columns) can make markers of it"
                    )
                }
            }
        }
        // Without signals a list of events is none of a recording, unless somebody says so.
        guard !streams.isEmpty || mapped != nil && !markers.isEmpty else {
            let hasText = (0..<dialect.columnCount).contains { $0 != time?.column && finder.isText($0) }
            throw FormatError(
                file, "has no column of numbers to read besides the time", advice: hasText ? Self.adviceOnText : nil)
        }
    }

    /// - Parameter told: the kind that the headers together say.
    private mutating func add(
        _ mapped: ColumnMap.MappedColumn, _ column: Int, _ finder: DelimitedColumnFinder, told: StreamKind? = nil
    ) {
        if mapped.kind == .marker { return markers.append(column) }
        let named = finder.labelAndUnit(column)
        let unit = mapped.unit.map { Unit($0) } ?? named.unit
        let kind = mapped.kind ?? told ?? SignalKind.kind(label: named.label, transducer: "", unit: unit)
        let channel = Channel(label: mapped.label ?? named.label, unit: SignalKind.meant(unit, by: kind))
        if let place = streams.firstIndex(where: { $0.kind == kind }) {
            streams[place].channels.append(channel)
            streams[place].columns.append(column)
        } else {
            streams.append(Stream(kind: kind, channels: [channel], columns: [column]))
        }
    }
}

/// Looks columns up in a dialect.
struct DelimitedColumnFinder {
    let dialect: DelimitedDialect
    let file: URL
    /// Of columns that are empty in the sample, the first cell that is not.
    private var late: [Int: String] = [:]
    /// Rows from all over the file.
    private var further: [[[Substring]]] = []

    init(dialect: DelimitedDialect, file: URL) {
        (self.dialect, self.file) = (dialect, file)
    }

    /// Looks through a file for the first cells of columns that begin empty: cues may come late.
    mutating func findLateCells(_ lines: DelimitedLines) throws {
        var empty = Set(
            (0..<dialect.columnCount).filter { column in
                dialect.sample.allSatisfy { $0.count <= column || Self.isEmpty($0[column], dialect.mark) }
            })
        while !empty.isEmpty, let line = try lines.next() {
            guard var cells = DelimitedCells(line, delimiter: dialect.delimiter, mark: dialect.mark) else { continue }
            for column in 0..<dialect.columnCount where !cells.isAtEnd {
                guard empty.contains(column) else {
                    cells.skip()
                    continue
                }
                let cell = String(decoding: cells.text(), as: UTF8.self)
                if Self.isEmpty(cell[...], dialect.mark) { continue }
                late[column] = cell
                empty.remove(column)
            }
        }
    }

    /// Takes rows from all over a file: what obviously holds markers at first need not do so later.
    mutating func lookFurther(_ input: InputFile) throws {
        guard (0..<dialect.columnCount).contains(where: { mayBeMarkers($0, isText: isText($0)) }) else { return }
        further = try LineStretches.read(
            input, after: DelimitedDialect.headSize, lineEnd: dialect.lineEnd
        ).map { bytes in
            LineStretches.lines(bytes).map(dialect.cells)
        }
    }

    static func isEmpty(_ cell: Substring, _ mark: UInt8) -> Bool {
        var cell = cell
        return cell.withUTF8 { DelimitedCells.value($0, mark: mark) }?.isNaN == true
    }

    /// The place of the column with this header, or this number from 1 on.
    func column(_ name: String) throws -> Int {
        let wanted = RRTextLines.trim(name[...]).lowercased()
        if let place = dialect.names.firstIndex(where: { RRTextLines.trim($0[...]).lowercased() == wanted }) {
            return place
        }
        if let number = Int(wanted), (1...dialect.columnCount).contains(number) { return number - 1 }
        let known = dialect.names.isEmpty ? "1 to \(dialect.columnCount)" : dialect.names.joined(separator: ", ")
        throw FormatError(file, "has no column \"\(name)\"", advice: "its columns are \(known)")
    }

    func name(_ column: Int) -> String {
        let name = column < dialect.names.count ? dialect.names[column] : ""
        return name.isEmpty ? "column \(column + 1)" : name
    }

    /// The column of times: by its header, else the first column if its cells are dates or rise in even small steps.
    func timeColumn() -> Int? {
        if let named = dialect.names.firstIndex(where: DelimitedTime.isTime) { return named }
        guard dialect.columnCount > 1 else { return nil }
        if let dated = dialect.names.firstIndex(where: DelimitedTime.isDate) {
            if DelimitedStamps(cells(dated), mark: dialect.mark).isClock { return dated }
            let clock = (0..<dialect.columnCount).first { dateColumn(beside: $0) == dated }
            if let clock { return clock }
        } else if dateColumn(beside: 1) == 0 {
            return 1
        }
        let cells = dialect.sample.prefix(200).compactMap(\.first)
        if DelimitedStamps(cells, mark: dialect.mark).isClock { return 0 }
        let values = cells.compactMap { NumberParsing.double($0, mark: dialect.mark) }
        guard values.count == cells.count, cells.count >= 3 else { return nil }
        if DelimitedTime.areReadings(values) { return 0 }
        // `min` may as well be the least of something.
        guard
            dialect.names.isEmpty || dialect.names.first.flatMap(DelimitedTime.unit(called:)) != nil
                || dialect.names.first.map(Self.isNumbered) == true
        else { return nil }
        let steps = zip(values.dropFirst(), values).map { $0 - $1 }
        let median = steps.upperMedian
        guard median > 0, DelimitedTime.unit(first: values[0], spacing: median) != nil else { return nil }
        return steps.allSatisfy { $0 > 0.5 * median && $0 < 1.5 * median } ? 0 : nil
    }

    /// The first cells of a column.
    private func cells(_ column: Int) -> [Substring] {
        dialect.sample.prefix(200).compactMap { column < $0.count ? $0[column] : nil }
    }

    /// The column of dates that belongs to a column with times of day: the first that holds dates alone.
    func dateColumn(beside time: Int) -> Int? {
        let times = cells(time)
        guard !times.isEmpty, times.allSatisfy({ DelimitedTime.timeOfDay($0) != nil }) else { return nil }
        return (0..<dialect.columnCount).first { column in
            let dates = cells(column)
            return column != time && dates.count == times.count && dates.allSatisfy { DelimitedTime.date($0) != nil }
        }
    }

    /// Demands that rows are samples of the same signals, not values of one that a column of text names.
    /// - Throws: `FormatError` where they are.
    func demandOneMeaning(besides known: [Int?]) throws {
        for column in 0..<dialect.columnCount where !known.contains(column) && isText(column) {
            guard
                let names = LongTable.names(
                    in: cells(column), of: dialect.names.indices.contains(column) ? name(column) : nil)
            else { continue }
            let listed = names.prefix(6).joined(separator: ", ") + (names.count > 6 ? ", …" : "")
            throw FormatError(
                file,
                "has a value of another signal in each row: column \"\(name(column))\" names them (\(listed))",
                advice: "write the rows of each signal to a file of its own")
        }
    }

    /// Whether a header only numbers a column, as MATLAB's `Var1` does.
    private static func isNumbered(_ name: String) -> Bool {
        let stem = name.lowercased().trimmingCharacters(in: .whitespaces).prefix {
            !$0.isNumber && $0 != "_" && $0 != " "
        }
        return ["", "var", "column", "col", "x", "v", "field"].contains(String(stem))
    }

    /// Whether a column holds something else than numbers.
    func isText(_ column: Int) -> Bool {
        let cells = dialect.sample.compactMap { column < $0.count ? $0[column] : nil }
        if cells.prefix(200).contains(where: isText) { return true }
        // Among numbers, text that comes later is a mistake; where there is no number, it is what the column holds.
        let known = cells.first { !Self.isEmpty($0, dialect.mark) } ?? late[column].map { $0[...] }
        return known.map(isText) ?? false
    }

    private func isText(_ cell: Substring) -> Bool {
        var cell = cell
        return cell.withUTF8 { DelimitedCells.value($0, mark: dialect.mark) } == nil
    }

    /// Whether a column is obviously one of markers: its name says so, or it holds text and is empty in most rows. One
    /// whose cells change all the time is none.
    func isMarkers(_ column: Int, isText: Bool) -> Bool {
        guard mayBeMarkers(column, isText: isText) else { return false }
        let stretches = [dialect.sample] + further
        return MarkerColumn.hasMarkers(
            stretches.map { rows in rows.compactMap { column < $0.count ? $0[column] : nil } }, mark: dialect.mark)
    }

    private func mayBeMarkers(_ column: Int, isText: Bool) -> Bool {
        if MarkerColumn.isName(labelAndUnit(column).label) { return true }
        return isText
            && Self.isMostlyEmpty(dialect.sample.compactMap { column < $0.count ? $0[column] : nil }, dialect.mark)
    }

    private static func isMostlyEmpty(_ cells: [Substring], _ mark: UInt8) -> Bool {
        cells.count { isEmpty($0, mark) } * 2 >= cells.count
    }

    /// A header such as `ECG [mV]`, `ECG (mV)` or `eda_uS` taken apart; a row of units goes before.
    func labelAndUnit(_ column: Int) -> (label: String, unit: Signals.Unit) {
        let name = name(column)
        if column < dialect.units.count {
            let unit = HeaderRows.bare(dialect.units[column][...])
            return (name, ["no_units", "nounits", "-", ""].contains(unit.lowercased()) ? .dimensionless : Unit(unit))
        }
        for (open, close) in [("[", "]"), ("(", ")")] as [(Character, Character)] {
            guard let first = name.lastIndex(of: open), let last = name.lastIndex(of: close), first < last else {
                continue
            }
            let label = name[..<first].trimmingCharacters(in: .whitespaces)
            let unit = name[name.index(after: first)..<last]
            return (label.isEmpty ? name : label, unit == "-" ? .dimensionless : Unit(String(unit)))
        }
        // `MICROSIEMENS`, `bpm`: what is called by its unit alone.
        let whole = Unit(name)
        if name.count > 2, Self.names.contains(where: { whole.factor(to: $0) != nil }) { return (name, whole) }
        if let mark = name.lastIndex(where: { $0 == "_" || $0 == " " }) {
            let ending = String(name[name.index(after: mark)...])
            if Self.endings.contains(ending.lowercased()) || ending == "nS" {
                return (String(name[..<mark]), Unit(ending))
            }
        }
        return (name, .unknown)
    }

    /// Quantities whose units may be headers.
    private static let names: [Signals.Unit] = [.microsiemens, .beatsPerMinute, .volts]

    /// Units that may end a header, in lower case.
    private static let endings: Set<String> = [
        "us", "µs", "μs", "mv", "uv", "µv", "μv", "nv", "degc", "celsius", "bpm", "mg", "ohm", "ohms", "kohm", "kohms",
        "m/s2", "m/s^2", "m/s²", "usiemens", "microsiemens", "millivolts", "microvolts",
    ]
}
