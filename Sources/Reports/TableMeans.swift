import Kernels
import Signals

extension Cell {
    /// The number in it; nil where there is none.
    var value: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value), .onset(let value): value.isFinite ? value : nil
        case .text, .missing: nil
        }
    }
}

extension Table {
    /// The mean over the rows that have a value, as a group's tables have it; nil where there is no such column.
    func mean(of name: String) -> IndexValue? {
        index(name, words: "the mean of all windows") { Statistics.mean($0) }
    }

    /// The median over the windows that have a value, in place of a missing value of the whole recording.
    /// - Returns: nil where the index has a value, or no window has one.
    func median(of index: IndexValue) -> IndexValue? {
        guard index.value == nil, let place = columns.firstIndex(where: { $0.name == index.column.name }) else {
            return nil
        }
        let values = rows.compactMap { $0[place].value }
        guard !values.isEmpty else { return nil }
        let count = "median of \(values.count) of \(rows.count) windows"
        let whole = index.reason.map { "\(count); of the whole recording none: \($0)" } ?? count
        return IndexValue(index.column.read(as: whole), Statistics.median(values), reason: count)
    }

    /// The total of the rows that have a value; nil where there is no such column.
    func total(of name: String) -> IndexValue? {
        index(name, words: "the sum of all windows") { $0.reduce(0, +) }
    }

    private func index(_ name: String, words: String, _ value: ([Double]) -> Double) -> IndexValue? {
        guard let place = columns.firstIndex(where: { $0.name == name }) else { return nil }
        let values = rows.compactMap { $0[place].value }
        let column = columns[place].read(as: words)
        guard !values.isEmpty else { return IndexValue(column, nil, reason: "no window has a value") }
        return IndexValue(column, value(values))
    }
}

extension Column {
    /// The column of a value that was made of many of its own.
    func read(as words: String) -> Column {
        var column = self
        let sentence = definition.hasSuffix(".") ? String(definition.dropLast()) : definition
        column.definition = "\(sentence); here \(words)."
        return column
    }
}
