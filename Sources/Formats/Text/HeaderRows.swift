import Signals

/// Tells apart the rows above a table's numbers: names of columns, their units, and lines on the recording.
enum HeaderRows {
    /// Whether a row is a line on the recording that a spreadsheet filled up with empty cells: nothing follows its first
    /// cell.
    static func isPreamble(_ row: [Substring]) -> Bool {
        row.count > 1 && row.dropFirst().allSatisfy(\.isEmpty)
    }

    /// Whether each cell of a row is a unit, in brackets or not, or empty, and at least one is a unit that is known.
    static func isUnits(_ row: [Substring]) -> Bool {
        let cells = row.map(bare).filter { !$0.isEmpty }
        return cells.contains(where: isKnownUnit) && cells.allSatisfy { isKnownUnit($0) || isLikeUnit($0) }
    }

    /// Whether a row can be the names of columns above another row: each cell with something below it has a text of its
    /// own, and none is the key of a line such as `Subject: 7`.
    static func areNames(_ row: [Substring], above below: [Substring]) -> Bool {
        let filled = row.filter { !$0.isEmpty }
        return !filled.isEmpty && Set(filled).count == filled.count
            && zip(row, below).allSatisfy { !$0.isEmpty || $1.isEmpty }
            && filled.allSatisfy { !$0.hasSuffix(":") && NumberParsing.double($0) == nil }
    }

    /// A cell without the brackets around it.
    static func bare(_ cell: Substring) -> String {
        var text = cell
        for (open, close) in [("[", "]"), ("(", ")")] where text.hasPrefix(open) && text.hasSuffix(close) {
            text = text.dropFirst().dropLast()
        }
        return String(text)
    }

    private static func isKnownUnit(_ text: String) -> Bool {
        let unit = Unit(text)
        return [Unit.volts, .microsiemens, .seconds, .g, .hertz, .percent].contains { unit.factor(to: $0) != nil }
            || words.contains(text.lowercased()) || unit == .degreesCelsius
    }

    /// Whether a text is as short as a unit.
    private static func isLikeUnit(_ text: String) -> Bool { text.count <= 8 && !text.contains(" ") }

    private static let words: Set<String> = [
        "no_units", "nounits", "sec", "secs", "msec", "usec", "n.u.", "a.u.", "adc", "counts", "raw", "kohms", "kohm",
        "ohm",
        "ohms", "deg/s", "dps", "°/s", "m/s2", "m/s^2", "mmhg", "kpa", "ut", "gauss", "local_flux", "l/s", "l/min",
    ]
}
