import Foundation
public import Signals

/// Tables and their declarations as JSON, with keys in the order of the columns.
public enum TableJSON {
    /// The rows as an array of objects, one a line; missing values are `null`. Numbers are
    /// in full: they read back to the bit.
    public static func rows(_ table: Table) -> [UInt8] {
        var bytes: [UInt8] = Array("[".utf8)
        for (index, row) in table.rows.enumerated() {
            bytes.append(contentsOf: (index == 0 ? "\n  " : ",\n  ").utf8)
            appendRow(row, under: table.columns, to: &bytes)
        }
        bytes.append(contentsOf: "\n]\n".utf8)
        return bytes
    }

    /// Adds one row as an object, for results that are printed as they come.
    public static func appendRow(_ row: [Cell], under columns: [Column], to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "{"))
        for (index, (column, cell)) in zip(columns, row).enumerated() {
            if index > 0 { bytes.append(contentsOf: ", ".utf8) }
            append(string: column.name, to: &bytes)
            bytes.append(contentsOf: ": ".utf8)
            append(cell, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// The JSON sidecar of a table (BIDS 1.10, "Tabular files"): for each column `Description`, `Units`, `Reference`,
    /// `LeastData`, `Role` of moments that are not called `onset`, `Levels` of its codes, and `Minimum` and `Maximum` of its
    /// numbers, each only where declared.
    public static func sidecar(_ columns: [Column]) -> [UInt8] {
        var bytes: [UInt8] = Array("{".utf8)
        for (index, column) in columns.enumerated() {
            bytes.append(contentsOf: (index == 0 ? "\n  " : ",\n  ").utf8)
            append(string: column.name, to: &bytes)
            bytes.append(contentsOf: ": {".utf8)
            let entries = entries(of: column)
            for (index, entry) in entries.enumerated() {
                bytes.append(contentsOf: (index == 0 ? "\n    " : ",\n    ").utf8)
                append(string: entry.0, to: &bytes)
                bytes.append(contentsOf: ": ".utf8)
                bytes.append(contentsOf: entry.1)
            }
            bytes.append(contentsOf: "\n  }".utf8)
        }
        bytes.append(contentsOf: "\n}\n".utf8)
        return bytes
    }

    private static func entries(of column: Column) -> [(key: String, value: [UInt8])] {
        let texts = [
            ("Description", column.definition), ("Units", column.unit.rawValue),
            ("Reference", column.reference ?? ""), ("LeastData", column.leastData ?? ""),
            ("Role", column.role == .moment && column.name != "onset" ? column.role.rawValue : ""),
        ].filter { !$0.1.isEmpty }.map { key, text in
            var value: [UInt8] = []
            append(string: text, to: &value)
            return (key, value)
        }
        let levels = column.levels.map { [("Levels", object($0))] } ?? []
        guard let range = column.range else { return texts + levels }
        return texts + levels + [
            ("Minimum", Array(range.lowerBound.description.utf8)),
            ("Maximum", Array(range.upperBound.description.utf8)),
        ]
    }

    /// An object of texts, its keys in order.
    private static func object(_ texts: [String: String]) -> [UInt8] {
        var bytes: [UInt8] = Array("{".utf8)
        for (place, (key, text)) in texts.sorted(by: { $0.key < $1.key }).enumerated() {
            bytes.append(contentsOf: (place == 0 ? "" : ", ").utf8)
            append(string: key, to: &bytes)
            bytes.append(contentsOf: ": ".utf8)
            append(string: text, to: &bytes)
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    private static func append(_ cell: Cell, to bytes: inout [UInt8]) {
        switch cell {
        case .text(let text): append(string: text, to: &bytes)
        case .number(let value) where !value.isFinite: bytes.append(contentsOf: "null".utf8)
        case .onset(let value) where !value.isFinite: bytes.append(contentsOf: "null".utf8)
        case .number(let value): bytes.append(contentsOf: value.description.utf8)
        case .missing: bytes.append(contentsOf: "null".utf8)
        default: bytes.append(contentsOf: TSV.text(cell).utf8)
        }
    }

    /// Adds `text` as a JSON string (RFC 8259 section 7).
    public static func append(string text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        // Hardly a text has what must be written otherwise.
        var text = text
        let isPlain = text.withUTF8 { utf8 in
            let isPlain = utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
            if isPlain { bytes.append(contentsOf: utf8) }
            return isPlain
        }
        if isPlain { return }
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0A: bytes.append(contentsOf: "\\n".utf8)
            case 0x09: bytes.append(contentsOf: "\\t".utf8)
            case 0..<0x20:
                bytes.append(contentsOf: (byte < 16 ? "\\u000" : "\\u00").utf8)
                bytes.append(contentsOf: String(byte, radix: 16).utf8)
            default: bytes.append(byte)
            }
        }
    }
}
