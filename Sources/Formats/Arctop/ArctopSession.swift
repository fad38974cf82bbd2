public import Foundation
public import Signals

/// Reads the CSV files of a finished Arctop session: a folder of them, or one. Each column of values is an irregular
/// stream of its own.
///
/// A file is known by the metric its name ends with (`… Focus.csv`, `… Heart Rate.csv`). Its first column is the time,
/// in milliseconds or seconds since 1970 by its size; a row of headers names the others. −1, `NaN` and empty cells are
/// missing. Metrics stay on the scale of the file, which does not say which one it is. `… Tags.csv` gives markers.
public final class ArctopSession: RecordingReader {
    /// What the session holds.
    public let header: RecordingHeader
    private var pending: [RecordingEvent]
    private static let blockLength = 4_096
    private static let largest = 256 << 20

    /// Metrics whose files are read, as file names end, the longest first.
    private static let metrics = [
        "cognitive workload", "auditory attention", "visual attention", "heart rate", "avg motion", "cognition",
        "enjoyment", "stress", "blinks", "blink", "focus", "sleep", "flow", "zone", "tags",
    ]

    private struct Series {
        var header: StreamHeader
        var values: [TimedValue] = []
    }

    /// Reads a session.
    /// - Throws: `FormatError` when a file cannot be read, or a cell is no number.
    public init(_ url: URL) throws {
        var series: [Series] = []
        var tags: [(time: Seconds, label: String)] = []
        var notes = ["metrics are on the scale of the file, which does not say whether it is 0…1 or 0…100"]
        for file in try Self.files(of: url) {
            guard let metric = Self.metric(file) else { continue }
            let table = try ArctopTable(file, largest: Self.largest)
            table.cutNote.map { notes.append("\(file.lastPathComponent): \($0)") }
            if metric == "tags" {
                tags += table.rows.map { ($0.time, $0.cells.first { !$0.isEmpty } ?? "tag") }
            } else {
                series += try Self.series(metric, table)
            }
        }
        guard !series.isEmpty || !tags.isEmpty else {
            throw FormatError(url, "has no file of an Arctop session with rows in it")
        }
        let times = series.compactMap { $0.values.first?.onset } + tags.map(\.time)
        let start = times.min() ?? 0
        let moment = start > 1e8 ? Plausible.moment(start) : nil
        let origin = moment?.secondsSince1970 ?? 0
        let end = (series.compactMap { $0.values.last?.onset } + tags.map(\.time)).max() ?? start
        if series.contains(where: { $0.header.kind == .heartRate }) {
            notes.append("a heart rate of 120 bpm may stand for more: Arctop's values end there")
        }
        header = RecordingHeader(
            start: moment, duration: end - origin,
            streams: series.map(\.header), format: "Arctop session", notes: notes)
        pending = Self.events(series, tags, origin: origin)
    }

    /// The next piece; nil at the end.
    public func next() -> RecordingEvent? { pending.popLast() }

    private static func events(
        _ series: [Series], _ tags: [(time: Seconds, label: String)], origin: Seconds
    ) -> [RecordingEvent] {
        var events: [RecordingEvent] = []
        for (index, one) in series.enumerated() {
            for first in stride(from: 0, to: one.values.count, by: blockLength) {
                let block = one.values[first..<min(first + blockLength, one.values.count)]
                events.append(
                    .values(stream: index, block.map { TimedValue(onset: $0.onset - origin, values: $0.values) }))
            }
        }
        for tag in tags.sorted(by: { $0.time < $1.time }) {
            events.append(.marker(Marker(onset: tag.time - origin, label: tag.label)))
        }
        return events.reversed()
    }

    private static func series(_ metric: String, _ table: ArctopTable) throws -> [Series] {
        let count = table.columnCount
        var series = (0..<count).map { column in
            let name = count == 1 && metric != "heart rate" ? metric : table.name(column) ?? metric
            return Series(header: header(name, metric: metric, isFirst: column == 0))
        }
        for row in table.rows {
            for column in 0..<min(count, row.cells.count) {
                let cell = row.cells[column]
                let isMissing = cell.isEmpty || ["n/a", "null"].contains(cell.lowercased())
                guard let number = isMissing ? .nan : NumberParsing.double(cell), !number.isInfinite else {
                    throw FormatError(
                        table.file, at: "line \(row.line)", "found \"\(cell.prefix(40))\", expected a number")
                }
                // −1 says that nothing could be decoded.
                let value = number == -1 ? .nan : number
                series[column].values.append(TimedValue(onset: row.time, values: [value]))
            }
        }
        return series.map { one in
            var one = one
            one.header.frameCount = one.values.count
            one.values.sort { $0.onset < $1.onset }
            return one
        }
    }

    private static func header(_ name: String, metric: String, isFirst: Bool) -> StreamHeader {
        let words = name.lowercased()
        let isVariability = words.contains("hrv") || words.contains("variability")
        let isRate = metric == "heart rate" && isFirst && !isVariability
        let channel = Channel(
            label: name, unit: isRate ? .beatsPerMinute : (isVariability ? .milliseconds : .dimensionless))
        return StreamHeader(
            name: isRate ? "heartRate" : (isVariability ? "hrv" : camelCase(name)), kind: isRate ? .heartRate : .other,
            channels: [channel], sampleRate: 0)
    }

    private static func camelCase(_ name: String) -> String {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        guard let first = words.first else { return name }
        return ([String(first)] + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }).joined()
    }

    /// The metric that a file's name ends with.
    static func metric(_ url: URL) -> String? {
        guard url.pathExtension.lowercased() == "csv" else { return nil }
        let name = String(
            url.deletingPathExtension().lastPathComponent.lowercased().map { $0 == "_" || $0 == "-" ? " " : $0 })
        return metrics.first { name.hasSuffix($0) || name.hasSuffix($0.filter { $0 != " " }) }
    }

    /// The files of a session, by name.
    /// - Throws: `FormatError` when a folder cannot be listed.
    public static func files(of url: URL) throws -> [URL] {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory), isDirectory.boolValue else {
            return [url]
        }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            throw FormatError(url, "is a folder that cannot be listed")
        }
        return names.sorted().map { url.appendingPathComponent($0) }.filter { metric($0) != nil }
    }

    /// Whether a folder has files of a session, or a file that begins with `head` is one: called as one, its first
    /// column clock readings.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        if !head.isEmpty { return metric(url) != nil && ArctopTable.isTable(head) }
        guard let files = try? files(of: url), files != [url] else { return false }
        return files.contains { file in
            guard let start = try? InputFile(file).read(at: 0, count: 1 << 12) else { return false }
            return ArctopTable.isTable(start)
        }
    }
}

/// One CSV file of a session: times, and the cells beside them.
struct ArctopTable {
    struct Row {
        var time: Seconds
        var cells: [String]
        var line: Int
    }

    let file: URL
    private(set) var names: [String] = []
    private(set) var rows: [Row] = []
    /// What is to be said of a last line that is cut off; nil where none is.
    private(set) var cutNote: String?

    init(_ url: URL, largest: Int) throws {
        file = url
        let input = try InputFile(url)
        guard input.size <= largest else { throw FormatError(url, "is too large for an Arctop session") }
        let bytes = try input.read(at: 0, count: input.size)
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        var number = 0
        for line in lines {
            number += 1
            let cells = Self.cells(line)
            if number == lines.count, number > 1, !line.isEmpty, cut.holds(cells.map { $0[...] }) {
                cutNote = CutOffLine.note(line: number)
                continue
            }
            guard let first = cells.first, !(cells.count == 1 && first.isEmpty) else { continue }
            guard let time = NumberParsing.double(first).map(Self.seconds), time.isPlaceable else {
                if rows.isEmpty, names.isEmpty {
                    names = cells
                    continue
                }
                throw FormatError(url, at: "line \(number)", "found \"\(first.prefix(40))\", expected a time")
            }
            rows.append(Row(time: time, cells: Array(cells.dropFirst()), line: number))
        }
    }

    /// How a line that is cut off differs from the rows above it.
    private var cut: CutOffLine {
        let width = 1 + columnCount
        return CutOffLine(
            columnCount: width, fewestCells: width,
            lastCells: rows.lazy.filter { 1 + $0.cells.count == width }.compactMap { $0.cells.last?[...] },
            mark: UInt8(ascii: "."))
    }

    /// Columns beside the time.
    var columnCount: Int { max(names.count - 1, names.isEmpty ? rows.first?.cells.count ?? 0 : 0) }

    func name(_ column: Int) -> String? {
        names.indices.contains(column + 1) && !names[column + 1].isEmpty ? names[column + 1] : nil
    }

    /// Whether the first bytes of a file are a table whose first column are clock readings.
    static func isTable(_ head: [UInt8]) -> Bool {
        for line in head.split(separator: 0x0A).prefix(2) {
            let cells = cells(line)
            guard cells.count > 1 else { return false }
            if let time = NumberParsing.double(cells[0]) { return (5e8..<5e9).contains(seconds(time)) }
        }
        return false
    }

    /// Readings of this size are milliseconds.
    private static func seconds(_ time: Double) -> Seconds { abs(time) > 1e11 ? time / 1_000 : time }

    /// The cells of a line. Where there is a semicolon outside quotes it stands between them, and commas are of numbers: so
    /// spreadsheets save tables where these have decimal commas. A doubled quotation mark within quotes is one.
    private static func cells(_ line: ArraySlice<UInt8>) -> [String] {
        var line = line
        if line.last == 0x0D { line.removeLast() }
        if line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
        let (quote, comma, semicolon) = (UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"))
        func isOutside(_ wanted: UInt8) -> Bool {
            var isQuoted = false
            return line.contains { byte in
                if byte == quote { isQuoted.toggle() }
                return byte == wanted && !isQuoted
            }
        }
        let hasSemicolons = isOutside(semicolon)
        let separator = hasSemicolons ? semicolon : comma
        var cells: [String] = []
        var cell: [UInt8] = []
        var (isQuoted, wasQuote) = (false, false)
        for byte in line {
            defer { wasQuote = byte == quote && !isQuoted }
            if byte == quote {
                if wasQuote { cell.append(byte) }
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                cells.append(text(cell, isDecimal: hasSemicolons))
                cell = []
            } else {
                cell.append(byte)
            }
        }
        return cells + [text(cell, isDecimal: hasSemicolons)]
    }

    /// - Parameter isDecimal: whether the comma of a number stands before its decimals.
    private static func text(_ cell: [UInt8], isDecimal: Bool) -> String {
        let text = String(decoding: cell, as: UTF8.self).trimmingCharacters(in: .whitespaces)
        guard isDecimal, text.contains(","), let number = NumberParsing.double(text, mark: UInt8(ascii: ",")) else {
            return text
        }
        return "\(number)"
    }
}
