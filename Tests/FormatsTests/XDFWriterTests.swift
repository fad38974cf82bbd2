import Formats
import Foundation
import Signals
import TestSupport
import Testing

@Suite struct XDFWriterTests {
    /// Regular and irregular streams, gaps short and long, rates that are not the nominal ones, markers of all kinds.
    static let recording: Recording = {
        func run(_ onset: Double, _ sample: Int, _ rate: Double, _ frames: Int, gap: Gap? = nil, channels: Int = 2)
            -> Segment
        {
            let samples = (0..<frames * channels).map { Float(sin(Double($0 + sample) * 0.1)) * 3.3e-3 }
            return Segment(
                start: SegmentStart(onset: onset, sample: sample, sampleRate: rate, gap: gap),
                block: SampleBlock(channelCount: channels, samples: samples))
        }
        let ecg = StreamHeader(
            name: "ecg", kind: .ecg,
            channels: [Channel(label: "II & <V1>", unit: .millivolts), Channel(label: "µ", unit: .microvolts)],
            sampleRate: 250)
        let eda = StreamHeader(
            name: "eda", kind: .eda, channels: [Channel(label: "EDA", unit: .microsiemens)], sampleRate: 4)
        let ibi = StreamHeader(
            name: "ibi", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0)
        var holes = run(
            40.123456789, 7_600, 250, 5_000, gap: Gap(onset: 30.4, duration: 9.723456789, reason: .deviceLost))
        for frame in 100..<150 { holes.block.samples[frame] = .nan }
        let streams = [
            Signals.Stream(
                header: ecg, segments: [run(0.1 + 0.2, 0, 250, 7_525), holes]),
            Signals.Stream(
                header: eda,
                segments: [
                    run(0.3, 0, 4.001, 100, channels: 1),
                    run(
                        40, 160, 3.999, 400,
                        gap: Gap(onset: 0.3 + 100 / 4.001, duration: 40 - 0.3 - 100 / 4.001, reason: .offBody),
                        channels: 1),
                ]),
            Signals.Stream(
                header: ibi,
                values: [0.812345678901234, 0.799, .nan].enumerated().map {
                    TimedValue(onset: 1.1 * Double($0.offset + 1), values: [$0.element])
                }),
        ]
        let header = RecordingHeader(
            start: Timestamp(secondsSince1970: 1_790_000_000.123456), subject: "01", session: "a", task: "rest",
            format: "test")
        return Recording(
            header: header, streams: streams,
            markers: [
                Marker(onset: 2.000001, label: "tag"),
                Marker(onset: 3, duration: 4.5, label: "baseline", stream: "ecg"),
                Marker(onset: 10, label: "ü \"quoted\" \n line"),
            ])
    }()

    static func write(_ recording: Recording = recording, in folder: TemporaryFolder) throws -> URL {
        let url = folder.url.appendingPathComponent("a.xdf")
        try XDFWriter.write(recording, to: url)
        return url
    }

    @Test func everythingComesBackToTheBit() throws {
        let folder = try TemporaryFolder()
        let own = Self.recording
        let back = try Recording(reading: XDFReader(try Self.write(in: folder)))
        #expect(back.header.start == own.header.start && back.header.subject == "01" && back.header.session == "a")
        #expect(back.header.task == "rest" && back.header.notes.isEmpty)
        #expect(back.markers == own.markers)
        for (a, b) in zip(own.streams, back.streams) {
            #expect(a.header.name == b.header.name && a.header.kind == b.header.kind)
            #expect(a.header.channels == b.header.channels && a.header.sampleRate == b.header.sampleRate)
            #expect(a.segments.map(\.start) == b.segments.map(\.start))
            for (left, right) in zip(a.segments, b.segments) {
                #expect(left.block.samples.map(\.bitPattern) == right.block.samples.map(\.bitPattern))
            }
            #expect(a.values.map(\.onset) == b.values.map(\.onset))
            #expect(
                a.values.flatMap { $0.values.map(\.bitPattern) } == b.values.flatMap { $0.values.map(\.bitPattern) })
        }
    }

    @Test(.enabled(if: OracleData.has("formats_xdf/cases.json")))
    func pyxdfReadsItWithTheRightTimes() throws {
        let folder = try TemporaryFolder()
        let url = try Self.write(in: folder)
        let streams = try #require(try XDFOracle.load().read([url]).first)
        let recording = Self.recording
        for stream in recording.streams {
            let read = try #require(streams.first { $0.name == stream.header.name })
            let own = FlatStream(stream, origin: 0)
            let filled = read.count - own.stamps.count
            #expect(filled == (stream.header.kind == .eda ? 58 : 0), "\(stream.header.name)")
            #expect(abs(read.last - (own.stamps.last ?? 0)) < 1e-9)
            for (index, stamp) in read.stamps.enumerated() where index * read.step < 100 {
                #expect(abs(stamp - own.stamps[index * read.step]) < 1e-9)
            }
        }
        let markers = try #require(streams.first { $0.name == "markers" })
        #expect(markers.texts == recording.markers.map(\.label) && markers.stamps == recording.markers.map(\.onset))
    }

    /// A chunk of our own recording that is destroyed costs its own frames; those after it keep their times and numbers.
    @Test func damageInOurOwnRecordingMovesNothing() throws {
        let folder = try TemporaryFolder()
        let header = StreamHeader(
            name: "ecg", kind: .ecg, channels: [Channel(label: "I", unit: .millivolts)], sampleRate: 1_000)
        let samples = (0..<400_000).map { Float($0) }
        let stream = Signals.Stream(
            header: header,
            segments: [
                Segment(start: SegmentStart(onset: 0.25, sample: 0, sampleRate: 1_000), block: SampleBlock(samples))
            ])
        let url = try Self.write(Recording(header: RecordingHeader(format: "test"), streams: [stream]), in: folder)
        var bytes = [UInt8](try Data(contentsOf: url))
        let place = bytes.count * 2 / 3
        bytes.replaceSubrange(place..<place + 5_000, with: [UInt8](repeating: 0xA5, count: 5_000))
        let damaged = try Recording(reading: XDFReader(try folder.file("b.xdf", bytes)))
        let segments = damaged.streams[0].segments
        #expect(segments.count == 2 && damaged.header.notes.count == 2, "\(damaged.header.notes)")
        for segment in segments {
            #expect(segment.block.samples[0] == Float(segment.start.sample))
            #expect(abs(segment.start.onset - (0.25 + Double(segment.start.sample) / 1_000)) < 1e-9)
        }
        let gap = try #require(segments.last?.start.gap)
        #expect(
            gap.reason == .fileGap
                && abs(gap.duration * 1_000 - Double(segments[1].start.sample - segments[0].block.frameCount)) < 1e-6)
    }
}
