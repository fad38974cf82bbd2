/// What is known of a recording before its samples are read.
public struct RecordingHeader: Hashable, Codable, Sendable {
    /// When it began; nil when the source does not say. All other times are seconds from here.
    public var start: Timestamp?
    /// Whether the start is told with a time zone. Where it is not, it is what the recorder's clock read, counted as if
    /// that had shown UTC.
    public var hasTimeZone: Bool
    /// Seconds that local time was ahead of UTC where the recording was made; nil where the source does not say.
    public var utcOffset: Seconds?
    /// Seconds from the start to the end of its last sample, gaps included; nil when unknown.
    public var duration: Seconds?
    /// Seconds from the start to the moment from which the source counts its times, such as the first scan of an MRI run
    /// before which the recording began; nil where that is the start.
    public var sourceOrigin: Seconds?
    /// Whether onsets are seconds. Where they are not, the source told no times: onsets count its records from 0, and tell
    /// only their order.
    public var hasTimes: Bool
    /// BIDS labels, without their prefixes, where the source knows them.
    public var subject: String?
    /// BIDS session label, where known.
    public var session: String?
    /// BIDS task label, where known.
    public var task: String?
    /// Its streams. A stream is named by its place here in `RecordingEvent`s.
    public var streams: [StreamHeader]
    /// The file format, such as `WFDB` or `EDF+D`.
    public var format: String
    /// What a reader of this recording should know: repairs made, oddities found.
    public var notes: [String]

    /// A recording as described by its source.
    public init(
        start: Timestamp? = nil, duration: Seconds? = nil, subject: String? = nil, session: String? = nil,
        task: String? = nil, streams: [StreamHeader] = [], format: String, notes: [String] = [],
        sourceOrigin: Seconds? = nil, hasTimes: Bool = true, hasTimeZone: Bool = true
    ) {
        self.start = start
        self.hasTimeZone = hasTimeZone
        self.duration = duration
        self.sourceOrigin = sourceOrigin
        self.hasTimes = hasTimes
        self.subject = subject
        self.session = session
        self.task = task
        self.streams = streams
        self.format = format
        self.notes = notes
    }
}

/// One piece of a recording as it is read, in order of time within each stream.
public enum RecordingEvent: Sendable {
    /// A contiguous run of the stream begins; what was missing before it is in `start.gap`.
    case segment(stream: Int, start: SegmentStart)
    /// The next samples of the stream's current run.
    case samples(stream: Int, SampleBlock)
    /// The next values of an irregular stream.
    case values(stream: Int, [TimedValue])
    /// Something happened.
    case marker(Marker)
}

/// Reads a recording piece by piece, holding only a bounded part of it in memory.
public protocol RecordingReader: AnyObject {
    /// What the recording holds.
    var header: RecordingHeader { get }
    /// The next piece; nil at the end.
    /// - Throws: the format's error when the source is damaged from here on. What came before stands.
    func next() throws -> RecordingEvent?
    /// Whether somebody wants the markers. Who does not says so before the first `next()` and may be spared their
    /// reading; some may come all the same.
    var wantsMarkers: Bool { get set }
}

extension RecordingReader {
    /// Always: they cost nothing here.
    public var wantsMarkers: Bool {
        get { true }
        set {}
    }
}

/// A recording with everything in memory.
public struct Recording: Sendable {
    /// What is known of the recording as a whole.
    public var header: RecordingHeader
    /// Its streams, in the order of `header.streams`.
    public var streams: [Stream]
    /// Its events in order of time.
    public var markers: [Marker]

    /// A recording made of these streams and events.
    public init(header: RecordingHeader, streams: [Stream], markers: [Marker] = []) {
        var header = header
        header.streams = streams.map(\.header)
        self.header = header
        self.streams = streams
        self.markers = markers
    }

    /// Reads all that `reader` has.
    /// - Throws: what the reader throws.
    public init(reading reader: any RecordingReader) throws {
        let (streams, markers) = try Self.collect(reader.header.streams, next: reader.next)
        // What a reader finds out while reading is in its header by now.
        self.init(header: reader.header, streams: streams, markers: markers)
    }

    /// Collects the pieces of a recording with streams of these headers, until `next` has no more.
    /// - Returns: the streams, and the markers in order of time.
    public static func collect(
        _ headers: [StreamHeader], next: () throws -> RecordingEvent?
    ) rethrows -> (streams: [Stream], markers: [Marker]) {
        var streams = headers.map { Stream(header: $0) }
        var open: [Int: (start: SegmentStart, samples: GrowingBlock)] = [:]
        var markers: [Marker] = []
        func close(_ stream: Int) {
            guard var run = open.removeValue(forKey: stream), let block = run.samples.finish() else { return }
            streams[stream].segments.append(Segment(start: run.start, block: block))
        }
        while let event = try next() {
            switch event {
            case .segment(let stream, let start):
                close(stream)
                // The first run is mostly the only one and has all the frames.
                let expected = streams[stream].segments.isEmpty ? headers[stream].frameCount ?? 0 : 0
                open[stream] = (
                    start, GrowingBlock(channelCount: headers[stream].channels.count, expectedFrames: expected)
                )
            case .samples(let stream, let block):
                open[stream]?.samples.append(block)
            case .values(let stream, let values):
                streams[stream].values += values
            case .marker(let marker):
                markers.append(marker)
            }
        }
        for stream in streams.indices { close(stream) }
        return (streams, markers.sorted { $0.onset < $1.onset })
    }

    /// The streams of one kind.
    public func streams(of kind: StreamKind) -> [Stream] {
        streams.filter { $0.header.kind == kind }
    }
}
