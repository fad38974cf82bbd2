/// A length of time in seconds.
public typealias Seconds = Double

extension Seconds {
    /// Whether it can be a time in a recording: a number within 1e12 s, 32 000 years, of its start, where a double still
    /// tells 0.1 ms apart. Whatever is said of a time beyond is nonsense.
    public var isPlaceable: Bool { magnitude < 1e12 }
}

/// A moment: seconds since 1970-01-01T00:00:00 UTC (resolution better than 1 µs in this century).
public struct Timestamp: Hashable, Comparable, Codable, Sendable {
    /// Seconds since 1970-01-01T00:00:00 UTC, leap seconds not counted.
    public var secondsSince1970: Seconds

    /// The moment `secondsSince1970` seconds after 1970-01-01T00:00:00 UTC.
    public init(secondsSince1970: Seconds) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Whether `left` is the earlier moment.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// The moment `duration` seconds after `moment`.
    public static func + (moment: Timestamp, duration: Seconds) -> Timestamp {
        Timestamp(secondsSince1970: moment.secondsSince1970 + duration)
    }

    /// Seconds from `earlier` to `later`.
    public static func - (later: Timestamp, earlier: Timestamp) -> Seconds {
        later.secondsSince1970 - earlier.secondsSince1970
    }
}

extension Timestamp {
    /// The moment of a civil date and time in UTC (proleptic Gregorian calendar).
    public init(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Seconds = 0) {
        // Days from civil date: Howard Hinnant, "chrono-compatible low-level date algorithms", days_from_civil.
        let y = month <= 2 ? year - 1 : year
        let era = (y >= 0 ? y : y - 399) / 400
        let yearOfEra = y - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        self.init(secondsSince1970: Double(days * 86_400 + hour * 3_600 + minute * 60) + second)
    }

    /// Whether there is such a day (proleptic Gregorian calendar).
    public static func exists(year: Int, month: Int, day: Int) -> Bool {
        guard (1...12).contains(month), day >= 1 else { return false }
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let length =
            switch month {
            case 2: isLeapYear ? 29 : 28
            case 4, 6, 9, 11: 30
            default: 31
            }
        return day <= length
    }

    /// Civil date and time of day in UTC. A moment more than 2^53 s from 1970, where seconds cannot be told apart, has the
    /// date of the farthest that is not.
    public var civil: (year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Seconds) {
        let farthest = 0x1p53
        let seconds = max(-farthest, min(farthest, secondsSince1970))
        let days = Int((seconds / 86_400).rounded(.down))
        let ofDay = seconds - Double(days) * 86_400
        let z = days + 719_468
        let era = (z >= 0 ? z : z - 146_096) / 146_097
        let dayOfEra = z - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted + (shifted < 10 ? 3 : -9)
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let whole = Int(ofDay)
        return (year, month, day, whole / 3_600, whole / 60 % 60, ofDay - Double(whole / 60 * 60))
    }
}

extension Timestamp: CustomStringConvertible {
    /// ISO 8601 with milliseconds, such as `2026-03-01T12:30:05.250Z`; without the `Z` of UTC where no time zone is known.
    public func told(inUTC isUTC: Bool) -> String { isUTC ? description : String(description.dropLast()) }

    /// ISO 8601 in UTC with milliseconds, such as `2026-03-01T12:30:05.250Z`.
    public var description: String {
        let rounded = Timestamp(secondsSince1970: (secondsSince1970 * 1_000).rounded() / 1_000)
        let c = rounded.civil
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        let milliseconds = Int((c.second * 1_000).rounded())
        return "\(padded(c.year, 4))-\(padded(c.month, 2))-\(padded(c.day, 2))T\(padded(c.hour, 2)):"
            + "\(padded(c.minute, 2)):\(padded(milliseconds / 1_000, 2)).\(padded(milliseconds % 1_000, 3))Z"
    }
}
