import Signals

/// The kinds of a table's columns, by their headers together.
///
/// - Words that all headers begin with, that of the times included, name a device where the rest of the headers names
///   different signals: a Shimmer called GSR writes `GSR_Accel_LN_X_CAL`. The rest alone says the kind.
/// - A column that was cleaned or filtered is computed where the raw column of the same name is there, too.
struct ColumnLabels {
    private let finder: DelimitedColumnFinder
    private let columns: [Int]
    /// Characters that the headers of signals begin with in common, and whether these name a device.
    private var prefixLength = 0
    private var namesDevice = false

    /// - Parameter time: the column of times; nil where there is none.
    init(_ finder: DelimitedColumnFinder, time: Int?) {
        self.finder = finder
        columns = (0..<finder.dialect.columnCount).filter { $0 != time && !finder.isText($0) }
        guard columns.count > 2, !finder.dialect.names.isEmpty else { return }
        let names = columns.map(finder.name)
        prefixLength = Self.commonPrefix(names)
        guard prefixLength > 0 else { return }
        let isOfTimes = time.map { Self.commonPrefix(names + [finder.name($0)]) == prefixLength } ?? false
        let prefixKind = SignalKind.said(by: String(names[0].prefix(prefixLength)))
        namesDevice = isOfTimes && columns.contains { column in rest(column).map { $0 != prefixKind } ?? false }
    }

    /// The kind of a column, and a note where that is not what it is called.
    func kind(_ column: Int) -> (kind: StreamKind, note: String?) {
        let (label, unit) = finder.labelAndUnit(column)
        if let raw = raw(of: column) {
            return (.other, "column \"\(label)\" was computed from column \"\(raw)\": it is other")
        }
        if let told = rest(column) { return (told, nil) }
        let text = namesDevice ? String(label.dropFirst(prefixLength)) : label
        return (SignalKind.kind(label: text, transducer: "", unit: unit), nil)
    }

    /// The kind that a header says without the words that all begin with; nil where it says none.
    private func rest(_ column: Int) -> StreamKind? {
        guard prefixLength > 0 else { return nil }
        let (label, unit) = finder.labelAndUnit(column)
        return SignalKind.said(by: String(label.dropFirst(prefixLength)), unit: unit)
    }

    /// The header of the raw column that a column was computed from; nil where there is none.
    private func raw(of column: Int) -> String? {
        guard let cleaned = DerivedSignal.cleaned(finder.labelAndUnit(column).label) else { return nil }
        return columns.lazy.filter { $0 != column }.map { finder.labelAndUnit($0).label }
            .first { DerivedSignal.cleaned($0) == nil && DerivedSignal.raw($0) == cleaned }
    }

    /// The number of characters that names begin with in common, to the end of a word; 0 where one of them is no longer.
    private static func commonPrefix(_ names: [String]) -> Int {
        guard var common = names.first.map(Array.init) else { return 0 }
        for name in names { common = Array(zip(common, name).prefix { $0 == $1 }.map(\.0)) }
        let end = common.lastIndex { !$0.isLetter && !$0.isNumber }.map { $0 + 1 } ?? 0
        return names.allSatisfy { $0.count > end } ? end : 0
    }
}
