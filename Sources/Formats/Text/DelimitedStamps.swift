import Signals

/// Reads the cells of a time column one after the other: numbers, dates, or times of day that may pass midnight.
struct DelimitedStamps {
    enum Form {
        case number(mark: UInt8)
        case date
        /// `hh:mm:ss[.fff]` without a date.
        case timeOfDay
    }

    let form: Form
    private var days = 0.0
    private var last: Seconds?

    init(_ form: Form) { self.form = form }

    /// The form of a column by its first cell, which may be told to hold dates.
    init(first: Substring?, isDate: Bool, mark: UInt8) {
        if let first, DelimitedTime.iso8601(first) != nil {
            self.init(.date)
        } else if let first, DelimitedTime.timeOfDay(first) != nil {
            self.init(.timeOfDay)
        } else {
            self.init(isDate ? .date : .number(mark: mark))
        }
    }

    /// Whether the cells are read as seconds, whatever unit numbers would have.
    var isClock: Bool { if case .number = form { false } else { true } }

    /// Whether the times have no date.
    var isTimeOfDay: Bool { if case .timeOfDay = form { true } else { false } }

    /// The time in a cell, nil where it holds none. A time of day more than 12 h before the last is one of the next day.
    mutating func time(_ cell: UnsafeBufferPointer<UInt8>) -> Double? {
        switch form {
        case .number(let mark): return NumberParsing.double(cell, mark: mark)
        case .date: return DelimitedTime.iso8601(cell)
        case .timeOfDay:
            guard let time = DelimitedTime.timeOfDay(cell) else { return nil }
            if let last, time < last - 43_200 { days += 1 }
            last = time
            return days * 86_400 + time
        }
    }

    /// The time in a cell, nil where it holds none.
    mutating func time(_ cell: Substring) -> Double? {
        var cell = cell
        return cell.withUTF8 { time($0) }
    }
}
