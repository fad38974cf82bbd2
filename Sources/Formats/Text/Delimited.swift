public import Foundation
public import Signals

/// Reads recordings from delimited text: columns of samples, with or without a header and a time column.
///
/// The file is read piece by piece, so its size does not matter; with a time column it is gone through once more
/// beforehand to find the runs. What is found out, and how:
/// - **Delimiter**: a tab, `;`, `,` or blanks, in this order; a line `sep=;` decides. **Decimal comma** where the
///   delimiter is no comma and the numbers have no full stop.
/// - **Header**: the line above the first numbers, where it has as many cells; two such lines are names and units.
///   Comment lines `# Sampling Rate (Hz):= 1000`, `# Labels:=` and `# Units:=` are understood.
/// - **Time**: a column called time, timestamp or the like; without headers a first column of dates or of small even
///   steps. Its unit is taken from the header, where an unknown one is an error, else from the size of the numbers (clock
///   readings since 1970) or their spacing: up to 0.5 are seconds, 5 to 500 milliseconds, anything else must be told.
/// - **Gaps** lie where two times are more than 1.5 sample periods apart (and more than the times' own rounding and their
///   usual jitter) and those after them do not catch up; within a run the rate is measured from its first and last time.
///   The first times decide the period.
/// - **Clocks** without a date that began long before the file did, so that its first time is more than it lasts: time 0
///   is the first sample, and a note tells what the clock read then.
/// - **A last line that is cut off**, as a program leaves it that was stopped while it wrote, is left out with a note: one
///   without an end that has too few cells, or a last cell unlike those above it.
/// - **Rates**: columns that hold a value in one of so many rows all through the file are a stream of that rate.
/// - **Missing** cells (empty, `NaN`, `n/a`, `NA`, `null`) are NaN. Columns of text are left out with a note.
/// - **Markers** are read from columns that a map calls markers: where a cell holds a number other than 0, or text, and
///   the cell above holds another or none. They are called what is written there; a number that a column begins with and
///   holds is no event. Without a map so are columns called marker, event, annotation, trigger, cue, stim or label, which
///   stay signals where they hold numbers, and columns of text that are empty in most rows; a note tells which.
public final class Delimited: RecordingReader {
    /// What the file holds.
    public let header: RecordingHeader
    /// What is to be said of a last line that is cut off; nil where none is.
    let cutNote: String?
    private let dialect: DelimitedDialect
    private let columns: DelimitedColumns
    private let timeline: DelimitedTimeline
    private let lines: DelimitedLines
    private let file: URL
    /// For each column its place among all channels of all streams; -1 where it is not read; -2, -3 ... for markers.
    private let targets: [Int]
    // Kept apart from the dialect, whose copying would cost a reference count for each line.
    private let delimiter: UInt8
    private let mark: UInt8
    private let fewestCells: Int
    private let channelCount: Int
    private let rowsPerBlock: Int
    private let values: UnsafeMutablePointer<Float>
    private var pending: [RecordingEvent] = []
    private var nextPending = 0
    private var nextRun = 0
    private var rowsLeft = 0
    private var start = SegmentStart(onset: 0, sample: 0, sampleRate: 1)
    /// For each stream its samples on an even grid, in a run whose rate stays off for seconds.
    private var paced: [PacedResampler]?
    private var sampleCount = 0
    private var markerColumns: [MarkerColumn]
    private let markerNames: [String]
    /// For each stream where its values stand among the rows.
    private var sparse: [DelimitedSparse]
    /// For each of them its place among all channels; -1 where it is no signal.
    private let markerTargets: [Int]
    private var markers: [RecordingEvent] = []

    /// Whether the first bytes of a file are lines of numbers in columns.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool {
        let map = ColumnMap()
        guard let dialect = try? DelimitedDialect(head, isWhole: head.count < 4096, map: map, file: url) else {
            return false
        }
        return (try? DelimitedColumns(dialect, map, url)) != nil
    }

    /// Opens a file, finding out what its columns are.
    /// - Throws: `FormatError` when it cannot be read or understood.
    public convenience init(_ url: URL) throws {
        try self.init(url, map: ColumnMap())
    }

    /// Opens a file whose columns `map` describes.
    /// - Throws: `FormatError` when it cannot be read or understood, or has no such columns.
    public convenience init(_ url: URL, map: ColumnMap, rowsPerBlock: Int = 4096) throws {
        try self.init(url, map: map, rowsPerBlock: rowsPerBlock, isClocked: false, splitsRates: true)
    }

    /// Opens a file whose columns `map` describes.
    /// - Parameters:
    ///   - isClocked: whether its times are known to be those of a clock, which began before the file.
    ///   - splitsRates: whether columns with values in one of so many rows are streams of their own.
    init(_ url: URL, map: ColumnMap, rowsPerBlock: Int = 4096, isClocked: Bool = false, splitsRates: Bool) throws {
        let input = try InputFile(url)
        file = url
        dialect = try DelimitedDialect(of: input, map: map)
        var columns = try DelimitedColumns(dialect, map, url, input: input)
        let once = DelimitedLines(input, dialect)
        if let time = columns.time {
            timeline = try DelimitedTimeline(
                once, dialect, column: time.column, date: columns.date, unit: time.unit, isClocked: isClocked,
                splitsPaces: splitsRates, file: url)
        } else {
            guard let rate = dialect.sampleRate else {
                throw Self.withoutTime(url, dialect)
            }
            timeline = DelimitedTimeline(rowCount: try Self.count(once), sampleRate: rate)
        }
        let finder = DelimitedColumnFinder(dialect: dialect, file: url)
        if splitsRates {
            var rates = DelimitedRates(columns, dialect)
            try rates.check(DelimitedLines(input, dialect), dialect, timeline.runs)
            rates.apply(to: &columns, finder)
        }
        self.columns = columns
        sparse = columns.streams.map { DelimitedSparse(stride: $0.stride) }
        lines = DelimitedLines(input, dialect)
        var targets = Array(repeating: -1, count: dialect.columnCount)
        var channel = 0
        for stream in columns.streams {
            for column in stream.columns {
                targets[column] = channel
                channel += 1
            }
        }
        markerTargets = columns.markers.map { [targets] in targets[$0] }
        for (place, column) in columns.markers.enumerated() { targets[column] = -2 - place }
        self.targets = targets
        markerNames = columns.markers.map(finder.name)
        markerColumns = columns.markers.map { [dialect] column in
            let first = dialect.sample.prefix(2).map { column < $0.count ? $0[column] : "" }
            return MarkerColumn(beginning: first, mark: dialect.mark)
        }
        delimiter = dialect.delimiter
        mark = dialect.mark
        fewestCells = dialect.fewestCells
        channelCount = channel
        self.rowsPerBlock = max(1, min(rowsPerBlock, (1 << 22) / max(1, channel)))
        values = .allocate(capacity: self.rowsPerBlock * max(1, channel))
        cutNote = once.cutNote
        header = Self.header(columns, timeline, cutNote)
    }

    deinit {
        values.deallocate()
    }

    /// Why the values of a file have no times. A single column may have been meant for RR intervals.
    private static func withoutTime(_ url: URL, _ dialect: DelimitedDialect) -> FormatError {
        var advice =
            "give the sample rate (--text-rate, or a comment before the values such as \"# sample rate: 250\"), or say "
            + "in a column map which column holds the times (--columns)"
        if dialect.columnCount == 1 {
            do {
                _ = try RRText.read(url)
                let name = url.deletingPathExtension().lastPathComponent
                advice += "; if they are RR intervals, rename the file to \(name).rr"
            } catch let error as FormatError {
                advice += "; it cannot be read as RR intervals either: " + (error.place.map { "\($0): " } ?? "")
                advice += error.problem
            } catch {}
        }
        return FormatError(url, "has no time column and no sample rate", advice: advice)
    }

    private static func count(_ lines: DelimitedLines) throws -> Int {
        var count = 0
        while try lines.next() != nil { count += 1 }
        return count
    }

    private static func header(
        _ columns: DelimitedColumns, _ timeline: DelimitedTimeline, _ cutNote: String?
    ) -> RecordingHeader {
        let rows = timeline.runs.reduce(0) { $0 + $1.sampleCount }
        let rate = timeline.runs.max { $0.rowCount < $1.rowCount }.map { timeline.rate($0) } ?? timeline.sampleRate
        return RecordingHeader(
            start: timeline.start, duration: timeline.end,
            streams: columns.streams.enumerated().map { place, stream in
                let earlier = columns.streams[..<place].count { $0.kind == stream.kind }
                return StreamHeader(
                    name: stream.kind.rawValue + (earlier > 0 ? "\(earlier + 1)" : ""), kind: stream.kind,
                    channels: stream.channels, sampleRate: rate / Double(stream.stride),
                    frameCount: stream.stride == 1 ? rows : nil)
            }, format: "text", notes: columns.notes + timeline.notes + (cutNote.map { [$0] } ?? []),
            hasTimeZone: timeline.hasTimeZone)
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` naming line and column where a cell is no number, or a line has too few or too many.
    public func next() throws -> RecordingEvent? {
        while nextPending == pending.count {
            pending.removeAll(keepingCapacity: true)
            nextPending = 0
            if rowsLeft == 0 {
                guard nextRun < timeline.runs.count else { return nil }
                begin(timeline.runs[nextRun])
            } else {
                try readBlock()
            }
        }
        defer { nextPending += 1 }
        return pending[nextPending]
    }

    private func begin(_ run: DelimitedTimeline.Run) {
        var gap: Gap?
        if nextRun > 0 {
            let before = timeline.runs[nextRun - 1]
            let end = before.last + 1 / timeline.rate(before)
            gap = Gap(onset: end, duration: max(0, run.first - end), reason: .fileGap)
        }
        start = SegmentStart(onset: run.first, sample: sampleCount, sampleRate: timeline.rate(run), gap: gap)
        sampleCount += run.sampleCount
        for (stream, described) in columns.streams.enumerated() {
            if described.stride == 1 { pending.append(.segment(stream: stream, start: start)) }
            sparse[stream].beginRun()
        }
        paced = run.paced.map { paced in
            columns.streams.map {
                PacedResampler(rate: paced.gridRate / Double($0.stride), channelCount: $0.columns.count)
            }
        }
        rowsLeft = run.rowCount
        nextRun += 1
    }

    private func readBlock() throws {
        let wanted = min(rowsLeft, rowsPerBlock)
        let firstRow = timeline.runs[nextRun - 1].rowCount - rowsLeft
        for row in 0..<wanted {
            guard let line = try lines.next() else {
                throw FormatError(file, at: "line \(lines.number)", "became shorter while it was read")
            }
            try parse(line, row, offset: firstRow + row)
        }
        rowsLeft -= wanted
        if paced != nil {
            resample(rows: wanted, from: firstRow)
            pending += markers
            markers.removeAll(keepingCapacity: true)
            return
        }
        var channel = 0
        for (index, stream) in columns.streams.enumerated() {
            let count = stream.columns.count
            defer { channel += count }
            guard stream.stride == 1 else {
                sparse[index].take(
                    rows: wanted, offset: firstRow, channelCount: count, run: start, stream: index, into: &pending
                ) { values[(channel + $0) * rowsPerBlock + $1] }
                continue
            }
            let samples = [Float](unsafeUninitializedCapacity: count * wanted) { buffer, filled in
                filled = count * wanted
                guard let base = buffer.baseAddress else { return }
                for place in 0..<count {
                    (base + place * wanted).update(from: values + (channel + place) * rowsPerBlock, count: wanted)
                }
            }
            pending.append(.samples(stream: index, SampleBlock(channelCount: count, samples: samples)))
        }
        pending += markers
        markers.removeAll(keepingCapacity: true)
    }

    /// Places the rows of a block by their times.
    private func resample(rows: Int, from firstRow: Int) {
        let run = timeline.runs[nextRun - 1]
        var first = 0
        for (index, stream) in columns.streams.enumerated() {
            let count = stream.columns.count
            defer { first += count }
            guard var resampler = paced?[index] else { return }
            var samples = [[Float]](repeating: [], count: count)
            let begins = resampler.onset == nil
            for row in 0..<rows {
                let cells = (0..<count).map { values[(first + $0) * rowsPerBlock + row] }
                guard stream.stride == 1 || cells.contains(where: { !$0.isNaN }),
                    let time = run.pacedTime(ofRow: firstRow + row)
                else { continue }
                resampler.take(time, cells, into: &samples)
            }
            paced?[index] = resampler
            guard !samples[0].isEmpty else { continue }
            if begins, stream.stride > 1, let onset = resampler.onset {
                pending.append(
                    .segment(stream: index, start: sparse[index].begin(at: onset, run: start, resampler.rate)))
            }
            if stream.stride > 1 { sparse[index].count(samples[0].count, rate: resampler.rate) }
            pending.append(
                .samples(stream: index, SampleBlock(channelCount: count, samples: samples.flatMap { $0 })))
        }
    }

    /// Takes a line's cells.
    /// - Parameters:
    ///   - row: its place in the block.
    ///   - offset: its place in the run.
    private func parse(_ line: UnsafeBufferPointer<UInt8>, _ row: Int, offset: Int) throws {
        guard var cells = DelimitedCells(line, delimiter: delimiter, mark: mark) else { return }
        let columnCount = targets.count
        for column in 0..<columnCount {
            guard !cells.isAtEnd || column >= fewestCells else {
                throw FormatError(file, at: "line \(lines.number)", "has \(column) cells, expected \(columnCount)")
            }
            let target = targets[column]
            if target == -1 {
                cells.skip()
            } else if target < 0 {
                let cell = cells.text()
                if var label = markerColumns[-2 - target].label(cell, mark: mark) {
                    // Numbers of several columns are told apart by the columns' names.
                    if markerColumns.count > 1, DelimitedCells.value(cell, mark: mark) != nil {
                        label = markerNames[-2 - target] + " " + label
                    }
                    let onset = timeline.runs[nextRun - 1].pacedTime(ofRow: offset) ?? start.onset(ofOffset: offset)
                    markers.append(.marker(Marker(onset: onset, label: label)))
                }
                let channel = markerTargets[-2 - target]
                if channel >= 0 {
                    let number = DelimitedCells.value(cell, mark: mark)
                    values[channel &* rowsPerBlock &+ row] = Float(number ?? .nan)
                }
            } else if let number = cells.number() {
                values[target &* rowsPerBlock &+ row] = number.float()
            } else {
                values[target &* rowsPerBlock &+ row] = try missing(&cells, column)
            }
        }
        while !cells.isAtEnd {
            guard cells.text().isEmpty else {
                throw FormatError(file, at: "line \(lines.number)", "has more than \(columnCount) cells")
            }
        }
    }

    private func missing(_ cells: inout DelimitedCells, _ column: Int) throws -> Float {
        let cell = cells.text()
        guard let value = DelimitedCells.value(cell, mark: mark) else {
            let name = DelimitedColumnFinder(dialect: dialect, file: file).name(column)
            let found = String(decoding: cell.prefix(40), as: UTF8.self)
            throw FormatError(
                file, at: "line \(lines.number), column \(name)", "found \"\(found)\", expected a number",
                advice: DelimitedColumns.adviceOnText)
        }
        return Float(value)
    }
}
