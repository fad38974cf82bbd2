import Signals

/// Labels as SPSS takes them, within quotation marks and limits of bytes.
enum SPSSLabels {
    /// The most bytes of a variable's label. SPSS takes 255; with its marks it is on one line, which may have 256.
    private static let longest = 250
    /// The most bytes of the column's name in it.
    private static let longestName = 200
    /// The most bytes of a value's label.
    private static let longestOfValue = 120

    /// The label of each column, no two alike: its name, which says the signal, the index and its band or pair, and the
    /// unit, then as much of the definition as there is room for; nil where nothing is told of it.
    static func ofVariables(_ names: [String], _ told: [String: ToldColumn]) -> [String?] {
        var distinct = DistinctNames<String>()
        return names.map { name in
            guard let column = told[name] else { return nil }
            let unit = column.unit.map { $0 == "1" ? "" : " [\($0)]" } ?? ""
            let head = cut(plain(name), to: longestName) + unit
            let label = cut(column.definition.isEmpty ? head : "\(head): \(plain(column.definition))", to: longest)
            return distinct.next { number in number.map { cut(label, to: longest - 9) + " (\($0))" } ?? label }
        }
    }

    /// What a code means.
    static func ofValue(_ meaning: String) -> String { cut(plain(meaning), to: longestOfValue) }

    /// Without what ends a text or a line.
    private static func plain(_ text: String) -> String {
        String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 == "\"" ? "'" : $0 })
    }

    /// The text where it takes so many bytes of UTF-8 at most; else as many whole characters as fit before an ellipsis.
    private static func cut(_ text: String, to most: Int) -> String {
        guard text.utf8.count > most else { return text }
        var kept = ""
        var count = "…".utf8.count
        for character in text {
            count += character.utf8.count
            if count > most { break }
            kept.append(character)
        }
        return kept + "…"
    }
}
