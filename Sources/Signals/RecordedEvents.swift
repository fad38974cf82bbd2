/// Plays a recording that is in memory as if it were being read from a file.
public final class RecordedEvents: RecordingReader {
    /// What the recording holds.
    public let header: RecordingHeader
    private var pending: [RecordingEvent]
    private var position = 0

    /// Plays `recording` in blocks of at most `blockDuration` seconds, streams interleaved by time.
    public init(_ recording: Recording, blockDuration: Seconds = 1) {
        header = recording.header
        var timed: [(onset: Seconds, order: Int, event: RecordingEvent)] = []
        func add(_ onset: Seconds, _ event: RecordingEvent) { timed.append((onset, timed.count, event)) }
        for (index, stream) in recording.streams.enumerated() {
            for segment in stream.segments {
                add(segment.start.onset, .segment(stream: index, start: segment.start))
                let step = max(1, Int(blockDuration * segment.start.sampleRate))
                for first in stride(from: 0, to: segment.block.frameCount, by: step) {
                    let frames = first..<min(first + step, segment.block.frameCount)
                    let block = segment.block.frames(frames)
                    add(segment.start.onset(ofOffset: first), .samples(stream: index, block))
                }
            }
            for value in stream.values { add(value.onset, .values(stream: index, [value])) }
        }
        for marker in recording.markers { add(marker.onset, .marker(marker)) }
        pending = timed.sorted { ($0.onset, $0.order) < ($1.onset, $1.order) }.map(\.event)
    }

    /// The next piece in order of time; nil at the end.
    public func next() -> RecordingEvent? {
        guard position < pending.count else { return nil }
        defer { position += 1 }
        return pending[position]
    }
}

extension SampleBlock {
    /// The samples of all channels over a range of frames.
    public func frames(_ frames: Range<Int>) -> SampleBlock {
        if frames == 0..<frameCount { return self }
        var cut: [Float] = []
        cut.reserveCapacity(frames.count * channelCount)
        for channel in 0..<channelCount {
            let base = channel * frameCount
            cut += samples[base + frames.lowerBound..<base + frames.upperBound]
        }
        return SampleBlock(channelCount: channelCount, samples: cut)
    }
}
