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
    /// Where each cell begins, row by row, and one more for the end of the last; cells end a byte before the next.
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
        var bytes = bytes
        if bytes.last != 0x0A { bytes.append(0x0A) }
        var names: [String] = []
        var starts: [Int] = []
        var lines: [Int] = []
        var line = 0
        var position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        while position < bytes.count {
            line += 1
            let (first, begin) = (starts.count, position)
            position = Self.cells(of: bytes, from: position, into: &starts)
            if bytes[begin..<position - 1].allSatisfy({ $0 == 0x0D || $0 == 0x20 }) {
                starts.removeLast(starts.count - first)
                continue
            }
            if names.isEmpty {
                names = try Self.header(bytes[begin..<position - 1], file: file)
                starts.removeAll()
                continue
            }
            guard starts.count - first == names.count else {
                throw FormatError(
                    file, at: "line \(line)",
                    "has \(starts.count - first) cells, the header has \(names.count)",
                    advice: "cells are separated by tabs")
            }
            lines.append(line)
        }
        guard !names.isEmpty else { throw FormatError(file, "is empty, expected a header row") }
        self.file = file
        self.names = names
        self.bytes = bytes
        self.starts = starts
        self.lines = lines
        rowCount = lines.count
    }

    /// Notes where the cells of the line at `start` begin.
    /// - Returns: where the next line begins.
    private static func cells(of bytes: [UInt8], from start: Int, into starts: inout [Int]) -> Int {
        starts.append(start)
        return bytes.withUnsafeBufferPointer { bytes in
            var position = start
            while bytes[position] != 0x0A {
                if bytes[position] == 0x09 { starts.append(position + 1) }
                position += 1
            }
            return position + 1
        }
    }

    private static func header(_ line: ArraySlice<UInt8>, file: URL) throws -> [String] {
        guard let text = String(validating: line, as: UTF8.self) else {
            throw FormatError(file, at: "line 1", "is not UTF-8 text")
        }
        let names = text.split(separator: "\t", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces.union(.newlines))
        }
        if Set(names).count < names.count {
            let twice = names.first { name in names.count { $0 == name } > 1 } ?? ""
            throw FormatError(file, at: "header", "names the column \"\(twice)\" twice")
        }
        return names
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
        try map(column) { cell, line in
            if cell.isEmpty { return .nan }
            guard let value = NumberParsing.double(cell) else {
                throw unexpected(cell, column, line, "a number")
            }
            return value
        }
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

    private func map<Value>(
        _ column: String, _ transform: (UnsafeBufferPointer<UInt8>, Int) throws -> Value
    ) throws -> [Value] {
        guard let index = names.firstIndex(of: column) else {
            throw FormatError(
                file, "has no column \"\(column)\"", advice: "its columns are \(names.joined(separator: ", "))")
        }
        return try bytes.withUnsafeBufferPointer { all in
            try (0..<rowCount).map { row in
                let start = starts[row * names.count + index]
                var end = start
                while all[end] != 0x09, all[end] != 0x0A { end += 1 }
                let cell = UnsafeBufferPointer(rebasing: all[start..<end])
                let trimmed = UnsafeBufferPointer(rebasing: cell[NumberParsing.trimmed(cell)])
                let isMissing = trimmed.count == 3 && trimmed[0] == 0x6E && trimmed[1] == 0x2F && trimmed[2] == 0x61
                return try transform(isMissing ? UnsafeBufferPointer(rebasing: trimmed[..<0]) : trimmed, lines[row])
            }
        }
    }

    private func unexpected(
        _ cell: UnsafeBufferPointer<UInt8>, _ column: String, _ line: Int, _ expected: String
    ) -> FormatError {
        let found = String(decoding: cell.prefix(40), as: UTF8.self)
        return FormatError(file, at: "line \(line), column \(column)", "found \"\(found)\", expected \(expected)")
    }
}
