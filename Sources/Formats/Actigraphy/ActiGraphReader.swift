public import Foundation
public import Signals

/// Reads raw acceleration that ActiLife exports as CSV (`…RAW.csv`, `…IMU.csv`): ten lines about the recording, of which the
/// first tells the rate, names of columns or none, and a row a sample.
///
/// Acceleration is in g, rotation in °/s, temperature in °C. Rows lie at the rate that is told, from the date and time in the
/// header on, which the recorder's clock read. Tables of counts are refused: they are no acceleration.
public final class ActiGraphReader: RecordingReader {
    /// What the recording holds.
    public let header: RecordingHeader
    private let base: Delimited

    /// Opens a file.
    /// - Throws: `FormatError` when it cannot be read or understood, or holds counts.
    public init(_ url: URL) throws {
        let lines = Self.lines(try InputFile(url).read(at: 0, count: DelimitedDialect.headSize))
        guard let rate = Self.rate(lines[0]) else {
            throw FormatError(
                url, at: "line 1", "holds counts of epochs, or does not tell a rate such as \"at 30 Hz\"",
                advice: "export raw data from ActiLife")
        }
        let end = (lines.dropFirst().firstIndex { $0.hasPrefix("-----") } ?? 0) + 1
        let names = end < lines.count ? lines[end].split(separator: ",").map { RRTextLines.trim($0) } : []
        let isNamed = names.contains { $0.contains(where: \.isLetter) }
        let columns = (isNamed || names.count != 3 ? names.map(String.init) : Self.axes)
            .enumerated().compactMap { Self.column($0.element, $0.offset) }
        guard !columns.isEmpty else {
            throw FormatError(
                url, at: "line \(end + 1)", "has no columns of acceleration, expected Accelerometer X and its like")
        }
        let map = ColumnMap(
            delimiter: ",", skipRows: end + (isNamed ? 1 : 0), sampleRate: rate, columns: columns, hasHeader: false)
        base = try Delimited(url, map: map, splitsRates: false)
        var header = base.header
        header.format = "ActiGraph"
        (header.start, header.hasTimeZone) = (Self.start(lines), false)
        self.header = header
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` naming the line whose cell is no number.
    public func next() throws -> RecordingEvent? { try base.next() }

    /// Whether a file begins with the line that ActiLife writes.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        lines(head.prefix(400))[0].contains("Data File Created By ActiGraph")
    }

    private static func lines(_ head: some Collection<UInt8>) -> [String] {
        String(decoding: head, as: UTF8.self).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .prefix(40).map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The rate in `… date format M/d/yyyy at 30 Hz  Filter Normal …`.
    private static func rate(_ line: String) -> Double? {
        let words = line.split(separator: " ")
        guard let place = words.firstIndex(of: "Hz"), place > 0, let rate = NumberParsing.double(words[place - 1]),
            Plausible.sampleRates.contains(rate)
        else { return nil }
        return rate
    }

    /// What the columns of a file without names are.
    private static let axes = ["X", "Y", "Z"].map { "Accelerometer " + $0 }

    private static func column(_ name: String, _ place: Int) -> ColumnMap.MappedColumn? {
        let (kind, unit): (StreamKind, String)
        switch name {
        case _ where name.hasPrefix("Accelerometer") || name.hasPrefix("Axis"): (kind, unit) = (.acceleration, "g")
        case _ where name.hasPrefix("Gyroscope"): (kind, unit) = (.gyroscope, "deg/s")
        case _ where name.hasPrefix("Temperature"): (kind, unit) = (.temperature, "°C")
        default: return nil
        }
        return .init(column: "\(place + 1)", kind: kind, unit: unit, label: name)
    }

    /// When the recording began, by `Start Time`, `Start Date` and the date format of the first line.
    private static func start(_ lines: [String]) -> Timestamp? {
        func told(_ name: String) -> [Int] {
            let line = lines.first { $0.hasPrefix(name) } ?? ""
            return line.dropFirst(name.count).split { !$0.isNumber }.compactMap { Int($0) }
        }
        let (clock, date) = (told("Start Time"), told("Start Date"))
        let form = lines[0].components(separatedBy: "date format ").last ?? ""
        guard clock.count == 3, date.count == 3, clock[0] < 24, clock[1] < 60, clock[2] < 60,
            let places = ["M": [2, 0, 1], "d": [2, 1, 0], "y": [0, 1, 2]][form.prefix(1)],
            (1_900...9_999).contains(date[places[0]]),
            Timestamp.exists(year: date[places[0]], month: date[places[1]], day: date[places[2]])
        else { return nil }
        return Timestamp(
            year: date[places[0]], month: date[places[1]], day: date[places[2]], hour: clock[0], minute: clock[1],
            second: Double(clock[2]))
    }
}
