import Signals

/// Reads the cells of a time column one after the other: numbers, dates, or times of day that may pass midnight.
struct DelimitedStamps {
    enum Form {
        case number(mark: UInt8)
        /// ISO 8601.
        case date
        /// A date as people write it; nil where its cells do not tell day from month.
        case civil(CivilTime.Order?)
        /// `hh:mm:ss[.fff]` without a date.
        case timeOfDay
    }

    let form: Form
    private var days = 0.0
    private var last: Seconds?
    private var first: CivilTime?

    /// The form of a column that begins with `cells`, and may be told to hold dates.
    init(_ cells: [Substring], given: ColumnMap.TimeUnit? = nil, mark: UInt8) {
        form =
            if let first = cells.first, ISODate.seconds(first) != nil {
                .date
            } else if let first = cells.first, DelimitedTime.timeOfDay(first) != nil {
                .timeOfDay
            } else if let first = cells.first, CivilTime(first) != nil {
                .civil(given?.order ?? CivilTime.order(of: cells))
            } else if given?.isDate == true {
                .date
            } else {
                .number(mark: mark)
            }
        hasZone = if case .number = form { true } else { cells.first.map(ISODate.hasZone) ?? false }
    }

    /// Whether the cells are read as seconds, whatever unit numbers would have.
    var isClock: Bool { if case .number = form { false } else { true } }

    /// Whether moments are told with a time zone, in which numbers count since 1970.
    let hasZone: Bool

    /// Whether the times have no date.
    var isTimeOfDay: Bool { if case .timeOfDay = form { true } else { isAmbiguous } }

    /// Whether the dates may be of one month or another: what counts is how they follow each other.
    var isAmbiguous: Bool { if case .civil(nil) = form { true } else { false } }

    /// The time in a cell, nil where it holds none. A time of day more than 12 h before the last is one of the next day.
    mutating func time(_ cell: UnsafeBufferPointer<UInt8>) -> Double? {
        switch form {
        case .number(let mark): return NumberParsing.double(cell, mark: mark)
        case .date: return ISODate.seconds(cell) ?? CivilTime(cell)?.secondsSince1970(.yearFirst)
        case .civil(let order):
            guard let time = CivilTime(cell) else { return nil }
            if let order { return time.secondsSince1970(order) }
            if first == nil { first = time }
            return first.flatMap(time.time)
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

extension ColumnMap.TimeUnit {
    /// Whether cells of this unit are dates.
    fileprivate var isDate: Bool { self == .iso8601 || order != nil }

    /// The order of dates of this unit; nil for others.
    fileprivate var order: CivilTime.Order? {
        switch self {
        case .dayFirst: .dayFirst
        case .monthFirst: .monthFirst
        default: nil
        }
    }
}
