import Pipeline
import Signals
import Testing

/// Streams of the kind that is asked for, of which nothing can be made: why is said, not that there are none.
struct UnusableSourceTests {
    private func refusal(_ kind: StreamKind, rate: Double, beside others: [StreamHeader] = []) -> String {
        let stream = StreamHeader(
            name: "mine", kind: kind, channels: [Channel(label: "A", unit: .dimensionless)], sampleRate: rate)
        let header = RecordingHeader(streams: others + [stream], format: "test")
        do { return try SourceRequest().source(in: header, file: "f.csv").name } catch { return "\(error)" }
    }

    private let aside = StreamHeader(
        name: "aside", kind: .eda, channels: [Channel(label: "E", unit: .microsiemens)], sampleRate: 4)

    @Test(arguments: [
        (StreamKind.ibi, 4.0, "sampled evenly, at 4.0 Hz"),
        (.ecg, 10, "has 10.0 Hz; beats of ecg need at least 50.0 Hz"),
        (.ecg, 49.9, "has 49.9 Hz; beats of ecg need at least 50.0 Hz"),
        (.ecg, 30_000, "has 30000.0 Hz; beats of ecg need at most 20000.0 Hz"), (.bvp, 15.5, "need at least 16.0 Hz"),
        (.bvp, 8, "has 8.0 Hz"), (.ecg, 0, "is irregular"), (.bvp, 0, "is irregular"),
    ])
    func `a stream that is there and cannot be used has its reason told`(kind: StreamKind, rate: Double, reason: String)
    {
        for others in [[], [aside]] {
            let words = refusal(kind, rate: rate, beside: others)
            #expect(words.contains("f.csv: stream mine") && words.contains(reason), "\(words)")
            #expect(!words.contains("no ECG") && !words.contains("cannot serve as \(kind.rawValue)"), "\(words)")
        }
    }

    @Test func `where there is no such stream that is what is said`() {
        #expect(refusal(.temperature, rate: 4).contains("no ECG, BVP or IBI stream; it has mine (temperature)"))
    }

    @Test func `an EEG none of whose channels is one has its reason told`() {
        let stream = StreamHeader(
            name: "head", kind: .eeg, channels: [Channel(label: "ECG", unit: .microvolts)], sampleRate: 256)
        let header = RecordingHeader(streams: [stream], format: "test")
        #expect {
            try BrainSource.meant(by: nil, in: header, file: "f.edf")
        } throws: { error in
            "\(error)".contains("no channel of stream head is EEG by its type or label: ECG")
        }
    }

    @Test(arguments: [
        (StreamKind.ecg, 25.0, "it has 25.0 Hz, and beats need at least 50.0 Hz"),
        (.bvp, 10, "it has 10.0 Hz, and beats need at least 16.0 Hz"),
        (.ibi, 4, "nothing is computed from ibi signals"),
    ])
    func `an analysis of all streams says why one was left out`(kind: StreamKind, rate: Double, reason: String) throws {
        let skin = SampleBlock(channelCount: 1, samples: Array(repeating: 5, count: 240))
        let other = StreamHeader(
            name: "mine", kind: kind, channels: [Channel(label: "A", unit: .seconds)], sampleRate: rate)
        func stream(_ header: StreamHeader) -> Signals.Stream {
            let start = SegmentStart(onset: 0, sample: 0, sampleRate: header.sampleRate)
            return Signals.Stream(header: header, segments: [Segment(start: start, block: skin)])
        }
        let recording = Recording(
            header: RecordingHeader(duration: 60, format: "test"), streams: [stream(aside), stream(other)])
        let analysis = try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
        #expect(
            analysis.notComputed.contains { $0.what.contains("mine") && $0.why == reason }, "\(analysis.notComputed)")
    }
}
