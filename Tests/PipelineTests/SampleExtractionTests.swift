import Pipeline
import Signals
import Testing

struct SampleExtractionTests {
    /// Two runs of a ramp whose value is its time in seconds, with a gap between.
    private let recording: Recording = {
        let header = StreamHeader(
            name: "ecg", kind: .ecg, channels: [Channel(label: "I", unit: .millivolts)], sampleRate: 100)
        let runs: [(onset: Double, count: Int)] = [(0, 1_000), (15, 500)]
        let segments = runs.map { run in
            Segment(
                start: SegmentStart(
                    onset: run.onset, sample: Int(run.onset * 100), sampleRate: 100,
                    gap: run.onset == 0 ? nil : Gap(onset: 10, duration: 5, reason: .fileGap)),
                block: SampleBlock((0..<run.count).map { Float(run.onset + Double($0) / 100) }))
        }
        return Recording(
            header: RecordingHeader(duration: 20, format: "test"), streams: [Stream(header: header, segments: segments)]
        )
    }()

    @Test func whatSeveralWantIsTakenInOnePassAndIsWhatEachWouldGet() throws {
        var other = recording.streams[0]
        other.header.name = "other"
        for index in other.segments.indices {
            let times = other.segments[index].block.channel(0)
            other.segments[index].block = SampleBlock(
                channelCount: 2, samples: times.map { $0 + 100 } + times.map { -$0 })
        }
        other.header.channels.append(Channel(label: "II", unit: .millivolts))
        let both = Recording(header: recording.header, streams: [recording.streams[0], other])
        let requests = [
            (0, [0], [2.0..<4.5, 9.5..<15.5]), (1, [1, 0], [16.0..<17.0]), (1, [0], []), (0, [0], [11.0..<12.0]),
        ].map { SampleExtraction.Request(stream: $0.0, channels: $0.1, sampleRate: 100, spans: $0.2) }
        let reader = RecordedEvents(both, blockDuration: 0.3)
        let together = try SampleExtraction.strips(requests, from: reader)
        #expect(reader.next() == nil && together.count == requests.count)
        for (request, found) in zip(requests, together) {
            let alone = try SampleExtraction.strips([request], from: RecordedEvents(both))[0]
            #expect(found.count == request.spans.count && found.allSatisfy { $0.count == request.channels.count })
            for (one, same) in zip(alone.joined(), found.joined()) {
                #expect(one.onset == same.onset)
                #expect(one.samples.map(\.bitPattern) == same.samples.map(\.bitPattern))
            }
        }
        let strip = together[1][0]
        #expect(strip[0].samples[50] == -16.5 && strip[1].samples[50] == 116.5)
    }

    @Test(arguments: [0.03, 1, 50])
    func stretchesHoldTheSamplesOfTheirTimesAndNothingElse(blockDuration: Double) throws {
        let source = try SourceRequest().source(in: recording.header, file: "test")
        let spans = [16.0..<17.0, 2.0..<4.5, 9.5..<15.5, 11.0..<12.0, 3.0..<3.5]
        let strips = try SampleExtraction.strips(
            spans, of: source, from: RecordedEvents(recording, blockDuration: blockDuration))
        #expect(strips.map(\.onset) == spans.map(\.lowerBound))
        #expect(strips[3].samples.isEmpty)
        for place in [0, 1, 2, 4] {
            let span = spans[place]
            #expect(strips[place].samples.count == Int(((span.upperBound - span.lowerBound) * 100).rounded()))
            for (index, sample) in strips[place].samples.enumerated() {
                let time = span.lowerBound + Double(index) / 100
                if time > 9.995, time < 14.995 {
                    #expect(sample.isNaN)
                } else {
                    #expect(abs(Double(sample) - time) < 1e-4)
                }
            }
        }
    }
}
