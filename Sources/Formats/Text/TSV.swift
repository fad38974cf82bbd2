public import Foundation
public import Signals

/// Tables as tab-separated text: a header row, `n/a` for missing, UTF-8, at most 9 significant digits (BIDS 1.10,
/// "Tabular files").
public enum TSV {
    /// The whole table as text.
    public static func encode(_ table: some TableContent) -> [UInt8] {
        var bytes: [UInt8] = []
        forEachPiece(of: table) { bytes += $0 }
        return bytes
    }

    /// Writes the table; the file appears only when it is complete.
    /// - Throws: `FormatError` when it cannot be written.
    public static func write(_ table: some TableContent, to url: URL) throws {
        let file = try AtomicFile(url)
        var text = TSVText(under: table.columns, keptRows: file.keepsTable ? table.rowCount : nil)
        for first in stride(from: 0, to: table.rowCount, by: rowsPerPiece) {
            table.write(first..<min(first + rowsPerPiece, table.rowCount), to: &text)
            if text.byteCount > 1 << 16 { try text.takeBytes { try file.write($0) } }
        }
        try text.takeBytes { try file.write($0) }
        try file.commit(text.toldTable)
    }

    /// Hands the text of a table on, header first, in pieces of some 32 KiB.
    public static func forEachPiece(of table: some TableContent, _ take: ([UInt8]) throws -> Void) rethrows {
        var header: [UInt8] = []
        appendHeader(table.columns, to: &header)
        try take(header)
        var text = TSVText()
        for first in stride(from: 0, to: table.rowCount, by: rowsPerPiece) {
            table.write(first..<min(first + rowsPerPiece, table.rowCount), to: &text)
            if text.byteCount > 1 << 15 { try take(text.take()) }
        }
        try take(text.take())
    }

    private static let rowsPerPiece = 128

    /// Adds the header row, for tables that are written as they grow.
    public static func appendHeader(_ columns: [Column], to bytes: inout [UInt8]) {
        append(columns.map { .text($0.name) }, to: &bytes)
    }

    /// Adds one row, for tables that are written as they grow.
    public static func append(_ row: [Cell], to bytes: inout [UInt8]) {
        for (index, cell) in row.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "\t")) }
            append(cell, to: &bytes)
        }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// The text of one cell: an empty text is `n/a`, control characters of ASCII within a text, such as tabs and line ends, become
    /// blanks.
    public static func text(_ cell: Cell) -> String {
        var bytes: [UInt8] = []
        append(cell, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a byte of UTF-8 is a control character of ASCII, which readers of tables may stop at.
    @inline(__always)
    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

    private static func append(_ cell: Cell, to bytes: inout [UInt8]) {
        switch cell {
        case .integer(let value): NumberFormatting.append(value, to: &bytes)
        case .number(let value): NumberFormatting.append(value, to: &bytes)
        case .onset(let value): NumberFormatting.append(onset: value, to: &bytes)
        case .text(let text) where !text.isEmpty:
            for byte in text.utf8 { bytes.append(isControl(byte) ? 0x20 : byte) }
        case .text, .missing: bytes.append(contentsOf: "n/a".utf8)
        }
    }
}
