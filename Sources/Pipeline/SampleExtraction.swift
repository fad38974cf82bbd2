public import Signals

/// Takes stretches of some streams out of a recording, in one pass and in bounded memory.
public enum SampleExtraction {
    /// A stretch of samples.
    public struct Strip: Sendable {
        /// Seconds from the recording's start to the first sample.
        public var onset: Seconds
        /// Sample rate in Hz.
        public var sampleRate: Double
        /// The samples; NaN where there are none.
        public var samples: [Float]
    }

    /// What is wanted of one stream.
    public struct Request: Sendable {
        /// The stream's place in the recording.
        public var stream: Int
        /// The channels' places in the stream.
        public var channels: [Int]
        /// Sample rate of the strips in Hz.
        public var sampleRate: Double
        /// The stretches, in seconds from the recording's start; in any order, and they may overlap.
        public var spans: [Range<Seconds>]

        /// These stretches of some channels of a stream.
        public init(stream: Int, channels: [Int], sampleRate: Double, spans: [Range<Seconds>]) {
            self.stream = stream
            self.channels = channels
            self.sampleRate = sampleRate
            self.spans = spans
        }

        /// These stretches of a source of heart beats.
        public init(_ source: CardiacSource, spans: [Range<Seconds>]) {
            self.init(
                stream: source.stream, channels: [source.channel], sampleRate: source.sampleRate, spans: spans)
        }
    }

    /// The samples of `source` within each of `spans`, in their order. Missing samples are NaN; a span where nothing was
    /// recorded gives an empty strip.
    public static func strips(
        _ spans: [Range<Seconds>], of source: CardiacSource, from reader: any RecordingReader
    ) throws -> [Strip] {
        try strips([Request(source, spans: spans)], from: reader)[0].map { $0[0] }
    }

    /// The samples that some requests want, all of them taken while the recording is read once: for each request and
    /// each of its spans a strip per channel, as `strips(_:of:from:)` gives it.
    public static func strips(_ requests: [Request], from reader: any RecordingReader) throws -> [[[Strip]]] {
        var takers = requests.map(StripTaker.init)
        let places = Dictionary(grouping: requests.indices) { requests[$0].stream }
        while let event = try reader.next() {
            switch event {
            case .segment(let stream, let start):
                for place in places[stream] ?? [] { takers[place].begin(start) }
            case .samples(let stream, let block):
                for place in places[stream] ?? [] { takers[place].take(block) }
            default: break
            }
        }
        return takers.map { $0.finish() }
    }
}

/// Takes what one request wants out of the pieces of its stream.
private struct StripTaker {
    private let request: SampleExtraction.Request
    /// The spans' places by their beginnings.
    private let order: [Int]
    private let longest: Seconds
    private var strips: [[SampleExtraction.Strip]]
    private var start: SegmentStart
    private var offset = 0

    init(_ request: SampleExtraction.Request) {
        self.request = request
        let (spans, rate) = (request.spans, request.sampleRate)
        strips = spans.map { span in
            let count = Int(((span.upperBound - span.lowerBound) * rate).rounded())
            let empty = SampleExtraction.Strip(
                onset: span.lowerBound, sampleRate: rate, samples: Array(repeating: .nan, count: max(0, count)))
            return Array(repeating: empty, count: request.channels.count)
        }
        order = spans.indices.sorted { spans[$0].lowerBound < spans[$1].lowerBound }
        longest = spans.map { $0.upperBound - $0.lowerBound }.max() ?? 0
        start = SegmentStart(onset: 0, sample: 0, sampleRate: rate)
    }

    mutating func begin(_ segment: SegmentStart) {
        start = segment
        offset = 0
    }

    mutating func take(_ block: SampleBlock) {
        let onset = start.onset(ofOffset: offset)
        let end = start.onset(ofOffset: offset + block.frameCount)
        offset += block.frameCount
        let first = order.partitioningIndex { request.spans[$0].lowerBound > onset - longest - 1 }
        for place in order[first...] {
            guard request.spans[place].lowerBound < end else { break }
            for (row, channel) in request.channels.enumerated() {
                let base = block.range(ofChannel: channel).lowerBound
                Self.copy(block, base, onset, into: &strips[place][row], segmentRate: start.sampleRate)
            }
        }
    }

    func finish() -> [[SampleExtraction.Strip]] {
        strips.map { rows in
            guard rows.allSatisfy({ $0.samples.allSatisfy(\.isNaN) }) else { return rows }
            return rows.map {
                SampleExtraction.Strip(onset: $0.onset, sampleRate: request.sampleRate, samples: [])
            }
        }
    }

    /// Copies the part of a block that lies in the strip; sample k of a strip is the one nearest to its time.
    private static func copy(
        _ block: SampleBlock, _ base: Int, _ onset: Seconds, into strip: inout SampleExtraction.Strip,
        segmentRate: Double
    ) {
        let shift = (strip.onset - onset) * segmentRate
        // Samples before this one are surely before the block.
        let first = ((-shift - 1) / segmentRate * strip.sampleRate).rounded(.down)
        for index in Int(min(max(0, first), Double(strip.samples.count)))..<strip.samples.count {
            let frame = Int((shift + Double(index) / strip.sampleRate * segmentRate).rounded())
            if frame >= block.frameCount { return }
            if frame >= 0 { strip.samples[index] = block.samples[base + frame] }
        }
    }
}
