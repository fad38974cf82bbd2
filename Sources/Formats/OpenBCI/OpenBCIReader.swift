public import Foundation
public import Signals

/// Reads text files that the OpenBCI GUI writes for its boards (Cyton, with a Daisy or without, Ganglion), of version 5 and
/// later and the older ones that have no row of names.
///
/// - **EXG channels** are EEG in µV, as the file says; **acceleration** is in g, **markers** are the cells of the marker
///   channel that are not 0. Where the accelerometer is switched off, the pins that are sent in its place are of kind `other`.
/// - **Time**: rows are a sample each at the rate that the file states. What the computer's clock says of a row is when its
///   packet arrived, late and in bursts.
/// - **Gaps**: the rows' sample numbers tell which samples were lost (`OpenBCICounter`), and arrivals tell losses of whole
///   rounds of them, and stops of the board, after which it numbers from 0 again (`OpenBCIArrivals`).
/// - The start is the computer's time at the first row.
public final class OpenBCIReader: RecordingReader {
    /// What the recording holds.
    public let header: RecordingHeader
    private let base: Delimited
    private var streams: LossyStreams
    private var acceleration: HeldAcceleration
    private let sampleRate: Double
    private var row = 0
    private var pending: [RecordingEvent] = []
    private var nextPending = 0
    /// Arrival rates further from the stated one are told.
    private static let farRate = 0.005

    /// Opens a file.
    /// - Throws: `FormatError` when it cannot be read, states no sample rate, or has no channels.
    public init(_ url: URL) throws {
        let input = try InputFile(url)
        let head = try input.read(at: 0, count: DelimitedDialect.headSize)
        var map = ColumnMap(delimiter: ",", decimalMark: ".", commentPrefix: "%")
        var dialect = try DelimitedDialect(head, isWhole: head.count == input.size, map: map, file: url)
        let described = try OpenBCIHeader(head, dialect, file: url)
        let hasHeader = !dialect.names.isEmpty
        let zeroRows = Self.zeroRows(described, dialect)
        if zeroRows > 0 {
            map.skipRows = dialect.firstLine - 1 + zeroRows
            map.hasHeader = false
            dialect = try DelimitedDialect(head, isWhole: head.count == input.size, map: map, file: url)
        }
        sampleRate = described.sampleRate
        let survey = try Survey(described, DelimitedLines(input, dialect), dialect)
        map.sampleRate = sampleRate
        map.hasHeader = zeroRows == 0 && hasHeader
        // Every column is found by its number: several are called the same.
        map.columns = described.columns.map { ColumnMap.MappedColumn(column: String($0.place + 1), kind: .other) }
        described.marker.map { map.columns?.append(.init(column: String($0 + 1), kind: .marker)) }
        base = try Delimited(url, map: map, splitsRates: false)
        var groups = KindGroups<LossyStreams.Source>(sampleRate: sampleRate, frameCount: survey.rowCount)
        for (place, column) in described.columns.enumerated() {
            groups.add(column.channel, kind: column.kind, reading: LossyStreams.Source(column: place))
        }
        streams = LossyStreams(groups.channels, runs: survey.runs, sampleRate: sampleRate)
        let axes = described.columns.indices.filter { described.columns[$0].kind == .acceleration }
        acceleration = HeldAcceleration(Array(axes), sampleRate: sampleRate)
        header = RecordingHeader(
            start: survey.start, duration: streams.onset(ofRow: survey.rowCount), streams: groups.streams,
            format: "OpenBCI",
            notes: Self.notes(described, survey, zeroRows: zeroRows) + (base.cutNote.map { [$0] } ?? []),
            hasTimeZone: survey.hasTimeZone)
    }

    /// Rows at the beginning in which all channels are 0, as the GUI writes them before the board's first sample; 0 where
    /// all are so.
    private static func zeroRows(_ described: OpenBCIHeader, _ dialect: DelimitedDialect) -> Int {
        let places = described.columns.map(\.place)
        let count = dialect.sample.prefix { row in
            places.allSatisfy { $0 < row.count && NumberParsing.double(row[$0]) == 0 }
        }.count
        return count < dialect.sample.count ? count : 0
    }

    private static func notes(_ described: OpenBCIHeader, _ survey: Survey, zeroRows: Int) -> [String] {
        var notes = ["EXG channels are read as EEG, which the file does not say; --as tells what else they are"]
        if zeroRows > 0 {
            notes.append(
                "\(zeroRows.counted("row")) of zeros before the board's first sample \(zeroRows == 1 ? "is" : "are") left out"
            )
        }
        if let counted = survey.countedLosses, counted.lost > 0 {
            notes.append("by the sample numbers \(counted.told("got lost"))")
        } else if survey.countedLosses == nil {
            notes.append("the sample numbers do not count: single lost samples are not told")
        }
        let others = survey.runs.lost - (survey.countedLosses?.lost ?? 0)
        if others > 0 {
            notes.append("by the times of arrival the board was silent for another \(others) samples")
        }
        if let rate = survey.arrivalRate, abs(rate / described.sampleRate - 1) > farRate {
            notes.append(
                "rows arrived at \(NumberFormatting.text((rate * 100).rounded() / 100)) Hz, the file states "
                    + "\(NumberFormatting.text(described.sampleRate)) Hz, which is taken")
        }
        if !described.leftOut.isEmpty {
            notes.append("left out: \(described.leftOut.joined(separator: ", ")); a column map (--columns) reads them")
        }
        return notes
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` naming the line whose cell is no number.
    public func next() throws -> RecordingEvent? {
        while nextPending == pending.count {
            pending.removeAll(keepingCapacity: true)
            nextPending = 0
            guard let event = try base.next() else { return nil }
            switch event {
            case .samples(_, let block):
                streams.take(acceleration.filled(block), firstRow: row, into: &pending)
                row += block.frameCount
            case .marker(var marker):
                marker.onset = streams.onset(ofRow: Int((marker.onset * sampleRate).rounded()))
                // All numbers of a row are written with decimals.
                NumberParsing.double(marker.label).map { marker.label = NumberFormatting.text($0) }
                pending.append(.marker(marker))
            default: break
            }
        }
        defer { nextPending += 1 }
        return pending[nextPending]
    }

    /// Whether a file begins with the comment that names the program.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool { head.starts(with: OpenBCIHeader.magic) }
}

extension OpenBCIReader {
    /// What a first look at all rows tells.
    private struct Survey {
        private(set) var rowCount = 0
        private(set) var start: Timestamp?
        let hasTimeZone: Bool
        /// All losses, and those that the sample numbers tell; nil where these do not count.
        private(set) var runs = SampleRuns()
        private(set) var countedLosses: SampleRuns?
        /// In Hz; nil where it is not told.
        private(set) var arrivalRate: Double?

        init(_ described: OpenBCIHeader, _ lines: DelimitedLines, _ dialect: DelimitedDialect) throws {
            var counter = OpenBCICounter()
            var arrivals = OpenBCIArrivals(sampleRate: described.sampleRate)
            let cell = described.time.flatMap { time in
                dialect.sample.first.flatMap { time < $0.count ? $0[time] : nil }
            }
            var stamps = DelimitedStamps(cell.map { [$0] } ?? [], mark: dialect.mark)
            hasTimeZone = stamps.hasZone
            let first = cell.flatMap { NumberParsing.double($0) } ?? 0
            let perSecond = first > 1e11 ? 1_000.0 : 1
            if first / perSecond > 5e8 { start = Plausible.moment(first / perSecond) }
            let wanted = [described.index, described.time].compactMap { $0 }.max() ?? 0
            while let line = try lines.next() {
                rowCount += 1
                var (number, time): (Int?, Seconds?)
                if var cells = DelimitedCells(line, delimiter: dialect.delimiter, mark: dialect.mark) {
                    for column in 0...wanted where !cells.isAtEnd {
                        switch column {
                        case described.index: number = cells.number().flatMap { Int(exactly: $0.double()) }
                        case described.time: time = stamps.time(cells.text()).map { $0 / perSecond }
                        default: cells.skip()
                        }
                    }
                }
                counter.take(number)
                arrivals.take(time)
            }
            let counted = counter.counted
            countedLosses = counted?.runs
            let numbered = counted?.runs ?? SampleRuns()
            runs = arrivals.completed(
                numbered, round: counted?.round, beginnings: counted?.beginnings ?? [])
            let drift = arrivals.drift(numbered)
            if drift != 0 { arrivalRate = described.sampleRate / (1 + drift) }
        }
    }
}
