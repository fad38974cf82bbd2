import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Holter recordings in the ISHNE format.
struct ISHNETests {
    /// Two leads, 200 Hz, resolution 5 µV, 1 s.
    static var fixture: [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 522)
        func put(_ value: Int, at place: Int, _ count: Int = 2) {
            for index in 0..<count { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
        }
        bytes.replaceSubrange(0..<8, with: Array("ISHNE1.0".utf8))
        put(200, at: 14, 4)
        put(522, at: 18, 4)
        put(522, at: 22, 4)
        for (place, value) in [(138, 24), (140, 12), (142, 2023), (150, 23), (152, 59), (154, 58)] {
            put(value, at: place)
        }
        put(2, at: 156)
        put(6, at: 158)
        put(11, at: 160)
        put(5_000, at: 206)
        put(2_500, at: 208)
        put(200, at: 272)
        var sum: UInt16 = 0xFFFF
        for byte in bytes[10...] {
            sum ^= UInt16(byte) << 8
            for _ in 0..<8 { sum = sum & 0x8000 != 0 ? sum << 1 ^ 0x1021 : sum << 1 }
        }
        put(Int(sum), at: 8)
        for frame in 0..<200 {
            for value in [frame - 100, 2 * frame] {
                bytes += [UInt8(truncatingIfNeeded: value), UInt8(truncatingIfNeeded: value >> 8)]
            }
        }
        return bytes
    }

    @Test func leadsAreReadInMillivolts() throws {
        let folder = try TemporaryFolder()
        let recording = try Recording(reading: RecordingFile.open(folder.file("a.bin", Self.fixture)))
        #expect(recording.header.notes.isEmpty)
        #expect(recording.header.start?.description == "2023-12-24T23:59:58.000Z")
        let stream = recording.streams[0]
        #expect(stream.header.channels.map(\.label) == ["II", "V1"] && stream.header.sampleRate == 200)
        let block = stream.segments[0].block
        #expect(block.channel(0) == (0..<200).map { Float(Double($0 - 100) * 0.005) })
        #expect(block.channel(1) == (0..<200).map { Float(Double(2 * $0) * 0.0025) })
    }

    @Test func oddFilesAreReadWithANote() throws {
        let folder = try TemporaryFolder()
        var changed = Self.fixture
        changed[28] = 0x41
        #expect(try RecordingFile.open(folder.file("a.ecg", changed)).header.notes.contains { $0.contains("checksum") })
        let cut = Array(Self.fixture.prefix(522 + 302))
        let reader = try RecordingFile.open(folder.file("b.ecg", cut))
        #expect(reader.header.notes.contains { $0.contains("counts 200 samples a lead, the file has 75") })
        #expect(try Recording(reading: reader).streams[0].segments[0].block.frameCount == 75)
    }

    @Test(arguments: [(156, "byte 156"), (206, "byte 206"), (272, "byte 272"), (22, "byte 22")])
    func impossibleHeadersAreErrors(place: Int, expected: String) throws {
        let folder = try TemporaryFolder()
        var bytes = Self.fixture
        bytes[place] = 0
        bytes[place + 1] = 0
        let error = formatError { try RecordingFile.open(folder.file("a.ecg", bytes)) }
        #expect(error?.contains(expected) == true)
    }

    @Test(.enabled(if: RealData.has("holter_ishne/holter.ecg.gz")))
    func aRealRecordingIsReadWhole() throws {
        let recording = try Recording(reading: RecordingFile.open(RealData.url("holter_ishne/holter.ecg.gz")))
        #expect(recording.header.notes == ["recorded by Lifecard CF"])
        let stream = recording.streams[0]
        #expect(stream.header.channels.count == 3 && stream.header.sampleRate == 128)
        #expect(stream.segments[0].block.frameCount == 597_376)
        #expect(recording.header.start?.description == "2019-08-09T10:05:00.000Z")
        // The first samples of the calibration: −205 and 205 steps of 2.441 µV.
        #expect(stream.segments[0].block.samples[0] == Float(-205 * 0.002441))
    }

    @Test(.enabled(if: RealData.has("cinc2017/A00001.mat")))
    func aMatlabFileIsReadWithTheHeaderBesideIt() throws {
        let recording = try Recording(reading: RecordingFile.open(RealData.url("cinc2017/A00001.mat")))
        #expect(recording.header.format == "WFDB" && recording.streams[0].segments[0].block.frameCount == 9_000)
        let folder = try TemporaryFolder()
        let bytes = try [UInt8](Data(contentsOf: RealData.url("cinc2017/A00001.mat")))
        let error = formatError { try RecordingFile.open(folder.file("A1.mat", bytes)) }
        #expect(error?.contains("put its WFDB header A1.hea beside it") == true)
    }
}
