import Formats
import Foundation
import Signals

/// A table as comma-separated text for SPSS and the syntax that reads it (IBM SPSS Statistics, Command Syntax
/// Reference, "Variable Names" and "GET DATA").
struct SPSSTable {
    private let rows: TableRows
    private let numeric: [Bool]
    private let variables: [String]
    private let definitions: [String: String]

    /// - Parameters:
    ///   - numeric: which columns hold numbers.
    ///   - definitions: what each column means.
    init(_ rows: TableRows, numeric: [Bool], definitions: [String: String]) {
        self.rows = rows
        self.numeric = numeric
        self.definitions = definitions
        variables = Self.variables(rows.names)
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
    func writeSyntax(to url: URL) throws -> URL {
        let name = url.deletingPathExtension().lastPathComponent
        var text = """
            * Run in the folder of \(name).csv; missing values are empty.
            SET DECIMAL=DOT.
            GET DATA /TYPE=TXT /FILE="\(name).csv" /ENCODING='UTF8' /DELIMITERS="," /QUALIFIER='"' /ARRANGEMENT=DELIMITED
              /FIRSTCASE=2 /VARIABLES=

            """
        for (variable, isNumber) in zip(variables, numeric) { text += "  \(variable) \(isNumber ? "F16.8" : "A255")\n" }
        text += "  .\nCACHE.\nEXECUTE.\n"
        let labels = zip(rows.names, variables).compactMap { name, variable in
            definitions[name].map { "  \(variable) \"\(Self.label($0))\"" }
        }
        if !labels.isEmpty { text += "VARIABLE LABELS\n" + labels.joined(separator: "\n  /") + ".\n" }
        try writeAtomically(Array(text.utf8), to: url)
        return url
    }

    /// At most 200 characters in quotation marks.
    private static func label(_ text: String) -> String {
        String(text.prefix(200)).replacing("\"", with: "'").replacing("\n", with: " ")
    }
}
