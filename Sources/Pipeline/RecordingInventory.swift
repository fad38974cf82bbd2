import Kernels
public import Signals

/// What a recording really holds, found by reading it from end to end.
public struct RecordingInventory: Sendable {
    /// What the file says.
    public let header: RecordingHeader
    /// What was found, a value per stream.
    public private(set) var streams: [StreamInventory]
    /// All events.
    public private(set) var markers: [Marker] = []

    /// An inventory of nothing read yet.
    public init(_ header: RecordingHeader) {
        self.header = header
        streams = header.streams.map { StreamInventory(header: $0) }
    }

    /// Counts one more piece of the recording.
    public mutating func take(_ event: RecordingEvent) {
        switch event {
        case .segment(let stream, let start): streams[stream].begin(start)
        case .samples(let stream, let block): streams[stream].count(block)
        case .values(let stream, let values): streams[stream].count(values)
        case .marker(let marker): markers.append(marker)
        }
    }

    /// Seconds from the recording's start to the end of its last sample; nil where it has no times.
    /// - Parameter header: as it is once all was read.
    public func duration(by header: RecordingHeader) -> Seconds? {
        header.hasTimes ? max(header.duration ?? 0, streams.map(\.end).max() ?? 0) : nil
    }

    /// The columns of `table`.
    public static let columns = [
        Column("stream", "Name of the stream"),
        Column("kind", "What it measures"),
        Column("channels", "Labels of its channels, separated by commas"),
        Column("unit", "Units of its channels, separated by commas where they differ"),
        Column("sampleRate", unit: .hertz, "Nominal sample rate; 0 for values with times of their own"),
        Column("samples", unit: .dimensionless, "Samples per channel, or values"),
        Column("onset", unit: .seconds, "Time of the first sample from the recording's start"),
        Column("duration", unit: .seconds, "Time that samples cover, gaps not counted"),
        Column("gaps", unit: .dimensionless, "Number of gaps"),
        Column("gapDuration", unit: .seconds, "Time without samples between the first and the last"),
        Column("missing", unit: .dimensionless, "Samples marked as missing, of the channel that has most of them"),
    ]

    /// One row per stream.
    public var table: Table {
        Table(columns: Self.columns, rows: streams.map { $0.row(hasTimes: header.hasTimes) })
    }
}

/// What one stream really holds.
public struct StreamInventory: Sendable {
    /// What the file says of it.
    public let header: StreamHeader
    /// Frames, or values of an irregular stream.
    public private(set) var samples = 0
    /// Seconds that samples cover.
    public private(set) var duration: Seconds = 0
    /// When the first sample was.
    public private(set) var onset: Seconds?
    /// Seconds from the recording's start to the end of the last sample.
    public private(set) var end: Seconds = 0
    /// The gaps, in order of time.
    public private(set) var gaps: [Gap] = []
    /// Samples that are NaN, of the channel that has most of them.
    public var missing: Int { missingByChannel.max() ?? 0 }
    private var missingByChannel: [Int]
    private var sampleRate = 0.0
    private var segmentOnset: Seconds = 0
    private var segmentSamples = 0

    init(header: StreamHeader) {
        self.header = header
        missingByChannel = Array(repeating: 0, count: header.channels.count)
    }

    mutating func begin(_ start: SegmentStart) {
        if let gap = start.gap { gaps.append(gap) }
        onset = onset ?? start.onset
        sampleRate = start.sampleRate
        segmentOnset = start.onset
        segmentSamples = 0
    }

    mutating func count(_ block: SampleBlock) {
        samples += block.frameCount
        segmentSamples += block.frameCount
        duration += Double(block.frameCount) / sampleRate
        end = max(end, segmentOnset + Double(segmentSamples) / sampleRate)
        for channel in 0..<min(block.channelCount, missingByChannel.count) {
            missingByChannel[channel] += Scans.countMissing(
                block.samples.span.extracting(block.range(ofChannel: channel)))
        }
    }

    mutating func count(_ values: [TimedValue]) {
        samples += values.count
        onset = onset ?? values.first?.onset
        end = max(end, values.last?.onset ?? 0)
    }

    fileprivate func row(hasTimes: Bool) -> [Cell] {
        let units = header.channels.map(\.unit.rawValue)
        let unit = Set(units).count == 1 ? units[0] : units.joined(separator: ",")
        return [
            .text(header.name), .text(header.kind.rawValue), .text(header.channels.map(\.label).joined(separator: ",")),
            .text(unit), .number(header.sampleRate), .integer(samples),
            hasTimes ? onset.map(Cell.onset) ?? .missing : .missing,
            header.sampleRate > 0 ? .onset(duration) : .missing, .integer(gaps.count),
            .onset(gaps.reduce(0) { $0 + $1.duration }), .integer(missing),
        ]
    }
}
