import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct WFDBWriterTests {
    private func recording() -> Recording {
        var random = SplitMix64(seed: 6)
        func samples(_ count: Int, _ grid: Float) -> [Float] {
            (0..<count).map { _ in Float(Int.random(in: -1000...1000, using: &random)) / grid }
        }
        var ecg = samples(400, 200)
        ecg[17] = .nan
        let ecgHeader = StreamHeader(
            name: "ecg", kind: .ecg,
            channels: [Channel(label: "MLII", unit: .millivolts), Channel(label: "left arm", unit: .millivolts)],
            sampleRate: 250, frameCount: 300)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 250)
        let after = SegmentStart(
            onset: 1, sample: 250, sampleRate: 250, gap: Gap(onset: 0.8, duration: 0.2, reason: .deviceLost))
        let pulse = StreamHeader(
            name: "bvp", kind: .bvp, channels: [Channel(label: "PPG", unit: .unknown)], sampleRate: 62.5)
        let rr = StreamHeader(
            name: "ibi", kind: .ibi, channels: [Channel(label: "RR", unit: .seconds)], sampleRate: 0)
        return Recording(
            header: RecordingHeader(
                start: Timestamp(year: 2026, month: 3, day: 1, hour: 12, minute: 30, second: 5.25), format: "test"),
            streams: [
                Stream(
                    header: ecgHeader,
                    segments: [
                        Segment(start: start, block: SampleBlock(channelCount: 2, samples: ecg)),
                        Segment(start: after, block: SampleBlock(channelCount: 2, samples: samples(200, 200))),
                    ]),
                Stream(
                    header: pulse,
                    segments: [
                        Segment(
                            start: SegmentStart(onset: 0, sample: 0, sampleRate: 62.5),
                            block: SampleBlock(samples(80, 1)))
                    ]), Stream(header: rr, values: [TimedValue(onset: 1, values: [0.8])]),
            ], markers: [Marker(onset: 0.5, label: "start of task")])
    }

    @Test(arguments: [WFDBSignalFormat.format16, .format212]) func whatIsWrittenIsReadAgain(
        _ format: WFDBSignalFormat
    ) throws {
        let folder = try TemporaryFolder()
        let original = recording()
        let url = folder.url.appendingPathComponent("out")
        let notes = try WFDBWriter.write(RecordedEvents(original), to: url, format: format)
        #expect(notes.count == 2 && notes[0].contains("ibi") && notes[1].contains("left arm as ECG left arm"))
        #expect(folder.names == ["out.hea", "out.mark", "out_1.dat", "out_2.dat"])
        let read = try Recording(reading: WFDBRecord(url))
        #expect(read.header.start == original.header.start)
        #expect(read.header.notes == [])
        #expect(read.markers == original.markers)
        #expect(read.streams.map(\.header.kind) == [.ecg, .bvp])
        #expect(read.streams[0].header.channels.map(\.label) == ["MLII", "ECG left arm"])
        #expect(read.streams[1].header.channels == original.streams[1].header.channels)
        for (stream, length) in [(0, 350), (1, 80)] {
            let before = laidOut(original.streams[stream], length: length)
            // The record is as long as its longest stream.
            let after = laidOut(read.streams[stream], length: stream == 0 ? 352 : 88)
            for (left, right) in zip(before, after) {
                #expect(zip(left, right).allSatisfy { same($0, $1) })
                #expect(right[left.count...].allSatisfy { $0.isNaN })
            }
        }
    }

    @Test(.enabled(if: RealData.has("wfdb_formats/a103l.hea"))) func realRecordIsWrittenWithoutLoss() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("copy.hea")
        _ = try WFDBWriter.write(WFDBRecord(RealData.url("wfdb_formats/a103l")), to: url)
        let before = try Recording(reading: WFDBRecord(RealData.url("wfdb_formats/a103l")))
        let after = try Recording(reading: WFDBRecord(url))
        #expect(before.streams.map(\.header) == after.streams.map(\.header))
        for (left, right) in zip(before.streams, after.streams) {
            #expect(left.segments.map(\.block) == right.segments.map(\.block))
        }
    }

    @Test func whatMarkersLoseIsTold() throws {
        let folder = try TemporaryFolder()
        var original = recording()
        original.markers = [Marker(onset: 0.5, duration: 2, label: "a"), Marker(onset: 1, label: "b")]
        let url = folder.url.appendingPathComponent("out")
        let notes = try WFDBWriter.write(RecordedEvents(original), to: url)
        #expect(notes.contains { $0.hasPrefix("1 markers last") })
    }

    @Test func nothingAppearsBeforeTheEnd() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("out")
        do {
            let writer = try WFDBWriter(url, header: recording().header)
            try writer.append(.samples(stream: 1, SampleBlock([1, 2, 3])))
        }
        #expect(folder.names == [])
        #expect(
            formatError { try WFDBWriter(folder.url.appendingPathComponent("a b"), header: recording().header) } != nil)
        #expect(
            formatError { try WFDBWriter(folder.url.appendingPathComponent("no/out"), header: recording().header) }
                != nil)
        var header = recording().header
        header.streams[1].sampleRate = 61.23456
        #expect(formatError { try WFDBWriter(url, header: header) }?.contains("no common frame rate") == true)
    }

    private func notes(_ kind: StreamKind, _ rate: Double, onset: Seconds, ownRate: Double, _ samples: [Float]) throws
        -> [String]
    {
        let header = StreamHeader(
            name: "s", kind: kind, channels: [Channel(label: kind.rawValue, unit: .microvolts)], sampleRate: rate)
        let start = SegmentStart(onset: onset, sample: 0, sampleRate: ownRate)
        let stream = Stream(header: header, segments: [Segment(start: start, block: SampleBlock(samples))])
        let folder = try TemporaryFolder()
        return try WFDBWriter.write(
            RecordedEvents(Recording(header: RecordingHeader(format: "test"), streams: [stream])),
            to: folder.url.appendingPathComponent("out"))
    }

    @Test func samplesThatMoveOntoTheRecordsTimesAreTold() throws {
        let ramp = (0..<1_001).map { Float($0) }
        #expect(try notes(.eeg, 100, onset: 0.5, ownRate: 100, ramp).isEmpty)
        #expect(
            try notes(.eeg, 100, onset: 0.504, ownRate: 100, ramp).contains { $0.contains("moved by up to 0.004 s") })
        // 1000 periods at 100 instead of 80 Hz.
        #expect(try notes(.eeg, 100, onset: 0, ownRate: 80, ramp).contains { $0.contains("moved by up to 2.5 s") })
    }

    @Test func aScaleThatIsCoarseForTheSignalIsToldAndSoAreInfinities() throws {
        var random = SplitMix64(seed: 9)
        var values = (0..<4_000).map { _ in Float.random(in: -1.7...1.7, using: &random) }
        #expect(try notes(.eeg, 100, onset: 0, ownRate: 100, values).isEmpty)
        values[7] = .infinity
        #expect(
            try notes(.eeg, 100, onset: 0, ownRate: 100, values) == ["s: 1 infinite values are written as missing"])
        values[7] = 3e6
        let coarse = try notes(.eeg, 100, onset: 0, ownRate: 100, values)
        #expect(coarse.count == 1 && coarse[0].contains("steps of 100.0 µV") && coarse[0].contains(".bdf or .xdf"))
    }
}
