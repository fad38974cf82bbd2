import Formats
import Foundation
import Signals

/// The rows of one of our own tab-separated tables, read in pieces: a group's long table has millions of them.
struct TableRows {
    /// The file.
    let url: URL
    /// The names in its header.
    let names: [String]
    private let input: InputFile
    private let start: Int

    /// Opens the table.
    /// - Throws: `FormatError` when it cannot be read or has no header.
    init(_ url: URL) throws {
        self.url = url
        input = try InputFile(url)
        let head = try input.read(at: 0, count: min(input.size, 1 << 22))
        guard let end = head.firstIndex(of: 0x0A), end > 0 else {
            throw FormatError(url, "is empty, expected a header row")
        }
        names = String(decoding: head[..<end], as: UTF8.self).split(separator: "\t").map(String.init)
        start = end + 1
    }

    /// Calls `body` with each row's cells; nil for `n/a`.
    /// - Throws: `FormatError` when a row has another number of cells than the header.
    func forEach(_ body: ([ArraySlice<UInt8>?]) throws -> Void) throws {
        var offset = start
        var rest: [UInt8] = []
        var row = 0
        while offset < input.size {
            let piece = try input.read(at: offset, count: min(1 << 20, input.size - offset))
            guard !piece.isEmpty else { break }
            offset += piece.count
            rest += piece
            if offset >= input.size, rest.last != 0x0A { rest.append(0x0A) }
            var begin = 0
            while let end = rest[begin...].firstIndex(of: 0x0A) {
                row += 1
                try body(cells(rest[begin..<end], row))
                begin = end + 1
            }
            rest.removeFirst(begin)
        }
    }

    private func cells(_ line: ArraySlice<UInt8>, _ row: Int) throws -> [ArraySlice<UInt8>?] {
        let cells = line.split(separator: 0x09, omittingEmptySubsequences: false)
        guard cells.count == names.count else {
            throw FormatError(url, at: "row \(row)", "has \(cells.count) cells, the header has \(names.count)")
        }
        return cells.map { $0.elementsEqual("n/a".utf8) ? nil : $0 }
    }

    /// For each column whether all that is there is a number. Labels stay text: 01 is not 1.
    /// - Parameter declared: the columns that are declared with a unit: they hold numbers though all be missing.
    func numeric(declared: Set<String> = []) throws -> [Bool] {
        let labels: Set<String> = [
            "participant", "session", "task", "acquisition", "participant_id", "condition", "factor", "first", "second",
            "signal", "index", "unit", "sessionLabels",
        ]
        var isNumeric = names.map { !labels.contains($0) }
        var isThere = names.map { _ in false }
        try forEach { row in
            for (index, cell) in row.enumerated() where isNumeric[index] {
                guard let cell else { continue }
                isThere[index] = true
                if Self.number(cell) == nil { isNumeric[index] = false }
            }
        }
        return names.indices.map { isNumeric[$0] && (isThere[$0] || declared.contains(names[$0])) }
    }

    static func number(_ cell: ArraySlice<UInt8>) -> Double? {
        cell.withUnsafeBufferPointer { NumberParsing.double(Span(_unsafeElements: $0)) }
    }

    static func text(_ cell: ArraySlice<UInt8>) -> String { String(decoding: cell, as: UTF8.self) }
}
