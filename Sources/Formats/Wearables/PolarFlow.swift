public import Foundation
public import Signals

/// Reads training sessions exported from Polar Flow as CSV: two rows about the session, a header row beginning with
/// `Sample rate,Time,HR (bpm)`, and a row a second. The heart rate is a stream; its start is local time, taken as UTC.
public final class PolarFlow: RecordingReader {
    /// What the file holds.
    public let header: RecordingHeader
    private var pending: [RecordingEvent]
    private static let largest = 64 << 20

    /// Opens a file.
    /// - Throws: `FormatError` when it cannot be read or understood.
    public init(_ url: URL) throws {
        let input = try InputFile(url)
        guard input.size <= Self.largest else { throw FormatError(url, "is too large for a training session") }
        let lines = try String(decoding: input.read(at: 0, count: input.size), as: UTF8.self)
            .split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .map { $0.split(separator: ",", omittingEmptySubsequences: false).map { RRTextLines.trim($0) } }
        guard let titles = lines.firstIndex(where: { $0.first == "Sample rate" }), titles + 1 < lines.count,
            let column = lines[titles].firstIndex(where: { $0.hasPrefix("HR (") })
        else { throw FormatError(url, "has no row \"Sample rate,Time,HR (bpm)\" with samples below it") }
        let interval = NumberParsing.double(lines[titles + 1].first ?? "") ?? 1
        guard interval <= 3_600, Plausible.sampleRates.contains(1 / interval) else {
            throw FormatError(url, at: "line \(titles + 2)", "has a sample every \(interval) s")
        }
        var rates: [Float] = []
        var notes: [String] = []
        for (index, cells) in lines.enumerated().dropFirst(titles + 1) where cells.count > 1 {
            if index == lines.count - 1, Self.cut(lines, titles).holds(cells) {
                notes.append(CutOffLine.note(line: index + 1))
                break
            }
            let cell = column < cells.count ? cells[column] : ""
            guard let value = cell.isEmpty ? .nan : NumberParsing.double(cell) else {
                throw FormatError(url, at: "line \(index + 1)", "found \"\(cell.prefix(40))\", expected a heart rate")
            }
            rates.append(value > 0 ? Float(value) : .nan)
        }
        let stream = StreamHeader(
            name: "heartRate", kind: .heartRate, channels: [Channel(label: "HR", unit: .beatsPerMinute)],
            sampleRate: 1 / interval, frameCount: rates.count)
        header = RecordingHeader(
            start: Self.start(lines), duration: Double(rates.count) * interval, streams: [stream],
            format: "Polar Flow", notes: notes, hasTimeZone: false)
        guard !rates.isEmpty else {
            pending = []
            return
        }
        pending = [
            .samples(stream: 0, SampleBlock(rates)),
            .segment(stream: 0, start: SegmentStart(onset: 0, sample: 0, sampleRate: 1 / interval)),
        ]
    }

    /// How a line that is cut off differs from the rows above it.
    private static func cut(_ lines: [[Substring]], _ titles: Int) -> CutOffLine {
        let count = lines[titles].count
        let last = lines[(titles + 1)...].dropLast().filter { $0.count == count }.compactMap(\.last)
        return CutOffLine(columnCount: count, fewestCells: count, lastCells: last, mark: UInt8(ascii: "."))
    }

    /// The next piece; nil at the end.
    public func next() -> RecordingEvent? { pending.popLast() }

    /// Whether a file begins with the rows of a session.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        String(decoding: head.prefix(40), as: UTF8.self).hasPrefix("Name,Sport,Date,Start time,Duration")
    }

    /// `Date` as `DD-MM-YYYY` and `Start time` as `hh:mm:ss` in the rows about the session.
    private static func start(_ lines: [[Substring]]) -> Timestamp? {
        guard lines.count > 1, let date = lines[0].firstIndex(of: "Date"),
            let time = lines[0].firstIndex(of: "Start time"), max(date, time) < lines[1].count
        else { return nil }
        let day = lines[1][date].split(separator: "-").compactMap { Int($0) }
        let clock = lines[1][time].split(separator: ":").compactMap { Int($0) }
        guard day.count == 3, clock.count == 3, (1_900...9_999).contains(day[2]),
            Timestamp.exists(year: day[2], month: day[1], day: day[0]), (0...23).contains(clock[0]),
            (0...59).contains(clock[1]),
            (0...60).contains(clock[2])
        else { return nil }
        return Timestamp(
            year: day[2], month: day[1], day: day[0], hour: clock[0], minute: clock[1], second: Double(clock[2]))
    }
}
