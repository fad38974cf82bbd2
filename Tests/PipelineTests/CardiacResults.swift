import Cardiac
import Pipeline
import Quality
import Signals

/// What a whole track tells of intervals, an ECG or a pulse made in a test.
enum CardiacResults {
    /// Intervals of these durations in seconds, one after the other.
    static func ofIntervals(
        _ durations: [Double], correcting method: CorrectionMethod, computing outputs: CardiacTrack.Outputs
    ) throws -> CardiacResult {
        var onset = 0.0
        let intervals = durations.enumerated().map { place, duration in
            onset += duration
            return IBI(onset: onset, duration: duration, isContiguous: place > 0)
        }
        var parameters = Parameters()
        parameters.correction.method = method
        let header = StreamHeader(
            name: "ibi", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0)
        let source = try SourceRequest().source(in: RecordingHeader(streams: [header], format: "test"), file: "test")
        return try CardiacTrack.result(of: intervals, source: source, parameters: parameters, computing: outputs)
    }

    /// One run of an ECG in mV at `rate` Hz, handed over in pieces of `chunk` samples.
    static func ofECG(
        _ samples: [Float], rate: Double, chunk: Int, computing outputs: CardiacTrack.Outputs = .all,
        edits: [BeatEdit] = [], tolerating reasons: [QualityReason] = [], window: Seconds = 10
    ) throws -> CardiacResult {
        let header = StreamHeader(
            name: "ecg", kind: .ecg, channels: [Channel(label: "II", unit: .millivolts)], sampleRate: rate)
        return try ofRun(
            samples, of: header, chunk: chunk, computing: outputs, edits: edits, tolerating: reasons, window: window)
    }

    /// One run of a pulse at `rate` Hz, handed over in pieces of `chunk` samples.
    static func ofPulse(_ samples: [Float], rate: Double, chunk: Int) throws -> CardiacResult {
        let header = StreamHeader(
            name: "bvp", kind: .bvp, channels: [Channel(label: "BVP", unit: .dimensionless)], sampleRate: rate)
        return try ofRun(samples, of: header, chunk: chunk)
    }

    private static func ofRun(
        _ samples: [Float], of header: StreamHeader, chunk: Int, computing outputs: CardiacTrack.Outputs = .all,
        edits: [BeatEdit] = [], tolerating reasons: [QualityReason] = [], window: Seconds = 10
    ) throws -> CardiacResult {
        var parameters = Parameters()
        parameters.quality.window = window
        parameters.quality.tolerated = reasons
        let source = try SourceRequest().source(in: RecordingHeader(streams: [header], format: "test"), file: "test")
        var track = try CardiacTrack(source, parameters: parameters, computing: outputs, edits: edits)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: header.sampleRate)
        track.take(.segment(stream: 0, start: start))
        for first in stride(from: 0, to: samples.count, by: chunk) {
            track.take(.samples(stream: 0, SampleBlock(Array(samples[first..<min(first + chunk, samples.count)]))))
        }
        track.finish()
        return track.result
    }
}
