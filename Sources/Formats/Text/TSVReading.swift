import CVectors
public import Foundation

/// A table of text as it was read from a tab-separated file, with typed access by column.
public struct TextTable: Sendable {
    /// The file it came from, for messages.
    public let file: URL
    /// The column names of the header row.
    public let names: [String]
    /// The number of rows below the header.
    public let rowCount: Int
    private let bytes: [UInt8]
    /// Where each cell begins, row by row.
    private let starts: [Int]
    private let lines: [Int]

    /// Reads a whole tab-separated file with a header row. Blank lines and a byte-order mark are passed over; `\r\n`
    /// line ends are understood.
    /// - Throws: `FormatError` when it cannot be read, is larger than 1 GiB, has no header, is not UTF-8, names a column
    ///   twice, or a row has another number of cells than the header.
    public init(reading url: URL) throws {
        let input = try InputFile(url)
        guard input.size <= 1 << 30 else {
            throw FormatError(url, "has \(input.size) bytes, a table may have at most 1 GiB")
        }
        try self.init(bytes: input.read(at: 0, count: input.size), file: url)
    }

    /// Reads a table from bytes that came from `file`.
    public init(bytes: [UInt8], file: URL) throws {
        var bytes = try UTF16File.utf8(bytes, file: file)
        if bytes.last != 0x0A { bytes.append(0x0A) }
        var rows = CellStarts()
        try rows.find(in: bytes, file: file) { try Self.header($0, file: file) }
        self.file = file
        names = rows.names
        self.bytes = bytes
        starts = rows.starts
        lines = rows.lines
        rowCount = rows.lines.count
    }

    private static func header(_ line: ArraySlice<UInt8>, file: URL) throws -> [String] {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw FormatError(file, at: "line 1", "is not UTF-8 text")
        }
        let names = text.split(separator: "\t", omittingEmptySubsequences: false).map(trimmed)
        if Set(names).count < names.count {
            let twice = names.first { name in names.count { $0 == name } > 1 } ?? ""
            throw FormatError(file, at: "header", "names the column \"\(twice)\" twice")
        }
        return names
    }

    /// A name without the blanks around it.
    private static func trimmed(_ name: Substring) -> String {
        // Sets of characters are dear, and hardly a name needs them.
        func isPlain(_ byte: UInt8?) -> Bool { byte.map { $0 > 0x22 && $0 < 0x7F } ?? true }
        if isPlain(name.utf8.first), isPlain(name.utf8.last) { return String(name) }
        let trimmed = name.trimmingCharacters(in: blanks)
        let isQuoted = trimmed.count > 1 && trimmed.first == "\"" && trimmed.last == "\""
        return isQuoted ? String(trimmed.dropFirst().dropLast()) : trimmed
    }

    private static let blanks = CharacterSet.whitespaces.union(.newlines)

    /// Demands that all of the table is UTF-8: bytes that are none would all become the same character, and different texts one.
    /// - Throws: `FormatError` naming the first line that is not.
    public func demandUTF8() throws {
        guard String(validating: bytes, as: UTF8.self) == nil else { return }
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        let place = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
        throw FormatError(file, at: "line \(place + 1)", "is not UTF-8 text", advice: "save the file as UTF-8")
    }

    /// Whether there is a column of this name.
    public func has(_ column: String) -> Bool { names.contains(column) }

    /// The cells of a column; nil for `n/a` and for empty cells.
    /// - Throws: `FormatError` when there is no such column.
    public func texts(_ column: String) throws -> [String?] {
        try map(column) { cell, _ in cell.isEmpty ? nil : String(decoding: cell, as: UTF8.self) }
    }

    /// The numbers of a column; NaN for `n/a` and for empty cells.
    /// - Throws: `FormatError` when there is no such column or a cell is no number.
    public func numbers(_ column: String) throws -> [Double] {
        let index = try place(of: column)
        return try bytes.withUnsafeBufferPointer { all in
            guard let base = all.baseAddress else { return [] }
            return try [Double](unsafeUninitializedCapacity: rowCount) { values, count in
                for row in 0..<rowCount {
                    let start = starts[row * names.count + index]
                    var value = Double.nan
                    // Most are plain; what is not, or stands at the end, is read thoroughly.
                    if all.count - start < Self.plainNumberRoom || marey_cell_number(base + start, &value) == 0 {
                        value = try number(cell(all, start), column, row)
                    }
                    values[row] = value
                    count = row + 1
                }
            }
        }
    }

    /// The bytes that are looked at where a plain number may stand.
    private static let plainNumberRoom = 32

    private func number(_ cell: UnsafeBufferPointer<UInt8>, _ column: String, _ row: Int) throws -> Double {
        if cell.isEmpty { return .nan }
        guard let value = NumberParsing.double(cell) else { throw unexpected(cell, column, lines[row], "a number") }
        return value
    }

    /// The cells of a column where few texts come again and again: each text once, nil for `n/a` and empty cells, in the
    /// order they first come, and for each row which of them it has.
    /// - Throws: `FormatError` when there is no such column.
    public func words(_ column: String) throws -> (texts: [String?], rows: [Int]) {
        var seen: [UnsafeBufferPointer<UInt8>] = []
        var places: [String?: Int] = [:]
        var texts: [String?] = []
        let rows = try map(column) { cell, _ in
            if let place = seen.firstIndex(where: { Self.isSame($0, cell) }) { return place }
            let text = cell.isEmpty ? nil : String(decoding: cell, as: UTF8.self)
            if let place = places[text] { return place }
            // Of many, looking at one after another takes longer than looking them up.
            if seen.count < Self.fewWords { seen.append(cell) }
            places[text] = texts.count
            texts.append(text)
            return texts.count - 1
        }
        return (texts, rows)
    }

    private static let fewWords = 16

    private static func isSame(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = one.baseAddress, let second = other.baseAddress else { return false }
        return one.count == other.count && memcmp(first, second, one.count) == 0
    }

    /// The whole numbers of a column; nil for `n/a` and for empty cells.
    /// - Throws: `FormatError` when there is no such column or a cell is no whole number.
    public func integers(_ column: String) throws -> [Int?] {
        try map(column) { cell, line in
            if cell.isEmpty { return nil }
            guard let value = Int(String(decoding: cell, as: UTF8.self)) else {
                throw unexpected(cell, column, line, "a whole number")
            }
            return value
        }
    }

    /// The line of the file that `row` stands on, counted from 1, for messages.
    public func line(ofRow row: Int) -> Int { lines[row] }

    private func place(of column: String) throws -> Int {
        guard let index = names.firstIndex(of: column) else {
            let isOfCommas = names.count == 1 && names[0].contains { ",;".contains($0) }
            throw FormatError(
                file, "has no column \"\(column)\"",
                advice: isOfCommas
                    ? "its header \"\(names[0])\" has no tabs, which must stand between columns"
                    : "its columns are \(names.joined(separator: ", "))")
        }
        return index
    }

    private func map<Value>(
        _ column: String, _ transform: (UnsafeBufferPointer<UInt8>, Int) throws -> Value
    ) throws -> [Value] {
        let index = try place(of: column)
        return try bytes.withUnsafeBufferPointer { all in
            try (0..<rowCount).map { row in
                try transform(cell(all, starts[row * names.count + index]), lines[row])
            }
        }
    }

    /// The cell that begins at `start`, without the blanks around it and without quotation marks, as R's write.table puts them
    /// around texts; empty where it is `n/a`.
    private func cell(_ all: UnsafeBufferPointer<UInt8>, _ start: Int) -> UnsafeBufferPointer<UInt8> {
        var end = start
        while all[end] != 0x09, all[end] != 0x0A { end += 1 }
        let cell = UnsafeBufferPointer(rebasing: all[start..<end])
        var trimmed = UnsafeBufferPointer(rebasing: cell[NumberParsing.trimmed(cell)])
        if trimmed.count > 1, trimmed.first == 0x22, trimmed.last == 0x22 {
            trimmed = UnsafeBufferPointer(rebasing: trimmed.dropFirst().dropLast())
        }
        let isMissing = trimmed.count == 3 && trimmed[0] == 0x6E && trimmed[1] == 0x2F && trimmed[2] == 0x61
        return isMissing ? UnsafeBufferPointer(rebasing: trimmed[..<0]) : trimmed
    }

    private func unexpected(
        _ cell: UnsafeBufferPointer<UInt8>, _ column: String, _ line: Int, _ expected: String
    ) -> FormatError {
        let found = String(decoding: cell.prefix(40), as: UTF8.self)
        return FormatError(file, at: "line \(line), column \(column)", "found \"\(found)\", expected \(expected)")
    }
}
