import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Recordings of BIOPAC's AcqKnowledge.
struct AcqKnowledgeTests {
    /// Three channels: 2,000 Hz computed, 1,000 Hz and 250 Hz recorded; the last lacks a sample, as real files do.
    static func fixture(_ version: Int, isBigEndian: Bool, isCompressed: Bool) -> AcqKnowledgeFixture {
        AcqKnowledgeFixture(
            version: version, isBigEndian: isBigEndian, isCompressed: isCompressed,
            channels: [
                .init(
                    label: "EDA smoothed", unit: "microsiemens", stored: (0..<70_001).map { Double($0) / 8 },
                    isComputed: true),
                .init(
                    label: "ECG100C", divider: 2, scale: 0.25, offset: -3, stored: (0..<35_000).map { Double($0 % 999) }
                ),
                .init(
                    label: "EDA - GSR100C", unit: "microsiemens", divider: 8, stored: (0..<8_750).map { Double(-$0) }),
            ],
            marks: [.init(tick: 0, label: "Segment 1", style: "apnd"), .init(tick: 4_000, label: "go")])
    }

    private static let computed: [Float] = (0..<70_001).map { (place: Int) -> Float in Float(place) / 8 }
    private static let ecg: [Float] = (0..<35_000).map { (place: Int) -> Float in Float(place % 999) / 4 - 3 }
    private static let eda: [Float] = (0..<8_750).map { (place: Int) -> Float in Float(-place) / 2 }

    private func recording(_ fixture: AcqKnowledgeFixture, name: String = "a.acq") throws -> Recording {
        let folder = try TemporaryFolder()
        return try Recording(reading: RecordingFile.open(folder.file(name, fixture.bytes)))
    }

    @Test(
        arguments: [(38, true), (41, false), (45, false), (84, true), (108, true), (124, true), (132, true)],
        [false, true])
    func `every version gives the same samples`(version: (number: Int, isBigEndian: Bool), isCompressed: Bool) throws {
        guard !isCompressed || version.number >= 41 else { return }
        let found = try recording(
            Self.fixture(version.number, isBigEndian: version.isBigEndian, isCompressed: isCompressed))
        #expect(found.header.format == "AcqKnowledge")
        #expect(found.streams.map(\.header.kind) == [.other, .ecg, .eda])
        #expect(found.streams.map(\.header.sampleRate) == [2_000, 1_000, 250])
        #expect(found.streams.map(\.header.channels[0].unit) == [.microsiemens, .millivolts, .microsiemens])
        #expect(found.streams.allSatisfy { $0.segments.count == 1 })
        #expect(found.streams[0].segments[0].block.samples == Self.computed)
        #expect(found.streams[1].segments[0].block.samples == Self.ecg)
        #expect(found.streams[2].segments[0].block.samples == Self.eda)
        #expect(found.markers == [Marker(onset: 0, label: "Segment 1"), Marker(onset: 2, label: "go")])
        #expect(found.header.notes.contains { $0.contains("\"EDA smoothed\" was computed") })
    }

    /// BIOPAC's amplifiers, as its program calls channels by itself.
    @Test(arguments: [
        ("ECG100C", "mV", StreamKind.ecg), ("EDA100C", "microsiemen", .eda), ("PPG100C", "Volts", .bvp),
        ("RSP100C", "Volts", .respiration), ("SKT100C", "degF", .temperature), ("EMG - EMG100C", "mV", .other),
    ])
    func `channels called by their amplifiers are told`(label: String, unit: String, kind: StreamKind) throws {
        let fixture = AcqKnowledgeFixture(channels: [.init(label: label, unit: unit, stored: [1, 2, 3])])
        #expect(try recording(fixture).streams.map(\.header.kind) == [kind])
    }

    private static func paused(_ version: Int, _ style: String, made: [Int]) -> AcqKnowledgeFixture {
        AcqKnowledgeFixture(
            version: version, milliseconds: 1,
            channels: [
                .init(label: "ECG", stored: (0..<9_000).map { Double($0) }),
                .init(label: "RSP", divider: 4, stored: (0..<2_250).map { Double($0) }),
            ],
            marks: [
                .init(tick: 0, label: "Segment 1", style: style, made: made[0]),
                .init(tick: 3_001, label: "Segment 2", style: style, made: made[1]),
                .init(tick: 5_000, label: "stop", made: 1),
            ])
    }

    @Test func `a pause is a gap as long as the marks' dates say`() throws {
        // 3.001 s were recorded, 63.001 s have passed.
        let found = try recording(Self.paused(128, "apnd", made: [1_700_000_000_000, 1_700_000_063_001]))
        #expect(found.header.start?.secondsSince1970 == 1_700_000_000 && found.header.duration == 69)
        let (ecg, rsp) = (found.streams[0], found.streams[1])
        #expect(
            ecg.segments.map(\.block.frameCount) == [3_001, 5_999]
                && rsp.segments.map(\.block.frameCount) == [751, 1_499])
        #expect(abs(ecg.gaps[0].onset - 3.001) < 1e-9 && abs(ecg.gaps[0].duration - 60) < 1e-9)
        #expect(abs(rsp.segments[1].start.onset - 63.004) < 1e-9)
        #expect([ecg.gaps[0], rsp.gaps[0]].allSatisfy { $0.reason == .fileGap })
        #expect(found.markers.map(\.label) == ["Segment 1", "Segment 2", "stop"])
        #expect(abs(found.markers[2].onset - 65) < 1e-9)
        #expect(found.header.notes.isEmpty)
    }

    @Test func `two pauses between two samples of a slow channel are one gap`() throws {
        var fixture = Self.paused(128, "apnd", made: [1_700_000_000_000, 1_700_000_063_001])
        fixture.marks.insert(.init(tick: 3_002, label: "Segment 3", style: "apnd", made: 1_700_000_083_002), at: 2)
        let found = try recording(fixture)
        #expect(found.streams[0].segments.map(\.block.frameCount) == [3_001, 1, 5_998])
        let rsp = found.streams[1]
        #expect(rsp.segments.map(\.block.frameCount) == [751, 1_499])
        #expect(abs(rsp.gaps[0].onset - 3.004) < 1e-9 && abs(rsp.gaps[0].duration - 80) < 1e-9)
    }

    @Test(arguments: [(45, "", [0, 0]), (84, "defl", [0, 0]), (128, "apnd", [1_700_000_000_000, 1_600_000_000_000])])
    func `a pause of unknown length parts the samples all the same`(version: Int, style: String, made: [Int]) throws {
        let found = try recording(Self.paused(version, style, made: made))
        #expect(found.streams.map(\.gaps.count) == [1, 1])
        let gap = found.streams[0].gaps[0]
        // A sample of the slower channel.
        #expect(abs(gap.onset - 3.001) < 1e-9 && abs(gap.duration - 0.004) < 1e-9)
        #expect(found.streams.allSatisfy { $0.gaps[0].reason == .unknownLength })
        #expect(found.header.notes.contains { $0.contains("not told: gaps of 0.004 s stand there") })
    }

    @Test func `a file that ends early gives what is there`() throws {
        let folder = try TemporaryFolder()
        let bytes = Self.fixture(128, isBigEndian: true, isCompressed: false).bytes
        let found = try Recording(reading: RecordingFile.open(folder.file("a.acq", Array(bytes.prefix(200_000)))))
        #expect(found.header.notes.contains { $0.contains("ends early") })
        let counts = found.streams.map(\.segments[0].block.frameCount)
        #expect(counts[0] > 18_000)
        #expect(abs(counts[0] - 2 * counts[1]) <= 2)
        #expect(abs(counts[1] - 4 * counts[2]) <= 4)
        #expect(found.streams[1].segments[0].block.samples == Array(Self.ecg.prefix(counts[1])))
    }

    @Test func `what cannot be is refused with its place`() throws {
        let folder = try TemporaryFolder()
        func refusal(_ bytes: [UInt8]) throws -> String? {
            let url = try folder.file("a.acq", bytes)
            return formatError { try Recording(reading: RecordingFile.open(url)) }
        }
        var fixture = Self.fixture(132, isBigEndian: true, isCompressed: true)
        let whole = fixture.bytes
        #expect(try refusal(Array(whole.dropLast(20)))?.contains("bytes that unpack to") == true)
        var damaged = whole
        for place in damaged.count - 9_000..<damaged.count - 8_000 { damaged[place] = 0xA5 }
        #expect(try refusal(damaged)?.contains("damaged or end early") != false)
        #expect(try refusal(Array(whole.prefix(3_000)))?.contains("ends within its headers") == true)
        #expect(
            try refusal(Array("not a recording at all".utf8) + [0])?.contains("does not begin with the header") == true)
        for place in fixture.channels.indices { fixture.channels[place].stored = [] }
        #expect(try refusal(fixture.bytes)?.contains("holds no samples") == true)
        fixture.axis = 2
        #expect(try refusal(fixture.bytes)?.contains("over frequencies") == true)
    }

    @Test func `it is told by its content`() throws {
        let fixture = Self.fixture(84, isBigEndian: true, isCompressed: false)
        #expect(try recording(fixture, name: "a.dat").header.format == "AcqKnowledge")
    }
}

/// Real recordings, beside what bioread reads in them.
@Suite(.enabled(if: OracleData.has("formats_acqknowledge/cases.json"))) struct AcqKnowledgeOracleTests {
    struct Case: Decodable, CustomTestStringConvertible {
        struct Channel: Decodable {
            var label: String
            var rate: Double
            var count: Int
            var step: Int
            var samples: [Double]
            var sum: Double
            var magnitude: Double
            var isComputed: Bool
        }

        struct Mark: Decodable {
            var onset: Double
            var label: String
        }

        var file: String
        var channels: [Channel]
        var markers: [Mark]

        var testDescription: String { file }
    }

    static let cases: [Case] = {
        struct All: Decodable { var cases: [Case] }
        guard OracleData.folder != nil,
            let data = try? Data(contentsOf: OracleData.url("formats_acqknowledge/cases.json"))
        else { return [] }
        return (try? JSONDecoder().decode(All.self, from: data).cases) ?? []
    }()

    @Test(arguments: cases)
    func `samples and markers are those that bioread reads`(expected: Case) throws {
        let url = OracleData.url("formats_acqknowledge/" + expected.file)
        let found = try Recording(reading: RecordingFile.open(url))
        var channels: [(label: String, rate: Double, samples: [Float])] = []
        for stream in found.streams {
            for (place, channel) in stream.header.channels.enumerated() {
                let samples = stream.segments.flatMap { $0.block.channel(place) }
                channels.append((channel.label, stream.header.sampleRate, samples))
            }
        }
        #expect(channels.count == expected.channels.count)
        for (place, channel) in expected.channels.enumerated() {
            // Of one name in the order of the file.
            let earlier = expected.channels[..<place].count { $0.label == channel.label }
            let same = channels.filter { $0.label == channel.label }
            guard earlier < same.count else {
                Issue.record("no channel \(channel.label)")
                continue
            }
            let (_, rate, samples) = same[earlier]
            #expect(abs(rate - channel.rate) < 1e-9 * rate)
            #expect(samples.count == channel.count)
            let scale = channel.samples.map(abs).max() ?? 0
            let read = stride(from: 0, to: samples.count, by: channel.step).map { Double(samples[$0]) }
            #expect(zip(read, channel.samples).allSatisfy { abs($0 - $1) <= 2e-7 * scale }, "\(channel.label)")
            let sum = samples.reduce(0) { $0 + ($1.isNaN ? 0 : Double($1)) }
            #expect(abs(sum - channel.sum) <= 1e-6 * channel.magnitude)
        }
        let marks = expected.markers.filter { $0.onset >= 0 }.sorted { $0.onset < $1.onset }
        #expect(found.markers.count == marks.count)
        // bioread knows no pauses.
        var gaps = found.streams[0].gaps[...]
        var delay = 0.0
        for (mark, wanted) in zip(found.markers, marks) {
            while let gap = gaps.first, gap.onset - delay < wanted.onset + 1e-6 {
                delay += gap.duration
                gaps.removeFirst()
            }
            #expect(abs(mark.onset - delay - wanted.onset) < 1e-6, "\(mark.label)")
        }
        #expect(Set(found.markers.map(\.label)) == Set(marks.map { $0.label.isEmpty ? "n/a" : $0.label }))
    }
}
