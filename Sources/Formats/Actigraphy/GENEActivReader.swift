public import Foundation
public import Signals

/// Reads raw data of GENEActiv watches as CSV: lines about the recording, up to a hundred, then rows of a date, three axes in
/// g, light, the button and the temperature.
///
/// Rows lie at the rate that `Measurement Frequency` tells, from the first of them on, whose date the watch's clock read. A press
/// of the button is a marker.
public final class GENEActivReader: RecordingReader {
    /// What the recording holds.
    public let header: RecordingHeader
    private let base: Delimited

    /// Opens a file.
    /// - Throws: `FormatError` when it cannot be read or understood.
    public init(_ url: URL) throws {
        let lines = Self.lines(try InputFile(url).read(at: 0, count: DelimitedDialect.headSize))
        let told = lines.lazy.compactMap { line in
            line.hasPrefix("Measurement Frequency,") ? line.dropFirst(22).split(separator: " ").first : nil
        }
        guard let rate = told.first.flatMap({ NumberParsing.double($0) }), Plausible.sampleRates.contains(rate) else {
            throw FormatError(url, "does not tell its rate, expected a line \"Measurement Frequency,100 Hz\"")
        }
        guard let first = lines.firstIndex(where: { Self.moment($0) != nil && $0.split(separator: ",").count >= 4 })
        else {
            throw FormatError(
                url, "has no rows of acceleration, expected a date, three axes, light, button, temperature")
        }
        let kinds: [(label: String, kind: StreamKind, unit: String)] = [
            ("X", .acceleration, "g"), ("Y", .acceleration, "g"), ("Z", .acceleration, "g"), ("Light", .other, "lux"),
            ("Button", .marker, ""), ("Temperature", .temperature, "°C"),
        ]
        let count = lines[first].split(separator: ",", omittingEmptySubsequences: false).count
        let columns = kinds.prefix(count - 1).enumerated().map { place, told in
            ColumnMap.MappedColumn(column: "\(place + 2)", kind: told.kind, unit: told.unit, label: told.label)
        }
        base = try Delimited(
            url, map: ColumnMap(delimiter: ",", skipRows: first, sampleRate: rate, columns: columns, hasHeader: false),
            splitsRates: false)
        var header = base.header
        header.format = "GENEActiv"
        header.start = Self.moment(lines[first]).map(Timestamp.init(secondsSince1970:))
        header.hasTimeZone = false
        self.header = header
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` naming the line whose cell is no number.
    public func next() throws -> RecordingEvent? { try base.next() }

    /// Whether a file begins as the watch's software writes it.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        lines(head.prefix(400)).prefix(3).contains { $0.hasPrefix("Device Type,GENEActiv") }
    }

    private static func lines(_ head: some Collection<UInt8>) -> [Substring] {
        String(decoding: head, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .prefix(200).map { RRTextLines.trim($0) }
    }

    /// The date that a row begins with, whose milliseconds stand behind a colon: `2025-06-12 13:20:18:010`.
    private static func moment(_ line: Substring) -> Seconds? {
        let cell = line.prefix { $0 != "," }
        guard cell.count == 23 else { return ISODate.seconds(cell) }
        return ISODate.seconds(cell.prefix(19) + "." + cell.suffix(3))
    }
}
