/// Tells whether the last line of a table, which has no end, was cut off while it was written, as a program leaves it that
/// was stopped: it has too few cells, or a last cell that is unlike those above it.
struct CutOffLine {
    private let columnCount: Int
    private let fewestCells: Int
    private let mark: UInt8
    private let isNeverEmpty: Bool
    private let isNumber: Bool
    private let isTime: Bool
    /// Digits behind the decimal mark of numbers, characters of all else; nil where they differ.
    private let length: Int?

    /// As many cells alike show a rule.
    private static let fewestAlike = 8

    /// - Parameters:
    ///   - fewestCells: how many cells a line must have.
    ///   - lastCells: the last cells of the lines above it that have as many cells as there are columns.
    init(columnCount: Int, fewestCells: Int, lastCells: [Substring], mark: UInt8) {
        (self.columnCount, self.fewestCells, self.mark) = (columnCount, fewestCells, mark)
        let isKnown = !lastCells.isEmpty
        isNeverEmpty = isKnown && lastCells.allSatisfy { !$0.isEmpty }
        isNumber = isKnown && lastCells.allSatisfy { Self.isNumber($0, mark) }
        isTime = isKnown && lastCells.allSatisfy(DelimitedTime.isMoment)
        let lengths = Set(lastCells.map { [isNumber] in Self.length($0, mark, isNumber: isNumber) })
        length = lengths.count == 1 && lastCells.count >= Self.fewestAlike ? lengths.first : nil
    }

    /// Whether a line of these cells is cut off.
    func holds(_ cells: [Substring]) -> Bool {
        guard cells.count >= fewestCells else { return true }
        guard cells.count == columnCount, let last = cells.last else { return false }
        if last.isEmpty { return isNeverEmpty }
        if isNumber && !Self.isNumber(last, mark) || isTime && !DelimitedTime.isMoment(last) { return true }
        return length.map { Self.length(last, mark, isNumber: isNumber) < $0 } ?? false
    }

    private static func length(_ cell: Substring, _ mark: UInt8, isNumber: Bool) -> Int {
        guard isNumber else { return cell.utf8.count }
        return cell.utf8.firstIndex(of: mark).map {
            cell.utf8[$0...].dropFirst().prefix { (0x30...0x39).contains($0) }.count
        } ?? 0
    }

    private static func isNumber(_ cell: Substring, _ mark: UInt8) -> Bool {
        var cell = cell
        return cell.withUTF8 { DelimitedCells.value($0, mark: mark) } != nil
    }

    /// What is to be said of the line that was left out.
    static func note(line: Int) -> String { "line \(line), the last, is cut off and was left out" }
}
