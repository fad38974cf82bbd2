import Kernels
public import Signals

/// A recording reader that gives some streams of another reader at other sample rates.
///
/// Each segment of such a stream is resampled on its own and keeps its onset and gap. Codes and battery levels take the
/// nearest sample, other channels are interpolated by `FractionalResampler`.
public final class ResampledRecording: RecordingReader {
    private let base: any RecordingReader
    private let rates: [Int: Double]
    /// The header of the other reader, with the new rates.
    public let header: RecordingHeader
    private var segments: [Int: OpenSegment] = [:]
    private var ready: [RecordingEvent] = []
    /// How many samples of each resampled stream were given in the segments that are closed.
    private var counts: [Int: Int] = [:]
    private var isAtEnd = false

    private struct OpenSegment {
        var resampler: FractionalResampler
        var count = 0
    }

    /// A reader of `base` in which the streams named by the keys have the sample rates in `rates`.
    /// - Parameter rates: Hz by index of the stream in the recording.
    public init(_ base: any RecordingReader, rates: [Int: Double]) {
        self.base = base
        self.rates = rates
        var header = base.header
        for (stream, rate) in rates {
            header.streams[stream].sampleRate = rate
            header.streams[stream].frameCount = nil
        }
        self.header = header
    }

    /// Whether the markers are wanted, as the other reader is told.
    public var wantsMarkers: Bool {
        get { base.wantsMarkers }
        set { base.wantsMarkers = newValue }
    }

    /// The next event; nil at the end.
    /// - Throws: the error of the other reader.
    public func next() throws -> RecordingEvent? {
        while ready.isEmpty {
            guard !isAtEnd else { return nil }
            guard let event = try base.next() else {
                isAtEnd = true
                for stream in segments.keys.sorted() { close(stream) }
                continue
            }
            take(event)
        }
        return ready.removeFirst()
    }

    private func take(_ event: RecordingEvent) {
        switch event {
        case .segment(let stream, let start):
            guard let rate = rates[stream] else { break }
            close(stream)
            let described = header.streams[stream]
            let isCode = described.kind == .marker || described.kind == .battery
            segments[stream] = OpenSegment(
                resampler: FractionalResampler(
                    channelCount: described.channels.count, from: start.sampleRate, to: rate,
                    interpolation: isCode ? .nearest : .bandLimited))
            var own = start
            own.sampleRate = rate
            own.sample = counts[stream] ?? 0
            ready.append(.segment(stream: stream, start: own))
            return
        case .samples(let stream, let block):
            guard segments[stream] != nil else { break }
            emit(stream) { $0.push(block.samples, into: &$1) }
            return
        case .values, .marker: break
        }
        ready.append(event)
    }

    private func close(_ stream: Int) {
        guard segments[stream] != nil else { return }
        emit(stream) { $0.finish(into: &$1) }
        counts[stream, default: 0] += segments[stream]?.count ?? 0
        segments[stream] = nil
    }

    private func emit(_ stream: Int, _ work: (inout FractionalResampler, inout [[Float]]) -> Void) {
        guard var open = segments[stream] else { return }
        let channels = header.streams[stream].channels.count
        var output = [[Float]](repeating: [], count: channels)
        work(&open.resampler, &output)
        let count = output.first?.count ?? 0
        open.count += count
        segments[stream] = open
        guard count > 0 else { return }
        let block = SampleBlock(channelCount: channels, samples: output.flatMap { $0 })
        ready.append(.samples(stream: stream, block))
    }
}
