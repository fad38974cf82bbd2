import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// A small Avro file with numbers of known content.
struct AvroFixture {
    private var content: [UInt8] = []

    static func long(_ value: Int) -> [UInt8] {
        var folded = UInt(bitPattern: value << 1 ^ value >> 63)
        var bytes: [UInt8] = []
        while folded >= 0x80 {
            bytes.append(UInt8(folded & 0x7F) | 0x80)
            folded >>= 7
        }
        return bytes + [UInt8(folded)]
    }

    static func text(_ text: String) -> [UInt8] { long(text.utf8.count) + Array(text.utf8) }

    private static func float(_ value: Float) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt32($0))) }
    }

    private static let schema = """
        {"type":"record","name":"Session","fields":[{"name":"rawData","type":{"type":"record","name":"Raw","fields":[
        {"name":"eda","type":{"type":"record","name":"Series","fields":[{"name":"timestampStart","type":"long"},
        {"name":"samplingFrequency","type":"float"},{"name":"values","type":{"type":"array","items":"float"}}]}},
        {"name":"temperature","type":"Series"},{"name":"tags","type":{"type":"record","name":"Tags","fields":[
        {"name":"tagsTimeMicros","type":{"type":"array","items":"long"}}]}}]}},{"name":"enrollment","type":{"type":"record",
        "name":"Enrollment","fields":[{"name":"participantID","type":"string"}]}}]}
        """

    /// EDA at 4 Hz and temperature at 1 Hz from 2023-11-14T22:13:20Z, one tag after 2 s.
    static func session(
        start: Int = 1_700_000_000_000_000, rate: Float = 4, tag: Int? = nil, of participant: String = "",
        eda: [Float], temperature: [Float]
    ) -> [UInt8] {
        func series(_ rate: Float, _ values: [Float]) -> [UInt8] {
            long(start) + float(rate) + (values.isEmpty ? [] : long(values.count) + values.flatMap(float)) + [0]
        }
        let content =
            series(rate, eda) + series(1, temperature) + long(1) + long(tag ?? start + 2_000_000) + [0]
            + text(participant)
        let sync = (0..<16).map { UInt8($0) }
        return [0x4F, 0x62, 0x6A, 1] + long(1) + text("avro.schema") + text(schema) + [0] + sync + long(1)
            + long(content.count) + content + sync
    }
}

struct EmbracePlusTests {
    @Test func sensorsAndTagsAreRead() throws {
        let folder = try TemporaryFolder()
        let bytes = AvroFixture.session(eda: (0..<40).map { Float($0) / 8 }, temperature: [30, 31, 32])
        let recording = try Recording(reading: RecordingFile.open(folder.file("a.bin", bytes)))
        #expect(recording.header.format == "Empatica EmbracePlus")
        #expect(recording.header.start?.secondsSince1970 == 1_700_000_000 && recording.header.duration == 10)
        #expect(recording.streams.map(\.header.kind) == [.eda, .temperature])
        #expect(recording.streams[0].segments[0].block.samples == (0..<40).map { Float($0) / 8 })
        #expect(recording.streams[1].header.channels[0].unit == .degreesCelsius)
        #expect(recording.markers == [Marker(onset: 2, label: "tag")])
    }

    /// A folder of two files of 10 s, the second of which begins some seconds after the first.
    private func folder(after seconds: Double, participants: [String] = ["A", "A"]) throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        for (index, participant) in participants.enumerated() {
            let start = 1_700_000_000_000_000 + Int(Double(index) * seconds * 1e6)
            let bytes = AvroFixture.session(
                start: start, of: participant, eda: (0..<40).map(Float.init), temperature: (0..<10).map(Float.init))
            try Data(bytes).write(to: folder.url.appendingPathComponent("\(index).avro"))
        }
        return folder
    }

    @Test(arguments: [(10.0, 1, 10.0), (10.2, 1, 10), (9.8, 1, 10), (9, 2, 10), (14, 2, 14)])
    func `files of one session follow each other`(seconds: Double, runs: Int, onset: Double) throws {
        let folder = try folder(after: seconds)
        let recording = try withExtendedLifetime(folder) { try Recording(reading: RecordingFile.open($0.url)) }
        #expect(recording.header.subject == "A")
        #expect(recording.streams[0].segments.count == runs)
        #expect(runs == 1 || recording.streams[0].segments[1].start.onset == onset)
    }

    @Test(arguments: [0.0, 2, 7.5])
    func `files of the same time are refused, as a copy would move what comes after it`(seconds: Double) throws {
        let folder = try folder(after: seconds)
        let message = formatError { try RecordingFile.open(folder.url) }
        #expect(message?.contains("1.avro") == true && message?.contains("the same time as 0.avro") == true)
    }

    @Test func `files of two participants are refused`() throws {
        let folder = try folder(after: 20, participants: ["A", "B"])
        let message = formatError { try RecordingFile.open(folder.url) }
        #expect(message?.contains("is of the participant B, those before it of A") == true, "\(message ?? "none")")
        let unknown = try self.folder(after: 20, participants: ["A", ""])
        #expect(try withExtendedLifetime(unknown) { try RecordingFile.open($0.url).header.subject } == "A")
    }

    private func cases() throws -> [String: [String: Any]] {
        let json = try Data(contentsOf: OracleData.url("formats_avro/cases.json"))
        return try #require(try JSONSerialization.jsonObject(with: json) as? [String: [String: Any]])
    }

    @Test(.enabled(if: OracleData.has("formats_avro/cases.json")), arguments: ["a.avro", "b.avro"])
    func valuesAreThoseOfFastavro(name: String) throws {
        let known = try #require(try cases()[name])
        let recording = try Recording(reading: RecordingFile.open(OracleData.url("formats_avro/\(name)")))
        #expect(recording.header.subject == "P07")
        func numbers(_ key: String) -> [Double] { known[key] as? [Double] ?? [] }
        let acceleration = recording.streams(of: .acceleration)[0].segments[0]
        #expect(acceleration.block.channel(0) == numbers("x").map { Float($0 / 1_024 / 2) })
        #expect(acceleration.block.channel(2) == numbers("z").map { Float($0 / 2_048) })
        #expect(acceleration.start.onset == 0.000807 || abs(acceleration.start.onset - 0.000807) < 1e-6)
        #expect(acceleration.start.sampleRate == numbers("rate").first ?? known["rate"] as? Double)
        for (kind, key) in [(StreamKind.eda, "eda"), (.bvp, "bvp"), (.temperature, "temperature")] {
            #expect(recording.streams(of: kind)[0].segments[0].block.samples == numbers(key).map { Float($0) })
        }
        let peaks = recording.streams.first { $0.header.name == "systolicPeaks" }?.values ?? []
        #expect(peaks.count == 5 && peaks[0].values[0].isNaN)
        #expect(peaks.dropFirst().allSatisfy { abs($0.values[0] - 0.850000001) < 1e-6 })
    }

    @Test(.enabled(if: OracleData.has("formats_avro/cases.json")))
    func filesThatFollowEachOtherAreOneRun() throws {
        let recording = try Recording(reading: RecordingFile.open(OracleData.url("formats_avro")))
        let bvp = recording.streams(of: .bvp)[0]
        // a and b follow each other; c begins 40 s after the end of b.
        #expect(bvp.segments.count == 2)
        #expect(bvp.segments[0].block.frameCount == 2 * 1_920)
        #expect(abs(bvp.segments[0].start.sampleRate - 64.0022964) < 0.01)
        let gap = try #require(bvp.gaps.first)
        #expect(gap.reason == .deviceLost && abs(gap.onset - 60) < 0.02 && abs(gap.duration - 40) < 0.02)
        #expect(recording.markers.count == 3)
        #expect(try RecordingFile.files(of: OracleData.url("formats_avro")).count == 3)
    }

    @Test(.enabled(if: OracleData.has("formats_avro/cases.json")))
    func otherAvroFilesAreRefusedWithAReason() throws {
        let codec = formatError { try RecordingFile.open(OracleData.url("formats_avro/bzip2.other")) }
        #expect(codec?.contains("compressed by bzip2; null and deflate are read") == true)
        let kind = formatError { try RecordingFile.open(OracleData.url("formats_avro/people.other")) }
        #expect(kind?.contains("Person; those of an Empatica EmbracePlus are read") == true)
    }
}
