public import Foundation
public import Signals

/// Reads text files of OpenSignals, the program of BITalino, biosignalsplux and RespiBAN: a header that describes the
/// devices, and rows of sequence numbers, digital inputs and the converters' counts.
///
/// - **Values** are converted by the transfer functions of the maker's datasheets (`OpenSignalsSensor`) where sensor,
///   device and bits are known; ECG and EMG to mV, EEG to µV, EDA to µS, temperature to °C, acceleration to g by its nominal
///   calibration, respiration to per cent of the range. Others stay counts and have no unit.
/// - **Gaps**: rows are a sample each, and sequence numbers tell which samples were lost on their way. A BITalino counts to
///   15, so that a loss of 16 or a multiple cannot be told.
/// - **Digital inputs** (`I1`, `I2`, `DI`) give a marker where one leaves the level it had at the beginning.
/// - **Several devices** in one file are streams of their own, each with its own losses.
/// - The start is the clock of the computer that recorded, taken as UTC.
public final class OpenSignalsReader: RecordingReader {
    /// What the recording holds.
    public let header: RecordingHeader
    private let base: Delimited
    private var devices: [OpenSignalsDevice]
    private var row = 0
    private var pending: [RecordingEvent] = []
    private var nextPending = 0

    /// Opens a file.
    /// - Throws: `FormatError` when it cannot be read, its header cannot be right, or a row has no sequence number that can
    ///   follow the one before it.
    public init(_ url: URL) throws {
        let input = try InputFile(url)
        let head = try input.read(at: 0, count: DelimitedDialect.headSize)
        let layout = ColumnMap(delimiter: "\t", decimalMark: ".", hasHeader: false)
        let dialect = try DelimitedDialect(head, isWhole: head.count == input.size, map: layout, file: url)
        let described = try OpenSignalsHeader(head, rowWidth: dialect.columnCount, file: url)
        let (counters, rowCount) = try Self.count(described.devices, DelimitedLines(input, dialect), url)
        var map = layout
        map.sampleRate = described.devices.first?.sampleRate
        // Every column is read as it stands, and finds its place by its number.
        map.columns = (1...described.columnCount).map { ColumnMap.MappedColumn(column: String($0), kind: .other) }
        base = try Delimited(url, map: map, splitsRates: false)
        var streams: [StreamHeader] = []
        var notes: [String] = []
        devices = zip(described.devices, counters).map { device, counter in
            let runs = counter.flatMap { $0.counts ? $0.runs : nil } ?? SampleRuns()
            let placed = OpenSignalsDevice(
                device, runs: runs, rowCount: rowCount, firstStream: streams.count,
                isAlone: described.devices.count == 1)
            streams += placed.streams
            notes += placed.notes(counter)
            return placed
        }
        base.cutNote.map { notes.append($0) }
        let names = streams.map(\.name)
        for place in streams.indices {
            let earlier = names[..<place].count { $0 == names[place] }
            if earlier > 0 { streams[place].name += String(earlier + 1) }
        }
        header = RecordingHeader(
            start: described.devices.first?.start, duration: devices.map(\.duration).max(), streams: streams,
            format: "OpenSignals", notes: notes, hasTimeZone: false)
    }

    /// The sequence numbers of each device that has them, and how many rows there are.
    private static func count(
        _ devices: [OpenSignalsHeader.Device], _ lines: DelimitedLines, _ file: URL
    ) throws -> ([OpenSignalsCounter?], Int) {
        var counters = devices.map { $0.counter == nil ? nil : OpenSignalsCounter(bits: $0.counterBits) }
        let columns = devices.enumerated().compactMap { device, described in described.counter.map { ($0, device) } }
        var rows = 0
        while let line = try lines.next() {
            rows += 1
            guard var cells = DelimitedCells(line, delimiter: 0x09, mark: 0x2E) else { continue }
            var column = 0
            for (wanted, device) in columns {
                while column < wanted, !cells.isAtEnd {
                    cells.skip()
                    column += 1
                }
                let cell = cells.isAtEnd ? nil : cells.text()
                column += 1
                guard let cell, let value = NumberParsing.double(cell, mark: 0x2E),
                    let number = Int(exactly: value), (0..<1 << 40).contains(number)
                else {
                    throw FormatError(
                        file, at: "line \(lines.number), column \(wanted + 1)",
                        "has no sequence number, a whole number from 0 on")
                }
                do {
                    try counters[device]?.take(number)
                } catch {
                    throw refusal(error, file, lines.number)
                }
            }
        }
        return (counters, rows)
    }

    private static func refusal(_ fault: OpenSignalsCounter.Fault, _ file: URL, _ line: Int) -> FormatError {
        let problem =
            switch fault {
            case .beginsAnew(let last):
                "the sequence numbers begin anew at 0 after \(last): how much time lies between is not told"
            case .goesBack(let from, let to): "the sequence number \(to) follows \(from)"
            }
        return FormatError(file, at: "line \(line)", problem, advice: "cut the file in two there, each with the header")
    }

    /// The next piece; nil at the end.
    /// - Throws: `FormatError` naming the line whose cell is no number.
    public func next() throws -> RecordingEvent? {
        while nextPending == pending.count {
            pending.removeAll(keepingCapacity: true)
            nextPending = 0
            guard let event = try base.next() else { return nil }
            guard case .samples(_, let block) = event else { continue }
            var markers: [Marker] = []
            for place in devices.indices { devices[place].take(block, firstRow: row, into: &pending, &markers) }
            pending += markers.sorted { $0.onset < $1.onset }.map { .marker($0) }
            row += block.frameCount
        }
        defer { nextPending += 1 }
        return pending[nextPending]
    }

    /// Whether a file begins with the line that names the format.
    public static func recognizes(_ head: [UInt8], url: URL) -> Bool { head.starts(with: OpenSignalsHeader.magic) }
}
