import Foundation
import Signals

/// Writes the time-stamped annotation lists of data records and spreads markers over them.
struct EDFAnnotationWriting {
    /// Bytes of annotations per data record.
    private(set) var byteCount: Int
    /// For each record that has any, the lists it carries besides its own start.
    private var lists: [Int: [UInt8]] = [:]

    /// - Parameters:
    ///   - events: onset and duration in seconds after the header's start, and text; sorted by onset.
    ///   - multiple: what the bytes of annotations in a record are a multiple of.
    ///   - onset: when a data record starts, in seconds after the header's start.
    init(
        _ events: [(onset: Seconds, duration: Seconds, text: String)], records: Int, multiple: Int,
        onset: (Int) -> Seconds
    ) {
        let encoded = events.map { Self.list($0.onset, $0.duration, $0.text) }
        let longest = encoded.map(\.count).max() ?? 0
        let total = encoded.reduce(0) { $0 + $1.count }
        let own = Self.start(onset(records - 1)).count + 8
        byteCount = max(own + longest, own + (total + records - 1) / max(1, records))
        byteCount += (multiple - byteCount % multiple) % multiple
        // Records fill up in order of time; what does not fit goes into a later one, and if none is left, more room is
        // made in all.
        while !distribute(events.map(\.onset), encoded, records, onset, room: byteCount - own) {
            byteCount += max(64, byteCount / 4) / multiple * multiple
        }
    }

    private mutating func distribute(
        _ onsets: [Seconds], _ encoded: [[UInt8]], _ records: Int, _ onset: (Int) -> Seconds, room: Int
    ) -> Bool {
        lists = [:]
        var record = 0
        var used = 0
        for (index, list) in encoded.enumerated() {
            while record + 1 < records, onset(record + 1) <= onsets[index] || used + list.count > room {
                record += 1
                used = 0
            }
            guard used + list.count <= room else { return false }
            lists[record, default: []] += list
            used += list.count
        }
        return true
    }

    /// The annotation signal of a data record that starts at `onset`.
    func bytes(ofRecord record: Int, onset: Seconds) -> [UInt8] {
        let bytes = Self.start(onset) + (lists[record] ?? [])
        return bytes + [UInt8](repeating: 0, count: max(0, byteCount - bytes.count))
    }

    private static func start(_ onset: Seconds) -> [UInt8] {
        Array(number(onset, sign: true).utf8) + [0x14, 0x14, 0]
    }

    private static func list(_ onset: Seconds, _ duration: Seconds, _ text: String) -> [UInt8] {
        var bytes = Array(number(onset, sign: true).utf8)
        if duration > 0, duration.isFinite { bytes += [0x15] + Array(number(duration, sign: false).utf8) }
        // These three bytes mean something in a list.
        let plain = text.utf8.map { $0 == 0x14 || $0 == 0x15 || $0 == 0 ? 0x20 : $0 }
        return bytes + [0x14] + plain + [0x14, 0]
    }

    /// The last whole second that can be a time.
    private static let farthest = 999_999_999_999.0

    /// Seconds to 100 ns, without needless zeros.
    private static func number(_ value: Seconds, sign: Bool) -> String {
        let limited = value.isFinite ? max(-Self.farthest, min(Self.farthest, value)) : 0
        let ticks = UInt64((limited.magnitude * 1e7).rounded())
        var text = (limited < 0 && ticks > 0 ? "-" : sign ? "+" : "") + String(ticks / 10_000_000)
        if ticks % 10_000_000 > 0 {
            var fraction = String(ticks % 10_000_000)
            fraction = String(repeating: "0", count: 7 - fraction.count) + fraction
            while fraction.hasSuffix("0") { fraction.removeLast() }
            text += "." + fraction
        }
        return text
    }
}
