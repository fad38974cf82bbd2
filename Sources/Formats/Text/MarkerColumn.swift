import Signals

/// A column whose cells are markers: one begins where a cell holds a number other than 0, or text, and the cell above
/// holds another or none. `False`, as programs write it, is as 0. A number that the first two cells hold is the level
/// that the column begins with, and no change.
struct MarkerColumn {
    private var cell: [UInt8] = []
    private var number: Double?

    /// A column that begins with these cells.
    init(beginning cells: some Collection<Substring>, mark: UInt8) {
        let numbers = cells.prefix(2).map { cell in
            var cell = cell
            return cell.withUTF8 { DelimitedCells.value($0, mark: mark) }
        }
        if numbers.count == 2, let first = numbers[0], first == numbers[1] { number = first }
    }

    /// What the marker that begins with the next cell is called, as it is written there; nil where none begins.
    mutating func label(_ cell: UnsafeBufferPointer<UInt8>, mark: UInt8) -> String? {
        guard !self.cell.elementsEqual(cell) else { return nil }
        self.cell.removeAll(keepingCapacity: true)
        self.cell.append(contentsOf: cell)
        let before = number
        number = DelimitedCells.value(cell, mark: mark)
        if let number {
            guard number.isFinite, number != 0, number != before else { return nil }
        }
        if Self.isFalse(cell) { return nil }
        return Self.text(cell).replacing("\"\"", with: "\"")
    }

    /// What is written in a cell, or a line: Latin-1 where it is no UTF-8, as for headers.
    static func text(_ cell: UnsafeBufferPointer<UInt8>) -> String {
        String(validating: cell, as: UTF8.self) ?? String(String.UnicodeScalarView(cell.map { Unicode.Scalar($0) }))
    }

    private static func isFalse(_ cell: UnsafeBufferPointer<UInt8>) -> Bool {
        cell.count == 5 && String(decoding: cell, as: UTF8.self).lowercased() == "false"
    }

    /// Whether the cells of a column, of stretches from all over it, may be markers: numbers of them are whole, and no more
    /// than a handful, or one of eight, begin one, as those of a voltage with noise would.
    static func hasMarkers(_ stretches: [[Substring]], mark: UInt8) -> Bool {
        let labels = stretches.flatMap { cells in
            var column = MarkerColumn(beginning: cells, mark: mark)
            return cells.compactMap { cell in
                var cell = cell
                return cell.withUTF8 { column.label($0, mark: mark) }
            }
        }
        let isWhole = labels.allSatisfy { label in
            NumberParsing.double(label, mark: mark).map { $0 == $0.rounded() } ?? true
        }
        // A stretch that begins with text begins a marker, wherever that really began.
        return isWhole && labels.count - stretches.count <= max(8, stretches.reduce(0) { $0 + $1.count } / 8)
    }

    /// Whether a column of this name holds markers: `Marker`, `events`, `stim 1`, `Event Code`.
    static func isName(_ name: String) -> Bool {
        var stem = name.lowercased().filter { $0.isLetter || $0.isNumber }
        while stem.last?.isNumber == true { stem.removeLast() }
        let singular = stem.hasSuffix("s") ? String(stem.dropLast()) : stem
        if names.contains(stem) || names.contains(singular) || singular == "label" { return true }
        return ["code", "label", "name", "type", "id"].contains { ending in
            singular.hasSuffix(ending) && names.contains(String(singular.dropLast(ending.count)))
        }
    }

    private static let names: Set<String> = [
        "marker", "event", "annotation", "trigger", "trig", "cue", "stim", "stimulus",
    ]
}
