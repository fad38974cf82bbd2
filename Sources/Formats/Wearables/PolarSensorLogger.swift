public import Foundation
public import Signals

/// Reads text files of the Polar Sensor Logger app, `;` between cells: sensor samples with the sensor's own clock, heart
/// rates, and RR intervals.
///
/// Samples are timed by the sensor's clock, which arrival does not disturb; the recording's start is the phone's time
/// of the first row, taken as UTC. RR intervals are chained, since several come with one packet; where their arrival is
/// more than 3 s later than that, beats were lost and a break is told.
public final class PolarSensorLogger: RecordingReader {
    /// What the file holds.
    public let header: RecordingHeader
    private let base: any RecordingReader

    /// Opens a file.
    /// - Throws: `FormatError` when it cannot be read or understood.
    public init(_ url: URL) throws {
        let head = try InputFile(url).read(at: 0, count: DelimitedDialect.headSize)
        let names = Self.names(head)
        if names.contains(where: { $0.hasPrefix("sensor timestamp") }), !names.contains(where: Self.isBeatColumn) {
            base = try Self.samples(url, names)
        } else {
            base = try PolarValues(url, names)
        }
        var header = base.header
        header.start = Self.start(head) ?? header.start
        header.hasTimeZone = false
        header.format = "Polar Sensor Logger"
        self.header = header
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` naming the line whose cell is no number.
    public func next() throws -> RecordingEvent? { try base.next() }

    /// Whether a file begins with the header row of one of the app's files.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        let names = names(head)
        return names.count > 1 && names[0] == "phone timestamp"
    }

    private static func isBeatColumn(_ name: String) -> Bool {
        name.hasPrefix("hr [") || name.hasPrefix("rr-interval") || name.hasPrefix("pp-interval")
    }

    /// The headers in lower case.
    private static func names(_ head: [UInt8]) -> [String] {
        String(decoding: head.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self).lowercased()
            .split(separator: ";", omittingEmptySubsequences: false).map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The phone's time in the first row.
    private static func start(_ head: [UInt8]) -> Timestamp? {
        let lines = head.split(separator: 0x0A)
        guard lines.count > 1 else { return nil }
        let cell = String(decoding: lines[1].prefix { $0 != 0x3B }, as: UTF8.self)
        return ISODate.seconds(cell[...]).map { Timestamp(secondsSince1970: $0) }
    }

    private static func samples(_ url: URL, _ names: [String]) throws -> any RecordingReader {
        let ignored: Set = ["phone timestamp", "timestamp [ms]", ""]
        let columns = names.filter { !ignored.contains($0) && !$0.hasPrefix("sensor timestamp") }.map { name in
            switch name {
            case "x [dps]", "y [dps]", "z [dps]":
                ColumnMap.MappedColumn(
                    column: name, kind: .gyroscope, unit: "deg/s", label: String(name.prefix(1)))
            case "x [g]", "y [g]", "z [g]":
                // Gauss: an accelerometer's are in mg.
                ColumnMap.MappedColumn(column: name, kind: .other, unit: "G", label: String(name.prefix(1)))
            case _ where name.hasPrefix("channel ") || name == "ambient":
                ColumnMap.MappedColumn(column: name, kind: name == "ambient" ? .other : .bvp)
            default: ColumnMap.MappedColumn(column: name)
            }
        }
        let time = names.first { $0.hasPrefix("sensor timestamp") } ?? "sensor timestamp [ns]"
        return try Delimited(
            url,
            map: ColumnMap(
                delimiter: ";", time: ColumnMap.TimeColumn(column: time, unit: .nanoseconds), columns: columns))
    }
}
