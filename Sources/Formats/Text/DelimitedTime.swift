import Foundation
import Signals

/// Reads the times of a delimited text file.
enum DelimitedTime {
    /// Seconds since 1970 of `YYYY-MM-DD[T ]hh:mm[:ss[.fff]][Z|±hh[:mm]]`; UTC where no zone is given; nil for
    /// anything else.
    static func iso8601(_ text: Substring) -> Seconds? {
        var text = text
        return text.withUTF8 { iso8601($0) }
    }

    static func iso8601(_ bytes: UnsafeBufferPointer<UInt8>) -> Seconds? {
        guard bytes.count >= 16, bytes[4] == 0x2D || bytes[4] == 0x2F, bytes[7] == bytes[4],
            bytes[10] == 0x54 || bytes[10] == 0x20, bytes[13] == 0x3A
        else { return nil }
        func digits(_ from: Int, _ count: Int) -> Int? {
            guard from + count <= bytes.count else { return nil }
            var value = 0
            for byte in bytes[from..<from + count] {
                guard byte &- 0x30 < 10 else { return nil }
                value = value * 10 + Int(byte &- 0x30)
            }
            return value
        }
        guard let year = digits(0, 4), let month = digits(5, 2), let day = digits(8, 2), let hour = digits(11, 2),
            let minute = digits(14, 2), (1...12).contains(month), (1...31).contains(day), hour < 25, minute < 60
        else { return nil }
        var position = 16
        var second = 0.0
        if position < bytes.count, bytes[position] == 0x3A {
            let start = position + 1
            position = start
            while position < bytes.count, bytes[position] &- 0x30 < 10 || bytes[position] == 0x2E { position += 1 }
            guard let value = NumberParsing.double(UnsafeBufferPointer(rebasing: bytes[start..<position])), value < 61
            else { return nil }
            second = value
        }
        guard let zone = zone(bytes, position, digits) else { return nil }
        return Timestamp(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
            .secondsSince1970 - zone
    }

    /// Seconds east of UTC.
    private static func zone(
        _ bytes: UnsafeBufferPointer<UInt8>, _ position: Int, _ digits: (Int, Int) -> Int?
    ) -> Seconds? {
        guard position < bytes.count else { return 0 }
        if bytes[position] == 0x5A { return position + 1 == bytes.count ? 0 : nil }
        guard bytes[position] == 0x2B || bytes[position] == 0x2D, let hours = digits(position + 1, 2), hours < 24
        else { return nil }
        let hasColon = position + 3 < bytes.count && bytes[position + 3] == 0x3A
        let minutes = bytes.count > position + 3 ? digits(position + (hasColon ? 4 : 3), 2) : 0
        guard let minutes else { return nil }
        let zone = Double(hours * 3600 + minutes * 60)
        return bytes[position] == 0x2D ? -zone : zone
    }

    /// Whether a header is that of a time column.
    static func isTime(_ name: String) -> Bool {
        let words = name.lowercased().split { !$0.isLetter }
        let bare = RRTextLines.trim(name.lowercased().prefix { $0 != "(" && $0 != "[" })
        return words.contains { ["time", "times", "timestamp", "timestamps", "datetime", "timer"].contains($0) }
            || ["t", "s", "sec", "seconds", "ms", "milliseconds", "elapsed"].contains(bare)
    }

    /// The unit that a time column's header or unit row states.
    static func unit(name: String, unit: String) -> ColumnMap.TimeUnit? {
        func named(_ text: String) -> ColumnMap.TimeUnit? {
            switch text.lowercased() {
            case "s", "sec", "secs", "second", "seconds": .seconds
            case "ms", "msec", "millis", "millisecond", "milliseconds": .milliseconds
            case "us", "µs", "μs", "usec", "microsecond", "microseconds": .microseconds
            case "ns", "nanosecond", "nanoseconds": .nanoseconds
            default: nil
            }
        }
        if let stated = named(unit) { return stated }
        return name.split { !$0.isLetter }.reversed().lazy.compactMap { named(String($0)) }.first
    }

    /// The unit that the numbers themselves suggest: clock readings since 1970 by their size, others by their usual
    /// spacing; nil where they could be seconds as well as milliseconds.
    static func unit(first: Double, spacing: Double) -> ColumnMap.TimeUnit? {
        switch first {
        case 5e8..<5e9: return .seconds
        case 5e11..<5e12: return .milliseconds
        case 5e14..<5e15: return .microseconds
        case 5e17..<5e18: return .nanoseconds
        default: break
        }
        if spacing <= 0.5 { return .seconds }
        return (5...500).contains(spacing) ? .milliseconds : nil
    }
}
