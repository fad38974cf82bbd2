import Signals

/// The cells of a table's rows that hold their time: one, or a date and a time of day.
struct DelimitedTimeCells {
    private let column: Int
    private let date: Int?
    private let delimiter: UInt8
    private let mark: UInt8

    init(column: Int, date: Int?, _ dialect: DelimitedDialect) {
        (self.column, self.date, delimiter, mark) = (column, date, dialect.delimiter, dialect.mark)
    }

    /// The text of a row's cells; nil where it has too few.
    func text(_ row: [Substring]) -> Substring? {
        guard row.indices.contains(column) else { return nil }
        guard let date else { return row[column] }
        guard row.indices.contains(date), let day = DelimitedTime.date(row[date]) else { return nil }
        return Substring("\(day) \(row[column])")
    }

    /// The time in a line, and the number where it is written as one; nil for a line without cells.
    @inline(__always)
    func value(
        _ line: UnsafeBufferPointer<UInt8>, _ stamps: inout DelimitedStamps
    ) -> (value: Double?, number: ScannedDecimal?)? {
        guard var cells = DelimitedCells(line, delimiter: delimiter, mark: mark) else { return nil }
        if date != nil {
            guard let text = joined(line) else { return (nil, nil) }
            return (stamps.time(text), nil)
        }
        for _ in 0..<column { cells.skip() }
        if !stamps.isClock, let number = cells.number() { return (number.double(), number) }
        return (stamps.time(cells.text()), nil)
    }

    /// The text of a line's cells, for messages.
    func found(_ line: UnsafeBufferPointer<UInt8>) -> String? {
        if date != nil, let joined = joined(line) { return String(joined.prefix(40)) }
        guard var cells = DelimitedCells(line, delimiter: delimiter, mark: mark) else { return nil }
        for _ in 0..<column { cells.skip() }
        return String(decoding: cells.text().prefix(40), as: UTF8.self)
    }

    private func joined(_ line: UnsafeBufferPointer<UInt8>) -> Substring? {
        guard let date, var cells = DelimitedCells(line, delimiter: delimiter, mark: mark) else { return nil }
        var (day, time): (Substring?, Substring?)
        for place in 0...max(column, date) where !cells.isAtEnd {
            if place == date {
                day = Substring(decoding: cells.text(), as: UTF8.self)
            } else if place == column {
                time = Substring(decoding: cells.text(), as: UTF8.self)
            } else {
                cells.skip()
            }
        }
        guard let day, let time else { return nil }
        return Substring("\(DelimitedTime.date(day) ?? day) \(time)")
    }
}
