public import Foundation
public import Signals

/// Reads text that ADInstruments' LabChart exported with its header.
///
/// - **Blocks**: each time that recording was started is a block of its own, with a header. Between two lies a gap as long as
///   their dates say (`ExcelDateTime`), or times that go on; where neither tells it is one of a sample and a half, with a note.
/// - **Time**: samples are evenly spaced at the interval that the header states; a column of times, and one of dates, is
///   passed over.
/// - **Streams**: channels of one kind, told from their titles and units; a unit that the user chose goes before that of the
///   range. A block whose range has another unit is converted.
/// - **Markers** are the comments, `#* …` of all channels and `#2 …` of one.
/// - The start is the clock of the computer that recorded, taken as UTC.
public final class LabChartReader: RecordingReader {
    /// What the recording holds.
    public let header: RecordingHeader
    private let file: URL
    private let blocks: [LabChartBlocks.Block]
    private let lines: DelimitedLines
    /// For each channel its stream and its place in it.
    private let places: [(stream: Int, place: Int)]
    private let channelCounts: [Int]
    private var block = 0
    private var rowsTaken = 0
    private var pending: [RecordingEvent] = []
    private var nextPending = 0
    private static let rowsPerPiece = 4_096

    /// Opens a file.
    /// - Throws: `FormatError` naming the line that cannot be right.
    public init(_ url: URL) throws {
        file = url
        let input = try InputFile(url)
        let survey = try Self.lines(input)
        let found = try LabChartBlocks(survey, file: url)
        blocks = found.blocks
        lines = try Self.lines(input)
        var groups = KindGroups<Int>(sampleRate: found.sampleRate, frameCount: found.rowCount)
        for (place, channel) in found.channels.enumerated() {
            let kind = SignalKind.kind(label: channel.label, transducer: "", unit: channel.unit)
            // A trigger is a voltage here, with noise of which each sample would be a marker.
            let meant = Channel(label: channel.label, unit: SignalKind.meant(channel.unit, by: kind))
            groups.add(meant, kind: kind == .marker ? .other : kind, reading: place)
        }
        var places = found.channels.map { _ in (stream: 0, place: 0) }
        for (stream, sources) in groups.channels.enumerated() {
            for (place, source) in sources.enumerated() { places[source] = (stream, place) }
        }
        self.places = places
        channelCounts = groups.channels.map(\.count)
        header = RecordingHeader(
            start: found.start, duration: found.duration, streams: groups.streams, format: "LabChart text",
            notes: found.notes + (survey.cutNote.map { [$0] } ?? []), hasTimeZone: false)
    }

    /// The lines of a file, with those of its headers.
    private static func lines(_ input: InputFile) throws -> DelimitedLines {
        let head = try input.read(at: 0, count: DelimitedDialect.headSize)
        let isWhole = head.count == input.size
        let heading = DelimitedDialect.lines(head, isWhole: isWhole, lineEnd: 0x0A).prefix { line in
            LabChartHeader.isPart(line.utf8) || RRTextLines.trim(line).isEmpty
        }
        let mark = heading.contains { $0.hasPrefix("Interval=") && $0.contains(",") } ? "," : "."
        var dialect = try DelimitedDialect(
            head, isWhole: isWhole,
            map: ColumnMap(
                delimiter: "\t", decimalMark: mark, skipRows: heading.count, commentPrefix: "", hasHeader: false),
            file: input.url)
        // Headers are lines as well, and rows are as long as they are without comments.
        dialect.firstLine = 1
        dialect.sample.removeAll { $0.first.map { LabChartHeader.isPart($0.utf8) } ?? true }
        dialect.columnCount = dialect.sample.first?.prefix { !$0.hasPrefix("#") }.count ?? 1
        dialect.fewestCells = dialect.columnCount
        return DelimitedLines(input, dialect)
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` naming line and column where a cell is no number, or a line has too few.
    public func next() throws -> RecordingEvent? {
        while nextPending == pending.count {
            pending.removeAll(keepingCapacity: true)
            nextPending = 0
            while block < blocks.count, rowsTaken == blocks[block].rowCount { (block, rowsTaken) = (block + 1, 0) }
            guard block < blocks.count else { return nil }
            try readPiece(blocks[block])
        }
        defer { nextPending += 1 }
        return pending[nextPending]
    }

    private func readPiece(_ block: LabChartBlocks.Block) throws {
        if rowsTaken == 0 {
            for stream in channelCounts.indices { pending.append(.segment(stream: stream, start: block.start)) }
        }
        let count = min(Self.rowsPerPiece, block.rowCount - rowsTaken)
        var samples = channelCounts.map { [Float](repeating: .nan, count: $0 * count) }
        var markers: [RecordingEvent] = []
        for frame in 0..<count {
            guard let line = try nextRow() else {
                throw FormatError(file, at: "line \(lines.number)", "became shorter while it was read")
            }
            do {
                let comments = try block.row.read(line) { channel, value in
                    let (stream, place) = places[channel]
                    let value = Float(value)
                    samples[stream][place * count + frame] = block.factors[channel].map { value * $0 } ?? value
                }
                let onset = block.start.onset(ofOffset: rowsTaken + frame)
                markers += comments.map { .marker(Marker(onset: onset, label: $0)) }
            } catch .tooFew(let cells) {
                throw FormatError(
                    file, at: "line \(lines.number)",
                    "has \(cells) cells, expected \(block.row.leading + block.row.channelCount)")
            } catch .noNumber(let column, let text) {
                throw FormatError(
                    file, at: "line \(lines.number), column \(column)", "found \"\(text)\", expected a number")
            }
        }
        for (stream, values) in samples.enumerated() {
            pending.append(.samples(stream: stream, SampleBlock(channelCount: channelCounts[stream], samples: values)))
        }
        pending += markers
        rowsTaken += count
    }

    private func nextRow() throws -> UnsafeBufferPointer<UInt8>? {
        while let line = try lines.next() {
            if !LabChartHeader.isPart(line) { return line }
        }
        return nil
    }

    /// Whether a file begins with such a header.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool { LabChartHeader.recognizes(head) }
}
