import Signals
import Testing

struct RecordingTests {
    private let recording: Recording = {
        let ecg = StreamHeader(
            name: "ECG", kind: .ecg,
            channels: [Channel(label: "I", unit: .millivolts), Channel(label: "II", unit: .millivolts)],
            sampleRate: 10)
        let ibi = StreamHeader(
            name: "IBI", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0)
        let first = Segment(
            start: SegmentStart(onset: 0, sample: 0, sampleRate: 10),
            block: SampleBlock(channelCount: 2, samples: (0..<50).map(Float.init)))
        let gap = Gap(onset: 2.5, duration: 1, reason: .fileGap)
        let second = Segment(
            start: SegmentStart(onset: 3.5, sample: 35, sampleRate: 10, gap: gap),
            block: SampleBlock(channelCount: 2, samples: [1, .nan, 3, 4]))
        return Recording(
            header: RecordingHeader(duration: 3.7, format: "test"),
            streams: [
                Stream(header: ecg, segments: [first, second]),
                Stream(
                    header: ibi, values: [TimedValue(onset: 1, values: [0.8]), TimedValue(onset: 1.9, values: [0.9])]),
            ],
            markers: [Marker(onset: 0.4, label: "go")])
    }()

    @Test(arguments: [0.01, 0.3, 1, 100])
    func playingARecordingAndCollectingItGivesItBack(blockDuration: Double) throws {
        let again = try Recording(reading: RecordedEvents(recording, blockDuration: blockDuration))
        #expect(again.header == recording.header)
        #expect(again.markers == recording.markers)
        #expect(again.streams.map(\.values) == recording.streams.map(\.values))
        for (found, expected) in zip(again.streams[0].segments, recording.streams[0].segments) {
            #expect(found.start == expected.start)
            #expect(found.block.samples.map(\.bitPattern) == expected.block.samples.map(\.bitPattern))
        }
        #expect(again.streams[0].gaps == recording.streams[0].gaps)
    }

    @Test func blocksAreChannelMajor() {
        let block = SampleBlock(channelCount: 2, samples: [1, 2, 3, 4, 5, 6])
        #expect(block.channel(0) == [1, 2, 3])
        #expect(block.channel(1) == [4, 5, 6])
        #expect(block.frames(1..<3).samples == [2, 3, 5, 6])
    }

    @Test func segmentsTellTheirTimes() {
        let segment = recording.streams[0].segments[1]
        #expect(segment.start.onset(ofOffset: 1) == 3.6)
        #expect(abs(segment.end - 3.7) < 1e-12)
    }
}
