public import Foundation
public import Signals

/// Reads CSV files of the Mind Monitor app for Muse headbands.
///
/// Rows of samples become streams: `eeg` (RAW columns, µV), `acceleration`, `gyroscope`, `bands` (the device's own band
/// powers, log10), `contact` (headband and electrode fit as the device codes it), `battery`. Slow values repeat on each
/// row until the next one came. Rows of events (blink, jaw clench, markers) become markers. Samples are evenly spaced
/// at the headband's rate within a run, since their time stamps are those of arrival; a pause of more than half a second
/// is a gap. Files recorded at intervals of a second or so have no raw EEG. Times are local, taken as UTC.
public final class MindMonitorReader: RecordingReader {
    /// What the recording holds.
    public let header: RecordingHeader
    private let columns: MindMonitorColumns
    private let starts: [SegmentStart]
    private let rowCounts: [Int]
    private let rows: MindMonitorRows
    private let origin: Seconds
    private var nextRun = 0
    private var rowsLeft = 0
    private var pending: [RecordingEvent] = []
    private var nextPending = 0
    private var isDone = false
    private static let rowsPerBlock = 2_048
    /// Rows from which the rate is told.
    private static let rowsForRate = 4_096

    /// Opens a file.
    /// - Throws: `FormatError` naming the line that cannot be understood.
    public init(_ url: URL) throws {
        let input = try InputFile(url)
        let head = try input.read(at: 0, count: DelimitedDialect.headSize)
        let dialect = try DelimitedDialect(
            head, isWhole: head.count == input.size, map: ColumnMap(delimiter: ","), file: url)
        var columns = try MindMonitorColumns(dialect.names, file: url)
        var notes = ["slow values repeat until the next one came"]
        let pace = try Self.pace(MindMonitorRows(input, dialect, columns))
        let isContinuous = pace >= 100
        if !isContinuous {
            columns.dropRawSignals()
            notes.append("the rows are \(Float(1 / pace)) s apart, so there is no raw EEG")
        }
        var timeline = MindMonitorTimeline(rate: isContinuous ? Self.nominal(pace) : pace)
        let survey = MindMonitorRows(input, dialect, columns)
        while let row = try survey.next() {
            guard row.isSample else { continue }
            guard timeline.push(row.time) else { throw FormatError(url, "has more pauses than rows of samples") }
        }
        guard let first = timeline.runs.first, !columns.streams.isEmpty else {
            throw FormatError(url, "has no rows of samples")
        }
        survey.cutNote.map { notes.append($0) }
        if timeline.runs.contains(where: { $0.reason == .clockReset }) { notes.append("the clock was set back") }
        origin = first.onset
        let counts = timeline.runs.map(\.rowCount)
        let begins = timeline.starts(origin: first.onset)
        rowCounts = counts
        starts = begins
        self.columns = columns
        rows = MindMonitorRows(input, dialect, columns)
        header = RecordingHeader(
            start: Plausible.moment(origin),
            duration: begins.last.map { $0.onset(ofOffset: counts.last ?? 0) },
            streams: columns.streams.map {
                StreamHeader(
                    name: $0.name, kind: $0.kind, channels: $0.channels, sampleRate: timeline.rate,
                    frameCount: counts.reduce(0, +))
            }, format: "Mind Monitor", notes: notes, hasTimeZone: false)
    }

    /// Whether a file begins with the header row of a Mind Monitor file.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        let line = String(decoding: head.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        let names = line.split(separator: ",")
        return names.first?.lowercased().hasSuffix("timestamp") == true
            && names.contains { ["RAW_TP9", "Delta_TP9", "RAW_AF7"].contains($0) }
    }

    /// Rows a second, from the first of them.
    private static func pace(_ rows: MindMonitorRows) throws -> Double {
        var times: [Seconds] = []
        while times.count < rowsForRate, let row = try rows.next() {
            if row.isSample { times.append(row.time) }
        }
        // The median over stretches, which a pause does not disturb.
        let reach = max(1, min(64, times.count / 4))
        let stretches = stride(from: reach, to: times.count, by: reach).map { times[$0] - times[$0 - reach] }
        let stretch = stretches.isEmpty ? 0 : stretches.upperMedian
        guard stretch > 0 else { throw FormatError(rows.file, "its times do not advance") }
        let pace = Double(reach) / stretch
        guard Plausible.sampleRates.contains(pace) else {
            throw FormatError(rows.file, "its rows are \(1 / pace) s apart, so there is no sample rate")
        }
        return pace
    }

    /// The headbands' rates: 256 Hz, 220 Hz the first model.
    private static func nominal(_ pace: Double) -> Double {
        [256.0, 220].first { abs(pace / $0 - 1) < 0.07 } ?? (abs(pace / 256 - 1) < 0.2 ? 256 : pace)
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` naming the line whose cell is no number.
    public func next() throws -> RecordingEvent? {
        while nextPending == pending.count {
            pending.removeAll(keepingCapacity: true)
            nextPending = 0
            guard !isDone else { return nil }
            try readBlock()
        }
        defer { nextPending += 1 }
        return pending[nextPending]
    }

    private func readBlock() throws {
        if rowsLeft == 0, nextRun < starts.count {
            for stream in columns.streams.indices { pending.append(.segment(stream: stream, start: starts[nextRun])) }
            rowsLeft = rowCounts[nextRun]
            nextRun += 1
        }
        let wanted = min(rowsLeft, Self.rowsPerBlock)
        var samples = columns.streams.map { [Float](repeating: .nan, count: $0.columns.count * wanted) }
        var taken = 0
        while taken < max(1, wanted) {
            guard let row = try rows.next(into: &samples, row: taken, of: wanted) else {
                isDone = true
                break
            }
            if let label = row.event {
                pending.append(.marker(Marker(onset: max(0, row.time - origin), label: label)))
            }
            if row.isSample { taken += 1 }
        }
        guard taken == wanted else {
            if taken < wanted { throw FormatError(rows.file, "became shorter while it was read") }
            return
        }
        guard wanted > 0 else { return }
        rowsLeft -= wanted
        for (stream, values) in samples.enumerated() {
            let block = SampleBlock(channelCount: columns.streams[stream].columns.count, samples: values)
            pending.append(.samples(stream: stream, block))
        }
    }
}
