public import Signals

/// Takes stretches of one channel out of a recording, in one pass and in bounded memory.
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

    /// The samples of `source` within each of `spans`, in their order. Missing samples are NaN; a span where nothing was
    /// recorded gives an empty strip.
    public static func strips(
        _ spans: [Range<Seconds>], of source: CardiacSource, from reader: any RecordingReader
    ) throws -> [Strip] {
        try strips(
            spans, ofStream: source.stream, channels: [source.channel], sampleRate: source.sampleRate, from: reader
        ).map { $0[0] }
    }

    /// The samples of some channels of a stream within each of `spans`, in their order: for each span a strip per
    /// channel, as `strips(_:of:from:)` gives it.
    public static func strips(
        _ spans: [Range<Seconds>], ofStream wanted: Int, channels: [Int], sampleRate rate: Double,
        from reader: any RecordingReader
    ) throws -> [[Strip]] {
        var strips = spans.map { span in
            let count = Int(((span.upperBound - span.lowerBound) * rate).rounded())
            let empty = Strip(
                onset: span.lowerBound, sampleRate: rate, samples: Array(repeating: .nan, count: max(0, count)))
            return Array(repeating: empty, count: channels.count)
        }
        let order = spans.indices.sorted { spans[$0].lowerBound < spans[$1].lowerBound }
        let longest = spans.map { $0.upperBound - $0.lowerBound }.max() ?? 0
        var start = SegmentStart(onset: 0, sample: 0, sampleRate: rate)
        var offset = 0
        while let event = try reader.next() {
            switch event {
            case .segment(let stream, let segment) where stream == wanted:
                start = segment
                offset = 0
            case .samples(let stream, let block) where stream == wanted:
                let onset = start.onset(ofOffset: offset)
                let end = start.onset(ofOffset: offset + block.frameCount)
                offset += block.frameCount
                let first = order.partitioningIndex { spans[$0].lowerBound > onset - longest - 1 }
                for place in order[first...] {
                    guard spans[place].lowerBound < end else { break }
                    for (row, channel) in channels.enumerated() {
                        let base = block.range(ofChannel: channel).lowerBound
                        copy(block, base, onset, into: &strips[place][row], segmentRate: start.sampleRate)
                    }
                }
            default: break
            }
        }
        return strips.map { rows in
            rows.allSatisfy { $0.samples.allSatisfy(\.isNaN) }
                ? rows.map { Strip(onset: $0.onset, sampleRate: rate, samples: []) } : rows
        }
    }

    /// Copies the part of a block that lies in the strip; sample k of a strip is the one nearest to its time.
    private static func copy(
        _ block: SampleBlock, _ base: Int, _ onset: Seconds, into strip: inout Strip, segmentRate: Double
    ) {
        let shift = (strip.onset - onset) * segmentRate
        for index in strip.samples.indices {
            let frame = Int((shift + Double(index) / strip.sampleRate * segmentRate).rounded())
            if frame >= block.frameCount { return }
            if frame >= 0 { strip.samples[index] = block.samples[base + frame] }
        }
    }
}
