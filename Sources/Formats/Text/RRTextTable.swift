import Foundation
import Signals

/// RR intervals as a plain column, along lines, or in a table with a time column.
enum RRTextTable {
    /// The rows of a table.
    struct Rows {
        var columnCount: Int
        var style: Style
        var names: [String] = []
        /// The units that a row below the names states.
        var units: [String] = []
        var numbers: [Int] = []
        var cells: [[Substring]] = []
        /// The readers of columns of dates and times of day; nil for others.
        var stamps: [DelimitedStamps?] = []
        /// What a reader of the file should know.
        var notes: [String] = []
        let file: URL

        /// The name of a column, empty where it has no name.
        func name(_ column: Int) -> String { names.indices.contains(column) ? names[column] : "" }

        /// The numbers of a column, or the times where it holds moments.
        /// - Throws: `FormatError` naming the line whose cell is no number.
        func column(_ index: Int) throws -> [Double] {
            var moments = stamps.indices.contains(index) ? stamps[index] : nil
            return try zip(cells, numbers).map { cells, line in
                try moments?.time(cells[index]) ?? style.value(cells[index], line, file)
            }
        }

        /// The numbers of a column; nil where a cell holds something else.
        func numbers(ofColumn index: Int) -> [Double]? { try? column(index) }

        func isMoments(_ column: Int) -> Bool { stamps.indices.contains(column) && stamps[column] != nil }
    }

    /// The content of a text: intervals, or beats.
    struct Content {
        var rows: Rows
        var choice: RRColumns

        /// The meaning of the name of the column of intervals; nil where it has no name.
        var heading: IntervalHeading? {
            guard choice.intervals < rows.names.count else { return nil }
            let name = rows.names[choice.intervals]
            return rows.columnCount == 1 && isSentence(name) ? .nothing : IntervalHeading(name)
        }
    }

    /// A sentence above a column is no name: it may tell from what the numbers come.
    static func isSentence(_ heading: some StringProtocol) -> Bool { heading.split(separator: " ").count > 4 }

    /// Finds out what a text holds.
    /// - Throws: `FormatError` when that is neither intervals nor beats.
    static func content(of text: RRTextLines, asBeats: Bool = false) throws -> Content {
        let rows = try rows(of: text)
        return Content(rows: rows, choice: try RRColumns(of: rows, text, asBeats: asBeats))
    }

    static func read(_ text: RRTextLines, rate: Double? = nil, asBeats: Bool = false) throws -> RRSeries {
        try RRTextSeries(content(of: text, asBeats: asBeats), text, rate: rate).series
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
        if style.delimiter == nil, columnCount > 2 { return along(data, style, text.file) }
        var rows = Rows(columnCount: columnCount, style: style, file: text.file)
        if text.isUnfinished, data.count > 1, isCutOff(data, style, columnCount) {
            rows.notes.append(CutOffLine.note(line: data.removeLast().number))
        }
        rows.name(by: text.lines[..<first].suffix(2).map(\.text))
        rows.stamps = (0..<columnCount).map { columnCount > 1 ? moments(of: $0, data, style) : nil }
        if rows.stamps.contains(where: { $0?.isAmbiguous == true }) {
            rows.notes.append(
                "the recording has no start, as day and month of its dates cannot be told apart: write them as 2024-03-05"
            )
        }
        for (number, line) in data {
            var cells = style.cells(line)
            // Lines are without the tabs at their end, before which the last cells are empty.
            if style.delimiter == "\t", cells.count < columnCount {
                cells += Array(repeating: "", count: columnCount - cells.count)
            }
            guard cells.count == columnCount else {
                throw FormatError(
                    text.file, at: "line \(number)", "has \(cells.count) columns, the lines before have \(columnCount)")
            }
            rows.cells.append(cells)
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
    ) -> Rows {
        var rows = Rows(columnCount: 1, style: style, file: file)
        for (number, line) in data {
            for cell in style.cells(line) {
                rows.cells.append([cell])
                rows.numbers.append(number)
            }
        }
        return rows
    }

    private static func isData(_ line: Substring) -> Bool {
        let style = Style(of: [(0, line)][...])
        let cells = style.cells(line)
        // A date alone stands above intervals, not beside one.
        let values = cells.map { cell -> Double? in
            if let number = style.number(cell) { return number }
            return cells.count > 1 && (DelimitedTime.isMoment(cell) || RRValidity.isWord(cell)) ? 0 : nil
        }
        let isCounted = cells.contains { style.number($0).map { !$0.isNaN } ?? DelimitedTime.isMoment($0) }
        return isCounted && values.allSatisfy { $0 != nil }
    }
}

extension RRTextTable.Rows {
    /// Takes the names of the columns, and their units, from the lines above the numbers.
    fileprivate mutating func name(by lines: [Substring]) {
        // Above one column blanks divide nothing: `EDA [uS]` is one name.
        let isWhole = columnCount == 1 && style.delimiter == nil
        let cells = lines.map { isWhole ? [$0] : style.cells($0) }.map { $0.count == columnCount ? $0 : [] }
        guard let last = cells.last, !last.isEmpty else { return }
        if cells.count > 1, !cells[0].isEmpty, Self.areUnits(last) {
            (names, units) = (cells[0].map(String.init), last.map(String.init))
        } else {
            names = last.map(String.init)
        }
    }

    /// True where a line below the names states their units.
    private static func areUnits(_ cells: [Substring]) -> Bool {
        let bare = cells.map { RRTextLines.trim($0).drop { "[(".contains($0) } }
            .map { $0.last.map { ")]".contains($0) } == true ? $0.dropLast() : $0 }
        return bare.contains { !$0.isEmpty }
            && bare.allSatisfy { cell in
                cell.isEmpty || cell == "-" || DelimitedTime.unit(called: String(cell)) != nil
                    || IntervalUnit(cell: cell) != nil || ["bpm", "1/min", "beats/min"].contains(cell.lowercased())
            }
    }
}

extension RRTextTable.Style {
    /// The number in a cell, NaN for a missing one.
    /// - Throws: `FormatError` naming the line.
    func value(_ cell: Substring, _ line: Int, _ file: URL) throws -> Double {
        guard let value = number(cell) else {
            throw FormatError(file, at: "line \(line)", "found \"\(cell.prefix(40))\", expected a number")
        }
        return value
    }
}
