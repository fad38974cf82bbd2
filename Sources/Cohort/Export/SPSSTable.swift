import Formats
import Foundation
import Signals

/// A table as comma-separated text for SPSS and the syntax that reads it (IBM SPSS Statistics, Command Syntax
/// Reference, "Variable Names" and "GET DATA").
struct SPSSTable {
    private let rows: TableRows
    private let numeric: [Bool]
    private let variables: [String]
    private let told: [String: ToldColumn]
    private let shapes: [SPSSShape]

    /// - Parameters:
    ///   - numeric: which columns hold numbers.
    ///   - told: what its sidecar says of each column.
    /// - Throws: `FormatError` when it cannot be read.
    init(_ rows: TableRows, numeric: [Bool], told: [String: ToldColumn]) throws {
        self.rows = rows
        self.numeric = numeric
        self.told = told
        variables = Self.variables(rows.names)
        var shapes = rows.names.map { _ in SPSSShape() }
        try rows.forEach { row in
            for (index, cell) in row.enumerated() {
                if let cell { shapes[index].take(cell) }
            }
        }
        self.shapes = shapes
    }

    /// The bytes of the longest text of each column of texts in any of several tables: what two of them have, such as the
    /// labels of people, joins them only where it is equally wide in both.
    static func widths(_ tables: [SPSSTable]) -> [String: Int] {
        tables.reduce(into: [:]) { widths, table in
            for (name, (isNumber, shape)) in zip(table.rows.names, zip(table.numeric, table.shapes)) where !isNumber {
                widths[name] = max(widths[name] ?? 1, shape.width)
            }
        }
    }

    /// Names of 64 letters, digits and low lines at most that begin with a letter, no two alike whatever their case.
    static func variables(_ names: [String]) -> [String] {
        let reserved: Set<String> = [
            "all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with",
        ]
        var taken = DistinctNames(taken: reserved)
        return names.map { name in
            let plain = name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" }
            var words = String(plain).split(separator: "_").joined(separator: "_")
            if words.first?.isLetter != true { words = "v" + words }
            words = String(words.prefix(60))
            var unique = ""
            _ = taken.next { number in
                unique = words + (number.map { "_\($0)" } ?? "")
                return unique.lowercased()
            }
            return unique
        }
    }

    /// Comma-separated, a header row, nothing where a value is missing.
    func write(to url: URL) throws -> URL {
        let file = try AtomicFile(url)
        try file.write(variables.joined(separator: ",") + "\n")
        var bytes: [UInt8] = []
        try rows.forEach { row in
            for (index, cell) in row.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                if let cell { Self.append(cell, to: &bytes) }
            }
            bytes.append(0x0A)
            if bytes.count > 1 << 17 {
                try file.write(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
        }
        try file.write(bytes)
        try file.commit()
        return url
    }

    private static func append(_ cell: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        let quote = UInt8(ascii: "\"")
        guard cell.contains(where: { $0 == quote || $0 == UInt8(ascii: ",") }) else {
            bytes += cell
            return
        }
        bytes.append(quote)
        for byte in cell {
            if byte == quote { bytes.append(quote) }
            bytes.append(byte)
        }
        bytes.append(quote)
    }

    /// The syntax: which variables there are, what they are, and what they mean.
    /// - Parameter widths: the bytes of each column of texts.
    func writeSyntax(to url: URL, widths: [String: Int]) throws -> URL {
        let name = url.deletingPathExtension().lastPathComponent
        let text = """
            * Run in the folder of \(name).csv; missing values are empty.
            SET DECIMAL=DOT.
            GET DATA /TYPE=TXT /FILE="\(name).csv" /ENCODING='UTF8' /DELIMITERS="," /QUALIFIER='"' /ARRANGEMENT=DELIMITED
              /FIRSTCASE=2 /VARIABLES=

            """
        let formats = zip(variables, readFormats(widths)).map { "  \($0) \($1)\n" }
        let all = text + formats.joined() + "  .\nCACHE.\nEXECUTE.\n" + shownFormats + labels + valueLabels + levels
        try writeAtomically(Array(all.utf8), to: url)
        return url
    }

    /// How each column is read.
    private func readFormats(_ widths: [String: Int]) -> [String] {
        rows.names.indices.map { column in
            let shape = shapes[column]
            guard numeric[column] else { return SPSSShape.textFormat(widths[rows.names[column]] ?? shape.width) }
            return shape.isScientific ? "F16.8" : shape.numberFormat
        }
    }

    /// How numbers are shown, where that is not how they are read.
    private var shownFormats: String {
        let shown = variables.indices.filter { numeric[$0] && shapes[$0].isScientific }
        return Self.command("FORMATS", shown.map { "\(variables[$0]) (\(shapes[$0].numberFormat))" }, separator: "\n  ")
    }

    /// Each on a line of its own: SPSS may cut lines off.
    private var labels: String {
        let labels = zip(variables, SPSSLabels.ofVariables(rows.names, told)).compactMap { variable, label in
            label.map { "\(variable)\n  \"\($0)\"" }
        }
        return Self.command("VARIABLE LABELS", labels)
    }

    /// What codes mean.
    private var valueLabels: String {
        let coded = rows.names.indices.filter(isCoded).map { column in
            let levels = told[rows.names[column]]?.levels.sorted { $0.key < $1.key } ?? []
            return variables[column] + levels.map { "\n  \($0.key) \"\(SPSSLabels.ofValue($0.value))\"" }.joined()
        }
        return Self.command("VALUE LABELS", coded)
    }

    /// Whether the numbers of a column are codes.
    private func isCoded(_ column: Int) -> Bool {
        let levels = told[rows.names[column]]?.levels ?? [:]
        return numeric[column] && !levels.isEmpty && levels.keys.allSatisfy { Int($0) != nil }
    }

    /// What can be reckoned with, and what only tells rows apart.
    private var levels: String {
        let isScale = rows.names.indices.map { numeric[$0] && !isCoded($0) && rows.names[$0] != "run" }
        let lists = [(true, "SCALE"), (false, "NOMINAL")].compactMap { kind, word -> String? in
            let own = zip(variables, isScale).filter { $0.1 == kind }.map(\.0)
            return own.isEmpty ? nil : own.joined(separator: "\n  ") + " (\(word))"
        }
        return Self.command("VARIABLE LEVEL", lists)
    }

    /// A command over several variables; nothing where there are none.
    private static func command(_ name: String, _ parts: [String], separator: String = "\n  /") -> String {
        parts.isEmpty ? "" : "\(name)\n  " + parts.joined(separator: separator) + ".\n"
    }
}
