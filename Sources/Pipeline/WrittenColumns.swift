public import Formats
import Signals

/// What somebody wrote on the columns of delimited text, in a file of its own or in a study's: both are checked alike.
public enum WrittenColumns {
    /// A map with every key that there is.
    public static let complete = ColumnMap(
        delimiter: ",", decimalMark: ".", skipRows: 0, commentPrefix: "#", sampleRate: 1,
        time: ColumnMap.TimeColumn(column: "", unit: .seconds),
        columns: [ColumnMap.MappedColumn(column: "", kind: .other, unit: "", label: "")], hasHeader: true)

    /// The words that may stand at a place, by its keys from that of the map on.
    /// - Parameter section: the keys that lead to the map; empty where it is a file of its own.
    public static func choices(in section: String = "") -> [String: [String]] {
        [
            section + "columns.kind": StreamKind.allCases.map(\.rawValue),
            section + "time.unit": ColumnMap.TimeUnit.allCases.map(\.rawValue),
        ]
    }

    /// What of a map's characters makes no sense; nil where all do.
    public static func wrongCharacter(in map: ColumnMap) -> String? {
        if let delimiter = map.delimiter, !isDelimiter(delimiter) {
            return "delimiter is '\(delimiter)', expected one character between cells, such as ',', ';' or '\\t'"
        }
        if let mark = map.decimalMark, mark != ".", mark != "," {
            return "decimalMark is '\(mark)', expected '.' or ','"
        }
        return nil
    }

    private static func isDelimiter(_ text: String) -> Bool {
        guard text.count == 1, let character = text.first, character.isASCII else { return false }
        return !character.isLetter && !character.isNumber && !character.isNewline
    }
}
