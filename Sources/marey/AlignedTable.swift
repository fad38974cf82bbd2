import Formats
import Signals

/// A table with its columns lined up, for people.
enum AlignedTable {
    /// The table as text; numbers to the right, words to the left.
    static func text(_ table: Table) -> String {
        let cells = table.rows.map { $0.map { TSV.text($0).shown } }
        let names = table.columns.map(\.name)
        let widths = names.indices.map { column in
            cells.reduce(names[column].count) { max($0, $1[column].count) }
        }
        let isNumeric = names.indices.map { column in
            table.rows.allSatisfy { row in
                switch row[column] {
                case .text: false
                default: true
                }
            }
        }
        func line(_ words: [String]) -> String {
            let padded = words.enumerated().map { column, word in
                let blanks = String(repeating: " ", count: max(0, widths[column] - word.count))
                return isNumeric[column] ? blanks + word : word + blanks
            }
            return String(padded.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
        }
        return ([line(names)] + cells.map(line)).joined(separator: "\n") + "\n"
    }
}
