import Signals

/// The one sample rate at which a file holds a stream whose segments may have rates of their own.
struct MeasuredRate {
    /// Rate in Hz: that of the segments if they agree, else the nominal one.
    let hertz: Double
    /// The lowest and highest rate of a segment, in Hz.
    let range: ClosedRange<Double>
    private let segments: [(rate: Double, count: Int)]

    /// Nil where there are no segments, or neither they nor the stream have a plausible rate.
    /// - Parameters:
    ///   - segments: rate in Hz and number of samples of each segment.
    ///   - nominal: the stream's own rate in Hz; 0 where it has none.
    init?(_ segments: [(rate: Double, count: Int)], nominal: Double) {
        let rates = segments.map(\.rate)
        guard let min = rates.min(), let max = rates.max() else { return nil }
        let hertz = max - min <= 1e-9 * max || nominal <= 0 ? min : nominal
        guard Plausible.sampleRates.contains(hertz) else { return nil }
        self.hertz = hertz
        range = min...max
        self.segments = segments
    }

    /// How far a sample lies from its time at most, in seconds, where the segments are written at `rate` Hz.
    func drift(at rate: Double) -> Seconds {
        segments.map { Double($0.count) * abs(1 / rate - 1 / $0.rate) }.max() ?? 0
    }

    /// Whether all samples lie within half a sample of their times where they are written at `rate` Hz.
    func isExact(at rate: Double) -> Bool { drift(at: rate) <= 0.5 / rate }
}

/// Rates and lengths of a recording's segments, found by reading all of it.
struct MeasuredRates {
    /// By index of the stream; nil for irregular streams and those without samples.
    private(set) var streams: [MeasuredRate?]

    init(_ reader: any RecordingReader) throws {
        var segments: [[(rate: Double, count: Int)]] = reader.header.streams.map { _ in [] }
        while let event = try reader.next() {
            switch event {
            case .segment(let stream, let start): segments[stream].append((start.sampleRate, 0))
            case .samples(let stream, let block):
                if segments[stream].isEmpty { segments[stream].append((reader.header.streams[stream].sampleRate, 0)) }
                segments[stream][segments[stream].count - 1].count += block.frameCount
            case .values, .marker: continue
            }
        }
        streams = zip(segments, reader.header.streams).map {
            $1.sampleRate > 0 ? MeasuredRate($0.filter { $0.count > 0 }, nominal: $1.sampleRate) : nil
        }
    }
}
