import Signals

/// A date and time of day as people and spreadsheets write them: `3/1/2024 11:59:00 AM`, `01.03.2024 23:59:00,250`,
/// `2024/3/1 9:05`, `22:45:27 19/09/2026`, `28-Mar-2025 23:58:51.029`, `10:05:00 PM Mar 1 2024`,
/// `Fri Mar 28 23:58:51 2025`.
struct CivilTime {
    /// What stands first in a date.
    enum Order: Hashable, Sendable {
        case yearFirst, monthFirst, dayFirst
    }

    private let date: (first: Int, second: Int, third: Int)
    private let orders: [Order]
    /// Seconds since midnight.
    let timeOfDay: Seconds

    init?(_ cell: UnsafeBufferPointer<UInt8>) {
        if let named = CivilScan.named(cell) {
            guard Self.midnight(named.date, .dayFirst) != nil else { return nil }
            (date, timeOfDay, orders) = (named.date, named.time, [.dayFirst])
            return
        }
        var scan = CivilScan(cell)
        // `22:45:27 19/09/2026`, as oximeters write it.
        var early = scan
        var timeBefore: Seconds?
        if let time = early.timeOfDay(needsSeconds: false) {
            guard early.hasBlankBehind else { return nil }
            timeBefore = time
            scan = early
            scan.skipBlanks()
        }
        guard let first = scan.number(digits: 4), let separator = scan.byte(of: "/-."),
            let second = scan.number(digits: 2).map({ (value: $0.value, isName: false) })
                ?? scan.month().map({ (value: $0, isName: true) }),
            scan.byte(of: separator), let third = scan.number(digits: 4)
        else { return nil }
        var timeBehind: Seconds?
        if timeBefore == nil {
            guard scan.skipBlanks() > 0, let time = scan.timeOfDay(needsSeconds: false) else { return nil }
            timeBehind = time
        }
        guard scan.isAtEnd, let time = timeBefore ?? timeBehind else { return nil }
        let date: (first: Int, second: Int, third: Int)
        let usual: [Order]
        if first.digits == 4 {
            usual = [.yearFirst]
            date = (first.value, second.value, third.value)
        } else if second.isName {
            usual = [.dayFirst]
            date = (first.value, second.value, third.digits <= 2 ? 2_000 + third.value : third.value)
        } else {
            // A full stop parts day, month and year, in this order; strokes part what their country wants.
            usual = separator == UInt8(ascii: ".") ? [.dayFirst] : [.monthFirst, .dayFirst]
            date = (first.value, second.value, third.digits <= 2 ? 2_000 + third.value : third.value)
        }
        self.date = date
        timeOfDay = time
        orders = usual.filter { Self.midnight(date, $0) != nil }
        if orders.isEmpty { return nil }
    }

    init?(_ cell: Substring) {
        var cell = cell
        guard let time = cell.withUTF8({ CivilTime($0) }) else { return nil }
        self = time
    }

    /// Seconds since 1970, of the clock that was read; nil where the date is none in this order.
    func secondsSince1970(_ order: Order) -> Seconds? {
        orders.contains(order) ? Self.midnight(date, order).map { $0 + timeOfDay } : nil
    }

    private static func midnight(_ date: (first: Int, second: Int, third: Int), _ order: Order) -> Seconds? {
        let (year, month, day) =
            switch order {
            case .yearFirst: (date.first, date.second, date.third)
            case .monthFirst: (date.third, date.first, date.second)
            case .dayFirst: (date.third, date.second, date.first)
            }
        guard (1...9_999).contains(year), Timestamp.exists(year: year, month: month, day: day) else { return nil }
        return Timestamp(year: year, month: month, day: day).secondsSince1970
    }

    /// Seconds from the midnight before `earlier` to this time, where nobody knows the order of their dates: in the one in
    /// which they lie closer together; nil where this is none that follows.
    func time(since earlier: CivilTime) -> Seconds? {
        if date == earlier.date { return timeOfDay }
        let times = orders.compactMap { order -> Seconds? in
            guard let own = secondsSince1970(order), let begin = earlier.secondsSince1970(order) else { return nil }
            return own - begin + earlier.timeOfDay
        }
        return times.filter { $0 >= 0 }.min()
    }

    /// The order in which all of these cells are dates; of two the one whose dates lie closer together; nil where it cannot
    /// be told.
    static func order(of cells: [Substring]) -> Order? {
        let times = cells.compactMap { CivilTime($0) }
        let spans = [Order.yearFirst, .monthFirst, .dayFirst].compactMap { order -> (order: Order, span: Seconds)? in
            let seconds = times.compactMap { $0.secondsSince1970(order) }
            guard seconds.count == times.count, let first = seconds.min(), let last = seconds.max() else { return nil }
            return (order, last - first)
        }
        guard let best = spans.min(by: { $0.span < $1.span }) else { return nil }
        return spans.count { $0.span == best.span } == 1 ? best.order : nil
    }

    /// Seconds since midnight of `9:05:03`, `11:59:00.250 PM`, `9:05 pm`; nil for anything else.
    static func timeOfDay(_ cell: UnsafeBufferPointer<UInt8>) -> Seconds? {
        var scan = CivilScan(cell)
        guard let time = scan.timeOfDay(needsSeconds: true), scan.isAtEnd else { return nil }
        return time
    }
}

/// Goes through the characters of a time.
private struct CivilScan {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    var isAtEnd: Bool { place == bytes.count }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    /// A whole number of up to so many digits.
    mutating func number(digits most: Int) -> (value: Int, digits: Int)? {
        var (value, digits) = (0, 0)
        while digits < most, let byte = next, byte &- 0x30 < 10 {
            value = value * 10 + Int(byte - 0x30)
            place += 1
            digits += 1
        }
        return digits > 0 ? (value, digits) : nil
    }

    /// Whether the character just passed or the next one is a blank.
    var hasBlankBehind: Bool { next == 0x20 || place > 0 && bytes[place - 1] == 0x20 }

    private static let weekdays: Set<String> = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// A date whose month is named before its day, as `ctime` and oximeters write it; nil for others.
    static func named(_ cell: UnsafeBufferPointer<UInt8>) -> (
        date: (first: Int, second: Int, third: Int), time: Seconds
    )? {
        guard cell.count >= 15, cell.contains(where: { ($0 | 0x20) &- 0x61 < 26 }) else { return nil }
        var scan = CivilScan(cell)
        var early = scan
        var time = early.timeOfDay(needsSeconds: false)
        if time != nil {
            scan = early
            scan.skipBlanks()
        }
        if scan.place + 3 <= cell.count {
            let word = String(decoding: cell[scan.place..<scan.place + 3], as: UTF8.self).lowercased()
            if weekdays.contains(word) {
                scan.place += 3
                scan.skipBlanks()
            }
        }
        guard let month = scan.month(), scan.skipBlanks() > 0, let day = scan.number(digits: 2) else { return nil }
        scan.skipBlanks()
        var year: Int?
        if time != nil {
            year = scan.number(digits: 4).flatMap { $0.digits == 4 ? $0.value : nil }
        } else {
            var next = scan
            if let number = next.number(digits: 4), number.digits == 4 {
                year = number.value
                scan = next
                scan.skipBlanks()
            }
            time = scan.timeOfDay(needsSeconds: false)
            if year == nil {
                scan.skipBlanks()
                year = scan.number(digits: 4).flatMap { $0.digits == 4 ? $0.value : nil }
            }
        }
        guard let year, let time, scan.isAtEnd else { return nil }
        return ((day.value, month, year), time)
    }

    private static let months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

    /// The number of a month called by its first three letters in English.
    mutating func month() -> Int? {
        guard place + 3 <= bytes.count else { return nil }
        let name = String(decoding: bytes[place..<place + 3], as: UTF8.self).lowercased()
        guard let index = Self.months.firstIndex(of: name) else { return nil }
        place += 3
        return index + 1
    }

    /// The next character, which is passed, where it is one of these.
    mutating func byte(of set: StaticString) -> UInt8? {
        guard let byte = next, set.withUTF8Buffer({ $0.contains(byte) }) else { return nil }
        place += 1
        return byte
    }

    mutating func byte(of wanted: UInt8) -> Bool {
        guard next == wanted else { return false }
        place += 1
        return true
    }

    @discardableResult mutating func skipBlanks() -> Int {
        let start = place
        while let byte = next, byte == 0x20 || byte == 0x2C && place == start { place += 1 }
        return place - start
    }

    /// `h:mm`, with seconds and their decimals or without, of twelve hours where `am` or `pm` follows.
    mutating func timeOfDay(needsSeconds: Bool) -> Seconds? {
        guard let hours = number(digits: 2), byte(of: 0x3A), let minutes = number(digits: 2), minutes.digits == 2,
            minutes.value < 60
        else { return nil }
        var seconds = 0.0
        var hasSeconds = false
        if byte(of: 0x3A) {
            guard let whole = number(digits: 2), whole.digits == 2, whole.value < 61 else { return nil }
            hasSeconds = true
            seconds = Double(whole.value)
            if byte(of: ".,:") != nil {
                guard let fraction = number(digits: 12) else { return nil }
                seconds += Double(fraction.value) / (0..<fraction.digits).reduce(1.0) { power, _ in power * 10 }
            }
        }
        skipBlanks()
        guard let half = byte(of: "AaPp") else {
            guard hasSeconds || !needsSeconds, hours.value < 24 else { return nil }
            return Double(hours.value * 3_600 + minutes.value * 60) + seconds
        }
        _ = byte(of: 0x2E)
        guard byte(of: "Mm") != nil, (1...12).contains(hours.value) else { return nil }
        _ = byte(of: 0x2E)
        let hour = hours.value % 12 + (half & 0xDF == UInt8(ascii: "P") ? 12 : 0)
        return Double(hour * 3_600 + minutes.value * 60) + seconds
    }
}
