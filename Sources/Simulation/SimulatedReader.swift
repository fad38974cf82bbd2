public import Signals

/// Makes a simulated recording piece by piece, as if it were read from a file. What comes out does not depend, to the
/// bit, on the length of the pieces.
public final class SimulatedReader: RecordingReader {
    /// What the recording holds.
    public let header: RecordingHeader
    private var synthesizers: [StreamSynthesizer]
    private var positions: [Int]
    private let blockDuration: Seconds
    private var pending: [RecordingEvent] = []

    init(_ session: SimulatedSession, blockDuration: Seconds) {
        let parameters = session.parameters
        var synthesizers: [StreamSynthesizer] = []
        if let ecg = parameters.ecg { synthesizers.append(.init(ecg: ecg, parameters, faults: session.faults)) }
        if let bvp = parameters.bvp { synthesizers.append(.init(bvp: bvp, parameters, faults: session.faults)) }
        self.synthesizers = synthesizers
        self.blockDuration = blockDuration
        positions = synthesizers.map { _ in 0 }
        header = RecordingHeader(
            start: parameters.start, duration: parameters.duration, task: "simulation",
            streams: synthesizers.map(\.header), format: "simulation",
            notes: ["simulated with seed \(parameters.seed)"])
    }

    /// The next piece; nil at the end.
    public func next() -> RecordingEvent? {
        while pending.isEmpty {
            let unfinished = synthesizers.indices.filter { positions[$0] < synthesizers[$0].frameCount }
            guard let earliest = unfinished.min(by: { reached($0) < reached($1) }) else { return nil }
            advance(earliest)
        }
        return pending.removeFirst()
    }

    private func reached(_ stream: Int) -> Seconds {
        Double(positions[stream]) / synthesizers[stream].header.sampleRate
    }

    private func advance(_ stream: Int) {
        let rate = synthesizers[stream].header.sampleRate
        let count = Swift.max(1, Int(blockDuration * rate))
        let (frames, channels) = synthesizers[stream].next(count)
        positions[stream] = frames.upperBound
        let gaps = synthesizers[stream].gaps
        var first = frames.lowerBound
        if first == 0, gaps.first?.lowerBound != 0 { begin(stream, at: 0, after: nil) }
        for gap in gaps where gap.upperBound > frames.lowerBound && gap.lowerBound < frames.upperBound {
            emit(stream, first..<Swift.max(first, gap.lowerBound), of: frames, channels)
            first = gap.upperBound
            if frames.contains(gap.upperBound) { begin(stream, at: gap.upperBound, after: gap) }
        }
        // A gap that ended with the block before: its segment begins here.
        if let gap = gaps.first(where: { $0.upperBound == frames.lowerBound }) { begin(stream, at: first, after: gap) }
        emit(stream, first..<Swift.max(first, frames.upperBound), of: frames, channels)
    }

    private func begin(_ stream: Int, at frame: Int, after gap: Range<Int>?) {
        let rate = synthesizers[stream].header.sampleRate
        let missing = gap.flatMap { gap in
            gap.lowerBound == 0
                ? nil
                : Gap(
                    onset: Double(gap.lowerBound) / rate, duration: Double(gap.count) / rate, reason: .deviceLost)
        }
        let start = SegmentStart(onset: Double(frame) / rate, sample: frame, sampleRate: rate, gap: missing)
        pending.append(.segment(stream: stream, start: start))
    }

    private func emit(_ stream: Int, _ range: Range<Int>, of frames: Range<Int>, _ channels: [[Double]]) {
        guard !range.isEmpty else { return }
        var samples: [Float] = []
        samples.reserveCapacity(range.count * channels.count)
        for channel in channels {
            for frame in range { samples.append(Float(channel[frame - frames.lowerBound])) }
        }
        pending.append(.samples(stream: stream, SampleBlock(channelCount: channels.count, samples: samples)))
    }
}
