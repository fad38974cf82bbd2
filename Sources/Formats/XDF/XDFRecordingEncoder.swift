public import Signals

/// Turns a recording, as it comes, into the bytes of an XDF file; effects are its caller's.
///
/// Regular streams are `float32`, or `double64` where their source has more digits, of integers too, as lost frames are
/// `NaN`; those of 64-bit integers are `int64`, and a loss ends their segment. Irregular ones are `double64`, markers and the journal (`XDFJournalLine`) text. Only the
/// first frame of a chunk is stamped where frames follow each other at the nominal rate. `XDFReader` gives back the
/// events that were put in; other readers find the same samples at the same times.
public struct XDFRecordingEncoder: Sendable {
    /// What the file says of itself.
    public struct File: Hashable, Sendable {
        /// When the recording began: time 0 of all others.
        public var start: Timestamp?
        /// Whether it is told with a time zone.
        public var hasTimeZone: Bool
        /// BIDS labels, where known.
        public var subject: String?
        /// BIDS session label.
        public var session: String?
        /// BIDS task label.
        public var task: String?
        /// Program and version that record.
        public var software: String

        /// A file that `software` writes.
        public init(
            start: Timestamp?, hasTimeZone: Bool = true, subject: String? = nil, session: String? = nil,
            task: String? = nil, software: String
        ) {
            self.start = start
            self.hasTimeZone = hasTimeZone
            self.subject = subject
            self.session = session
            self.task = task
            self.software = software
        }
    }

    private struct Lane: Sendable {
        let id: UInt32
        let header: StreamHeader
        var format = XDFValueFormat.float32
        var chunk = XDFOpenChunk()
        /// Frames so far, filled ones included.
        var frames = 0
        var segment: (frame: Int, clock: Seconds, rate: Double)?
        var first: Seconds?
        var last: Seconds = 0
        var offsets = XDFOffsetSummary()
    }

    private static let usualBacklog = 4 << 20

    private var lanes: [Lane] = []
    private var received: [XDFReceivedStream] = []
    private var markers: Lane
    private var journal: Lane
    private var ready: [UInt8] = []
    private var bytes: [UInt8]
    private let file: File

    /// Begins a file.
    public init(_ file: File) {
        self.file = file
        markers = Lane(id: 1, header: Self.textStream(XDFJournalLine.markersName))
        journal = Lane(id: 2, header: Self.textStream(XDFJournalLine.streamName))
        bytes = XDFBytes.magic + XDFEncoding.chunk(.fileHeader, XDFEncoding.xml(Self.element(file)))
        for lane in [markers, journal] {
            let details = ["journal": lane.id == 2 ? "1" : "0"]
            add(XDFStreamDescription(lane.header, sourceID: lane.header.name, details: details), lane.id, .string)
        }
    }

    private static func textStream(_ name: String) -> StreamHeader {
        StreamHeader(name: name, kind: .marker, channels: [Channel(label: name, unit: .unknown)], sampleRate: 0)
    }

    /// What the header says of the time zone of a start that was told without one.
    static let unknownZone = "unknown"

    private static func element(_ file: File) -> XDFElement {
        func leaf(_ name: String, _ text: String?) -> [XDFElement] {
            text.map { [XDFElement(name: name, text: $0)] } ?? []
        }
        let start = file.start.flatMap { Plausible.moment($0.secondsSince1970) }
        let marey =
            leaf("start", start.map { "\($0.secondsSince1970)" })
            + leaf("timeZone", file.hasTimeZone ? nil : Self.unknownZone) + leaf("subject", file.subject)
            + leaf("session", file.session) + leaf("task", file.task) + leaf("software", file.software)
        let date = start?.told(inUTC: file.hasTimeZone)
        let children = [XDFElement(name: "version", text: "1.0")] + leaf("datetime", date)
        return XDFElement(name: "info", children: children + [XDFElement(name: "marey", children: marey)])
    }

    private mutating func add(_ description: XDFStreamDescription, _ id: UInt32, _ format: XDFValueFormat) {
        let uid = "\(file.software)-\(file.start?.secondsSince1970 ?? 0)-\(id)"
        let xml = XDFEncoding.xml(description.element(format: format, created: 0, uid: uid))
        bytes += XDFEncoding.chunk(.streamHeader, stream: id, xml)
    }

    /// How many bytes wait, in chunks that are open or closed.
    public var pendingByteCount: Int {
        lanes.reduce(bytes.count + ready.count + journal.chunk.bytes.count + markers.chunk.bytes.count) {
            $0 + $1.chunk.bytes.count
        } + received.reduce(0) { $0 + $1.chunk.bytes.count }
    }

    /// The number of the next stream in the file.
    private var nextID: UInt32 { UInt32(lanes.count + received.count + 3) }

    /// Adds a stream, also in the midst of a recording.
    /// - Parameter format: how a regular one is stored: `float32`, `double` or `int64`. Irregular ones are `double64`.
    /// - Returns: the number by which it is meant from here on: 0, 1, 2 …
    public mutating func declare(_ description: XDFStreamDescription, format: XDFValueFormat = .float32) -> Int {
        let isRegular = description.header.sampleRate > 0
        let lane = Lane(id: nextID, header: description.header, format: isRegular ? format : .double)
        add(description, lane.id, lane.format)
        lanes.append(lane)
        return lanes.count - 1
    }

    /// Adds a stream that holds what a sender sent as it was received, which our own reader passes over.
    /// - Returns: its number in `append(received:_:_:offset:)`.
    public mutating func declare(_ description: XDFReceivedDescription) -> Int {
        let id = nextID
        bytes += XDFEncoding.chunk(.streamHeader, stream: id, XDFEncoding.xml(description.element()))
        received.append(
            XDFReceivedStream(id: id, format: description.format, channelCount: description.channels.count))
        return received.count - 1
    }

    /// Adds rows as they were received.
    /// - Parameter offset: seconds to add to the stamps to get the recording's time.
    public mutating func append(received stream: Int, _ stamps: [Seconds], _ values: XDFRows, offset: Seconds) {
        ready += received[stream].append(stamps, values, offset: offset)
    }

    /// Begins a segment of a regular stream.
    ///
    /// Readers even out time over gaps of less than 1 s or 500 sample intervals, as if there were none: such a gap is
    /// filled with as many frames of `NaN` as it is long. Our own reader leaves them out.
    /// - Parameter clock: time of its first frame on the stream's own clock, which stamps the file; it must be later than
    ///   all before.
    public mutating func begin(_ stream: Int, _ start: SegmentStart, clock: Seconds) {
        let filled = fill(stream, start, before: clock)
        close(stream)
        lanes[stream].segment = (lanes[stream].frames, clock, start.sampleRate)
        let line = XDFJournalLine(
            stream: lanes[stream].header.name, frame: lanes[stream].frames, filled: filled, clock: clock, start: start)
        append(line, at: start.onset)
    }

    private mutating func fill(_ stream: Int, _ start: SegmentStart, before clock: Seconds) -> Int {
        // Integers have no missing value.
        guard lanes[stream].format != .int64, let segment = lanes[stream].segment, let gap = start.gap else { return 0 }
        let frames = gap.duration * segment.rate
        guard frames >= 1, gap.duration <= 1 || frames <= 500 else { return 0 }
        let end = segment.clock + Double(lanes[stream].frames - segment.frame) / segment.rate
        // The last one stays clear of the segment's first frame, by which frames are told from each other.
        let filled = Int(min(frames, max(0, (clock - end) * segment.rate)).rounded(.down))
        let channels = lanes[stream].header.channels.count
        let block = SampleBlock(channelCount: channels, samples: [Float](repeating: .nan, count: filled * channels))
        append(stream, block)
        return filled
    }

    /// Adds frames to the stream's segment.
    /// - Parameters:
    ///   - doubles: the same in double precision, channel by channel, where the stream has it; more frames may come before
    ///     them.
    ///   - integers: the same as 64-bit integers, of a stream of these.
    public mutating func append(
        _ stream: Int, _ block: SampleBlock, doubles: [Double]? = nil, integers: [Int64]? = nil
    ) {
        guard let segment = lanes[stream].segment, block.frameCount > 0 else { return }
        let offset = Double(lanes[stream].frames - segment.frame)
        let stamp = segment.clock + offset / segment.rate
        let isEven = segment.rate == lanes[stream].header.sampleRate
        let step = isEven ? nil : 1 / segment.rate
        switch lanes[stream].format {
        case .double:
            let source = doubles ?? block.samples.map(Double.init)
            let held = source.count / max(1, block.channelCount)
            lanes[stream].chunk.append(
                doubles: source, frames: held - block.frameCount..<held, of: held, stamp: stamp, every: step)
        case .int64:
            let source = integers ?? block.samples.map { Int64(clampingNumber: Double($0)) }
            let held = source.count / max(1, block.channelCount)
            lanes[stream].chunk.append(
                integers: source, frames: held - block.frameCount..<held, of: held, stamp: stamp, every: step)
        default: lanes[stream].chunk.append(block, stamp: stamp, every: step)
        }
        lanes[stream].frames += block.frameCount
        lanes[stream].first = lanes[stream].first ?? stamp
        lanes[stream].last = stamp + Double(block.frameCount - 1) / segment.rate
    }

    /// Adds values of an irregular stream.
    public mutating func append(_ stream: Int, _ values: [TimedValue]) {
        for value in values {
            lanes[stream].chunk.append(value.values, stamp: value.onset)
            lanes[stream].frames += 1
            lanes[stream].first = lanes[stream].first ?? value.onset
            lanes[stream].last = value.onset
        }
    }

    /// Adds an event.
    public mutating func append(_ marker: Marker) {
        if marker.duration != 0 || marker.stream != nil {
            var line = XDFJournalLine(type: "marker", stream: marker.stream)
            line.frame = markers.frames
            line.duration = marker.duration
            append(line, at: marker.onset)
        }
        Self.append(marker.label, at: marker.onset, to: &markers)
    }

    /// Adds a line to the journal.
    public mutating func append(_ line: XDFJournalLine, at onset: Seconds) {
        Self.append(line.json, at: onset, to: &journal)
    }

    private static func append(_ text: String, at onset: Seconds, to lane: inout Lane) {
        lane.chunk.append(text, stamp: onset)
        lane.frames += 1
        lane.first = lane.first ?? onset
        lane.last = onset
    }

    /// Says what to add, at a time of a stream's own clock, to get the recording's time.
    public mutating func clockOffset(_ stream: Int, at time: Seconds, _ value: Seconds) {
        lanes[stream].offsets.append(time, value)
        ready += XDFEncoding.clockOffset(lanes[stream].id, time: time, value: value)
    }

    private mutating func close(_ stream: Int) {
        let id = lanes[stream].id
        lanes[stream].chunk.close(stream: id, into: &ready)
    }

    /// Closes all chunks. The journal comes first: what it says of samples is on the disk before them.
    public mutating func flush() {
        for stream in lanes.indices { close(stream) }
        for stream in received.indices { received[stream].close(into: &ready) }
        journal.chunk.close(stream: journal.id, into: &bytes)
        markers.chunk.close(stream: markers.id, into: &bytes)
        bytes += ready
        // What piled up behind a slow disk is not needed again.
        ready.removeAll(keepingCapacity: ready.count < Self.usualBacklog)
    }

    /// Adds a boundary chunk, after which reading can start anew when something before it is damaged.
    public mutating func boundary() {
        flush()
        bytes += XDFEncoding.chunk(.boundary, XDFBytes.boundary)
    }

    /// Ends the file with the streams' footers.
    public mutating func finish() {
        boundary()
        for lane in [markers, journal] + lanes {
            bytes += Self.footer(lane.id, lane.first, lane.last, lane.frames, lane.offsets)
        }
        for stream in received {
            bytes += Self.footer(stream.id, stream.first, stream.last, stream.frames, stream.offsets)
        }
    }

    private static func footer(
        _ id: UInt32, _ first: Seconds?, _ last: Seconds, _ frames: Int, _ offsets: XDFOffsetSummary
    ) -> [UInt8] {
        func leaf(_ name: String, _ text: String) -> XDFElement { XDFElement(name: name, text: text) }
        let offsets = offsets.list.map {
            XDFElement(name: "offset", children: [leaf("time", "\($0.time)"), leaf("value", "\($0.value)")])
        }
        let element = XDFElement(
            name: "info",
            children: [
                leaf("first_timestamp", "\(first ?? 0)"), leaf("last_timestamp", "\(last)"),
                leaf("sample_count", "\(frames)"), XDFElement(name: "clock_offsets", children: offsets),
            ])
        return XDFEncoding.chunk(.streamFooter, stream: id, XDFEncoding.xml(element))
    }

    /// Takes the bytes of what was closed since the last call, to be appended to the file.
    public mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}
