import Foundation
import Signals

/// Dates with a time as ISO 8601 writes them.
enum ISODate {
    /// Seconds since 1970 of `YYYY-MM-DD[T ]hh:mm[:ss[.fff]][Z|±hh[[:]mm]| UTC]`, with strokes or a decimal comma, too, and
    /// `[Europe/Paris]` behind the zone or a blank before it; UTC where no zone is given; nil for anything else.
    static func seconds(_ text: Substring) -> Seconds? {
        var text = text
        return text.withUTF8 { seconds($0) }
    }

    /// Whether a date that `seconds` reads ends with a time zone.
    static func hasZone(_ text: Substring) -> Bool {
        seconds(text) != nil && text.utf8.dropFirst(16).contains { "Z+-U".utf8.contains($0) || $0 == 0x47 }
    }

    /// Seconds that the local time of a date is ahead of UTC; nil where it has no zone, or UTC by name, which says nothing of
    /// where it was written.
    static func utcOffset(_ text: Substring) -> Seconds? {
        guard let moment = seconds(text), hasZone(text),
            let zone = text.dropFirst(16).firstIndex(where: { $0 == "+" || $0 == "-" }),
            let local = seconds(Substring(text[..<zone].trimmingCharacters(in: .whitespaces)))
        else { return nil }
        return local - moment
    }

    static func seconds(_ bytes: UnsafeBufferPointer<UInt8>) -> Seconds? {
        guard bytes.count >= 16, bytes[4] == 0x2D || bytes[4] == 0x2F, bytes[7] == bytes[4],
            bytes[10] == 0x54 || bytes[10] == 0x20, bytes[13] == 0x3A,
            let year = number(bytes, 0, 4), let month = number(bytes, 5, 2), let day = number(bytes, 8, 2),
            let hour = number(bytes, 11, 2), let minute = number(bytes, 14, 2),
            Timestamp.exists(year: year, month: month, day: day), hour < 24 || hour == 24 && minute == 0, minute < 60
        else { return nil }
        var place = 16
        var second = 0.0
        if place < bytes.count, bytes[place] == 0x3A {
            let start = place + 1
            place = start
            while place < bytes.count, isOfNumber(bytes[place]) { place += 1 }
            let mark: UInt8 = bytes[start..<place].contains(0x2C) ? 0x2C : 0x2E
            guard let value = NumberParsing.double(UnsafeBufferPointer(rebasing: bytes[start..<place]), mark: mark),
                value < 61
            else { return nil }
            second = value
        }
        // `2021-03-05 10:11:12 +0100`.
        if place + 1 < bytes.count, bytes[place] == 0x20, bytes[place + 1] == 0x2B || bytes[place + 1] == 0x2D {
            place += 1
        }
        guard let zone = zone(bytes, place) else { return nil }
        let local = Timestamp(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
        return Plausible.moment(local.secondsSince1970 - zone)?.secondsSince1970
    }

    private static func isOfNumber(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 || byte == 0x2E || byte == 0x2C }

    /// The number of `count` digits from `place` on; nil where other characters stand there.
    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int, _ count: Int) -> Int? {
        guard place + count <= bytes.count else { return nil }
        var value = 0
        for byte in bytes[place..<place + count] {
            guard byte &- 0x30 < 10 else { return nil }
            value = value * 10 + Int(byte &- 0x30)
        }
        return value
    }

    /// Seconds east of UTC, of all that stands from `place` on.
    private static func zone(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Seconds? {
        guard place < bytes.count else { return 0 }
        if bytes[place] == 0x5A { return isEnd(bytes, place + 1) ? 0 : nil }
        // `2021-03-05 10:11:12 UTC`.
        let name = bytes[place...].drop { $0 == 0x20 }
        if name.elementsEqual("UTC".utf8) || name.elementsEqual("GMT".utf8) { return 0 }
        guard bytes[place] == 0x2B || bytes[place] == 0x2D, let hours = number(bytes, place + 1, 2), hours < 24 else {
            return nil
        }
        var (end, minutes) = (place + 3, 0)
        if end < bytes.count {
            let start = bytes[end] == 0x3A ? end + 1 : end
            guard let read = number(bytes, start, 2) else { return nil }
            (end, minutes) = (start + 2, read)
        }
        guard isEnd(bytes, end), minutes < 60 else { return nil }
        let zone = Double(hours * 3_600 + minutes * 60)
        return bytes[place] == 0x2D ? -zone : zone
    }

    /// Whether nothing follows, or the zone's name in brackets.
    private static func isEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        let rest = bytes[place...].drop { $0 == 0x20 }
        return place == bytes.count || rest.first == 0x5B && rest.last == 0x5D
    }
}
