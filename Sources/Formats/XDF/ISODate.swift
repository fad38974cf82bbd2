import Signals

/// Dates as ISO 8601 writes them.
enum ISODate {
    /// `2026-03-01T12:30:05.25+0100` and the like; without an offset it is taken as UTC. nil when it is no date.
    static func timestamp(_ text: String) -> Timestamp? {
        let bytes = Array(text.utf8)
        guard bytes.count >= 19, bytes[4] == 0x2D, bytes[7] == 0x2D, bytes[10] == 0x54 || bytes[10] == 0x20,
            bytes[13] == 0x3A, bytes[16] == 0x3A
        else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            guard range.upperBound <= bytes.count, bytes[range].allSatisfy({ (0x30...0x39).contains($0) }) else {
                return nil
            }
            return bytes[range].reduce(0) { $0 * 10 + Int($1) - 0x30 }
        }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            Timestamp.exists(year: year, month: month, day: day), hour < 24, minute < 60, second < 61
        else { return nil }
        var place = 19
        var fraction = 0.0
        if place < bytes.count, bytes[place] == 0x2E || bytes[place] == 0x2C {
            let digits = bytes[(place + 1)...].prefix { (0x30...0x39).contains($0) }
            guard !digits.isEmpty, let value = Double("0." + String(decoding: digits, as: UTF8.self)) else {
                return nil
            }
            fraction = value
            place += 1 + digits.count
        }
        let zone = bytes[place...].filter { $0 != 0x3A }
        guard let offset = offset(Array(zone)) else { return nil }
        let civil = Timestamp(year: year, month: month, day: day, hour: hour, minute: minute, second: Double(second))
        return Plausible.moment(civil.secondsSince1970 + (fraction - Double(offset) * 60))
    }

    /// Minutes east of UTC.
    private static func offset(_ zone: [UInt8]) -> Int? {
        if zone.isEmpty || zone == [0x5A] { return 0 }
        guard zone[0] == 0x2B || zone[0] == 0x2D, zone.count == 5 || zone.count == 3,
            let value = Int(String(decoding: zone[1...], as: UTF8.self))
        else { return nil }
        let minutes = zone.count == 5 ? value / 100 * 60 + value % 100 : value * 60
        return zone[0] == 0x2B ? minutes : -minutes
    }
}
