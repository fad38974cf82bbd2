import Foundation
import Signals

/// Reads the times of a delimited text file.
enum DelimitedTime {
    /// Whether a cell is a date with a time, or a time of day.
    static func isMoment(_ cell: Substring) -> Bool {
        ISODate.seconds(cell) != nil || timeOfDay(cell) != nil || CivilTime(cell) != nil
    }

    /// Seconds since midnight of `hh:mm:ss[.fff]`, or of a time as `CivilTime` reads it; nil for anything else.
    static func timeOfDay(_ text: Substring) -> Seconds? {
        var text = text
        return text.withUTF8 { timeOfDay($0) }
    }

    static func timeOfDay(_ bytes: UnsafeBufferPointer<UInt8>) -> Seconds? {
        plainTimeOfDay(bytes) ?? CivilTime.timeOfDay(bytes)
    }

    private static func plainTimeOfDay(_ bytes: UnsafeBufferPointer<UInt8>) -> Seconds? {
        guard bytes.count >= 8, bytes[2] == 0x3A, bytes[5] == 0x3A else { return nil }
        func number(_ place: Int) -> Double? {
            let (tens, ones) = (bytes[place] &- 0x30, bytes[place + 1] &- 0x30)
            return tens < 10 && ones < 10 ? Double(tens) * 10 + Double(ones) : nil
        }
        guard let hours = number(0), let minutes = number(3), number(6) != nil, hours < 24, minutes < 60,
            bytes[6...].allSatisfy({ $0 &- 0x30 < 10 || $0 == 0x2E }),
            let seconds = NumberParsing.double(UnsafeBufferPointer(rebasing: bytes[6...])), seconds < 61
        else { return nil }
        return hours * 3_600 + minutes * 60 + seconds
    }

    /// Whether a header is that of a time column.
    static func isTime(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter }
        let bare = RRTextLines.trim(name.lowercased().prefix { $0 != "(" && $0 != "[" })
        return words.contains { timeWords.contains(String($0)) }
            || ["t", "s", "sec", "seconds", "ms", "milliseconds", "minutes", "hours", "elapsed"].contains(bare)
    }

    /// True if a header is that of a column of dates.
    static func isDate(_ name: String) -> Bool {
        !Set(words(name)).isDisjoint(with: ["date", "datum", "fecha", "data", "dates"]) && words(name).count <= 2
            && name.lowercased() != "data"
    }

    /// The date in a cell that holds a date alone, or one with the midnight that spreadsheets put behind it; nil for
    /// anything else.
    static func date(_ cell: Substring) -> Substring? {
        if isDateAndTime(cell + " 00:00:00") { return cell }
        guard isDateAndTime(cell), let end = cell.firstIndex(where: { $0 == " " || $0 == "T" }) else { return nil }
        let rest = cell[end...].dropFirst()
        return rest.hasPrefix("00:00") && rest.allSatisfy { "0:.".contains($0) } ? cell[..<end] : nil
    }

    private static func isDateAndTime(_ cell: Substring) -> Bool {
        ISODate.seconds(cell) != nil || CivilTime(cell) != nil
    }

    private static let timeWords: Set<String> = [
        "time", "times", "timestamp", "timestamps", "datetime", "timer", "zeit", "zeitstempel", "uhrzeit", "temps",
        "tiempo", "ts",
    ]

    /// Whether numbers are obviously readings of a clock that counts since 1970, whatever they are called: as large as
    /// those of this century, and rising by no more than a minute at once.
    static func areReadings(_ values: [Double]) -> Bool {
        guard let first = values.first, let last = values.last, let unit = unit(first: first, spacing: .nan),
            unit.countsSince1970, first / unit.perSecond > 946_684_800, last > first
        else { return false }
        return zip(values.dropFirst(), values).allSatisfy { (0...60).contains(($0 - $1) / unit.perSecond) }
    }

    /// What a time column's header or unit row says of its unit.
    enum Statement: Hashable {
        case unit(ColumnMap.TimeUnit)
        /// A fraction of a second, as in `s/256`.
        case fraction(perSecond: Double)
        /// A unit is stated, but it is none of time that is known.
        case unknown(String)
        case nothing
    }

    /// The unit that a time column states: in the row of units, in brackets, or as a word of its header.
    static func stated(name: String, unit: String) -> Statement {
        let texts = [unit, bracketed(name) ?? ""]
        for text in texts {
            if let perSecond = fraction(text) { return .fraction(perSecond: perSecond) }
            if let known = units[text.lowercased()] ?? words(text).lazy.compactMap(inWords).first {
                return .unit(known)
            }
        }
        if let known = words(name).reversed().lazy.compactMap(inWords).first { return .unit(known) }
        return texts.first { !words($0).allSatisfy(references.contains) }.map { .unknown($0) } ?? .nothing
    }

    /// The number of units in a second, of a unit such as `s/256`, `1/256 s` or `1/1024 sec`; nil for others.
    private static func fraction(_ text: String) -> Double? {
        let plain = text.lowercased().filter { $0 != " " }
        let parts = plain.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let isSecond = ["s", "sec", "1s", "second"].contains(String(parts[0]))
        let number = isSecond ? parts[1] : parts[0] == "1" ? parts[1].prefix { $0.isNumber || $0 == "." } : ""
        guard isSecond || ["s", "sec", "second"].contains(String(parts[1].dropFirst(number.count))),
            let value = NumberParsing.double(number), value > 1, value <= 1e9
        else { return nil }
        return value
    }

    /// The unit that a word among others means; one letter may mean something else, as in `24h`, but for the second.
    private static func inWords(_ word: String) -> ColumnMap.TimeUnit? {
        word == "s" || word.count > 1 ? units[word] : nil
    }

    /// The unit of time that is called so: `ms`, `msec`, `milliSec`, `minutes`; nil for what is none.
    static func unit(called name: String) -> ColumnMap.TimeUnit? { units[name.lowercased()] }

    /// Whether a header says that its times are of UTC.
    static func isUTC(_ name: String) -> Bool { !Set(words(name)).isDisjoint(with: ["utc", "gmt"]) }

    /// What stands in the last brackets of a header.
    static func bracketed(_ name: String) -> String? {
        guard let close = name.lastIndex(where: { $0 == "]" || $0 == ")" }),
            let open = name[..<close].lastIndex(where: { $0 == "[" || $0 == "(" })
        else { return nil }
        return String(name[name.index(after: open)..<close])
    }

    private static func words(_ text: String) -> [String] { text.lowercased().split { !$0.isLetter }.map(String.init) }

    private static let units: [String: ColumnMap.TimeUnit] = {
        let spellings: [(ColumnMap.TimeUnit, [String])] = [
            (.seconds, ["s", "sec", "secs", "second", "seconds"]),
            (.milliseconds, ["ms", "msec", "msecs", "millis", "arduino", "millisecond", "milliseconds", "millisec"]),
            (.microseconds, ["us", "µs", "μs", "usec", "usecs", "microsecond", "microseconds"]),
            (.nanoseconds, ["ns", "nsec", "nanosecond", "nanoseconds"]),
            (.minutes, ["min", "mins", "minute", "minutes"]), (.hours, ["h", "hr", "hrs", "hour", "hours"]),
            (.days, ["d", "days"]),
        ]
        return Dictionary(uniqueKeysWithValues: spellings.flatMap { unit, names in names.map { ($0, unit) } })
    }()

    /// What brackets say of a time besides its unit: the clock it is read from, the moment it is counted from.
    private static let references: Set<String> = [
        "utc", "gmt", "local", "unix", "posix", "epoch", "lsl", "iso", "relative", "elapsed", "absolute", "since",
        "from",
        "start", "clock", "system", "device", "host", "time", "timestamp", "cal", "raw", "no", "units", "nounits",
    ]

    /// When it was so many days after 1899-12-30, from which spreadsheets count, or after the year 0, as MATLAB does; nil
    /// where it can be neither, between 1970 and 2118.
    static func moment(days: Double) -> Timestamp? {
        [25_569.0, 719_529].first { (0...daysTo2118).contains(days - $0) }
            .map { Timestamp(secondsSince1970: ((days - $0) * 86_400e6).rounded() / 1e6) }
    }

    private static let daysTo2118 = 54_056.0
    /// Steps of slow tables, in seconds. As days they are those of no usual converter's seconds.
    private static let usualSteps = [5.0, 10, 15, 20, 30, 60]

    /// The unit that the numbers themselves suggest: clock readings since 1970 by their size, days as spreadsheets and
    /// MATLAB count them where seconds would be samples of more than 20 kHz, others by their usual spacing; nil where they
    /// could be of one unit as well as another.
    static func unit(first: Double, spacing: Double) -> ColumnMap.TimeUnit? {
        switch first {
        case 5e8..<5e9: return .seconds
        case 5e11..<5e12: return .milliseconds
        case 5e14..<5e15: return .microseconds
        case 5e17..<5e18: return .nanoseconds
        default: break
        }
        if moment(days: first) != nil {
            if spacing < 1 / 20_000.0 { return .days }
            if usualSteps.contains(where: { abs(spacing * 86_400 / $0 - 1) < 1e-3 }) { return nil }
        }
        if spacing <= 0.5 { return .seconds }
        return (5...500).contains(spacing) ? .milliseconds : nil
    }
}
