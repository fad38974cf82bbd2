import Foundation
import Signals

/// The markers of a BrainVision marker file (`.vmrk`): places in the samples, some of which begin a new segment.
struct BrainVisionMarkers {
    struct Mark {
        var type: String
        var description: String
        /// The first frame, 0-based.
        var frame: Int
        /// Frames it lasts.
        var size: Int
        /// The channel it belongs to, 0-based; nil for all.
        var channel: Int?
        var date: Timestamp?

        var isNewSegment: Bool { type.lowercased() == "new segment" }
        /// Type and description, as Stimulus/S  1.
        var label: String { description.isEmpty ? type : "\(type)/\(description)" }
    }

    private(set) var marks: [Mark] = []

    init() {}

    /// - Throws: `FormatError` naming the line that cannot be understood.
    init(reading url: URL) throws {
        let text = try BrainVisionText(reading: url, title: "marker file")
        for entry in text.sections["marker infos"] ?? [] {
            guard entry.key.lowercased().hasPrefix("mk") else { continue }
            let fields = BrainVisionText.fields(entry.value)
            func whole(_ index: Int) -> Int? {
                guard index < fields.count, !fields[index].isEmpty else { return 0 }
                return NumberParsing.integer(fields[index]).flatMap { (0...(1 << 48)).contains($0) ? $0 : nil }
            }
            guard fields.count >= 3, let position = whole(2), let size = whole(3), let channel = whole(4) else {
                throw FormatError(
                    url, at: "line \(entry.line)",
                    "found \"\(entry.value.prefix(60))\", expected type, description, position, size, channel")
            }
            marks.append(
                Mark(
                    type: fields[0], description: fields[1], frame: max(0, position - 1), size: size,
                    channel: channel > 0 ? channel - 1 : nil, date: fields.count > 5 ? Self.date(fields[5]) : nil))
        }
        marks.sort { $0.frame < $1.frame }
    }

    /// `YYYYMMDDhhmmssuuuuuu`, taken as UTC; nil for zeros and anything else.
    static func date(_ text: String) -> Timestamp? {
        let digits = text.utf8.map { Int($0) - 0x30 }
        guard digits.count == 20, digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
        func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
        let (year, month, day) = (number(0..<4), number(4..<6), number(6..<8))
        let (hour, minute, second) = (number(8..<10), number(10..<12), number(12..<14))
        guard year > 0, Timestamp.exists(year: year, month: month, day: day), hour < 24, minute < 60, second < 61
        else { return nil }
        return Timestamp(
            year: year, month: month, day: day, hour: hour, minute: minute,
            second: Double(second) + Double(number(14..<20)) / 1e6)
    }
}
