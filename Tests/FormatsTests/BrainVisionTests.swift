import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// BrainVision recordings of known content.
struct BrainVisionFixture {
    var frames = 1_000
    var format = "INT_16"
    var orientation = "MULTIPLEXED"
    var isBigEndian = false
    var names = ["Fp1", "Cz\\1x"]
    var markers = ["Mk1=New Segment,,1,1,0,20240301120000500000", "Mk2=Stimulus,S  1,11,1,0"]

    /// Sample of channel `channel` at `frame`, as stored.
    static func stored(_ channel: Int, _ frame: Int) -> Int { (frame * (channel + 3)) % 2_001 - 1_000 }

    var header: String {
        """
        Brain Vision Data Exchange Header File Version 1.0
        ; a comment
        [Common Infos]
        Codepage=UTF-8
        DataFile=a.eeg
        MarkerFile=a.vmrk
        DataFormat=BINARY
        DataOrientation=\(orientation)
        NumberOfChannels=3
        SamplingInterval=2000
        [Binary Infos]
        BinaryFormat=\(format)
        UseBigEndianOrder=\(isBigEndian ? "YES" : "NO")
        [Channel Infos]
        Ch1=\(names[0]),,0.5,µV
        Ch2=\(names[1]),,,
        Ch3=ECG,REF,0.001,mV
        [Comment]
        [not a section]
        """
    }

    var data: [UInt8] {
        func bytes(_ value: Int) -> [UInt8] {
            let wide: UInt64 =
                switch format {
                case "IEEE_FLOAT_32": UInt64(Float(value).bitPattern)
                case "IEEE_FLOAT_64": Double(value).bitPattern
                default: UInt64(truncatingIfNeeded: format == "UINT_16" ? value + 1_000 : value)
                }
            let count = ["INT_16": 2, "UINT_16": 2, "IEEE_FLOAT_64": 8][format] ?? 4
            let little = (0..<count).map { UInt8(truncatingIfNeeded: wide >> (8 * UInt64($0))) }
            return isBigEndian ? little.reversed() : little
        }
        if orientation == "VECTORIZED" {
            return (0..<3).flatMap { c in (0..<frames).flatMap { bytes(Self.stored(c, $0)) } }
        }
        return (0..<frames).flatMap { f in (0..<3).flatMap { bytes(Self.stored($0, f)) } }
    }

    func write(to folder: TemporaryFolder) throws -> URL {
        _ = try folder.file("a.eeg", data)
        let lines = ["Brain Vision Data Exchange Marker File, Version 1.0", "[Marker Infos]"] + markers
        _ = try folder.file("a.vmrk", lines.joined(separator: "\r\n"))
        return try folder.file("a.vhdr", header)
    }
}

struct BrainVisionTests {
    @Test(
        arguments: ["INT_16", "UINT_16", "INT_32", "IEEE_FLOAT_32", "IEEE_FLOAT_64"],
        [("MULTIPLEXED", false), ("VECTORIZED", false), ("MULTIPLEXED", true)])
    func allStoragesGiveTheSameSamples(format: String, layout: (String, Bool)) throws {
        let folder = try TemporaryFolder()
        let fixture = BrainVisionFixture(format: format, orientation: layout.0, isBigEndian: layout.1)
        let recording = try Recording(reading: RecordingFile.open(fixture.write(to: folder)))
        let offset = format == "UINT_16" ? 1_000 : 0
        #expect(recording.header.streams.map(\.kind) == [.eeg, .other, .ecg])
        #expect(recording.header.streams[1].channels == [Channel(label: "Cz,x", unit: .microvolts)])
        for (index, gain) in [0.5, 1, 0.001].enumerated() {
            let segment = recording.streams[index].segments[0]
            #expect(segment.start.sampleRate == 500 && segment.block.frameCount == 1_000)
            #expect(
                segment.block.samples
                    == (0..<1_000).map { Float(Double(BrainVisionFixture.stored(index, $0) + offset) * gain) })
        }
        #expect(recording.markers == [Marker(onset: 0.02, label: "Stimulus/S  1")])
        #expect(recording.header.start?.description == "2024-03-01T12:00:00.500Z")
    }

    @Test(arguments: [["1", "2"], ["Ch1", "Ch2"], ["Channel 61", "Chan 62"]])
    func channelsThatAreOnlyNumberedAreEEG(names: [String]) throws {
        let folder = try TemporaryFolder()
        let recording = try Recording(reading: BrainVisionReader(BrainVisionFixture(names: names).write(to: folder)))
        #expect(recording.streams.map(\.header.kind) == [.eeg, .ecg])
        #expect(recording.streams.first?.header.channels.map(\.label) == names)
        #expect(recording.header.notes.contains { $0.contains("taken for EEG") })
    }

    @Test func besideNamedElectrodesANumberIsNone() throws {
        let folder = try TemporaryFolder()
        let recording = try Recording(
            reading: BrainVisionReader(BrainVisionFixture(names: ["Fp1", "7"]).write(to: folder)))
        #expect(recording.streams.map(\.header.kind) == [.eeg, .other, .ecg])
    }

    @Test func newSegmentsAreRunsWithGapsAsLongAsTheirDatesSay() throws {
        let folder = try TemporaryFolder()
        let fixture = BrainVisionFixture(markers: [
            "Mk1=New Segment,,1,1,0,20240301120000000000", "Mk2=New Segment,,501,1,0,20240301120003000000",
            "Mk3=Stimulus,S1,511,50,2", "Mk4=New Segment,,801,1,0,0", "Mk5=Comment,end,1000,0,0",
        ])
        let recording = try Recording(reading: RecordingFile.open(fixture.write(to: folder)))
        let segments = recording.streams[0].segments
        #expect(segments.map(\.start.onset) == [0, 3, 3.6])
        #expect(segments.map(\.start.sample) == [0, 500, 800])
        #expect(segments[1].start.gap == Gap(onset: 1, duration: 2, reason: .fileGap))
        #expect(segments[2].start.gap == Gap(onset: 3.6, duration: 0, reason: .fileGap))
        #expect(recording.header.notes.contains { $0.contains("unknown length") })
        #expect(recording.markers.map(\.onset) == [3.02, 3.6 + 199.0 / 500])
        #expect(recording.markers[0].duration == 0.1 && recording.markers[0].stream == "other")
        #expect(recording.header.duration == 4)
    }

    @Test func eachOfTheFilesOpensTheRecording() throws {
        let folder = try TemporaryFolder()
        let url = try BrainVisionFixture().write(to: folder)
        for ending in ["vhdr", "eeg", "vmrk"] {
            let place = url.deletingPathExtension().appendingPathExtension(ending)
            #expect(try RecordingFile.open(place).header.format == "BrainVision")
            #expect(try RecordingFile.files(of: place).map(\.lastPathComponent) == ["a.vhdr", "a.eeg", "a.vmrk"])
        }
    }

    @Test func renamedFilesAreFoundByTheHeadersName() throws {
        let folder = try TemporaryFolder()
        let url = try BrainVisionFixture().write(to: folder)
        for ending in ["vhdr", "eeg", "vmrk"] {
            let place = url.deletingPathExtension().appendingPathExtension(ending)
            try FileManager.default.moveItem(
                at: place, to: folder.url.appendingPathComponent("b").appendingPathExtension(ending))
        }
        let reader = try RecordingFile.open(folder.url.appendingPathComponent("b.vhdr"))
        #expect(reader.header.notes.contains("a.eeg is not there; b.eeg was read instead"))
    }

    @Test(arguments: [
        ("NumberOfChannels=3", "NumberOfChannels=4", "no entry Ch4"),
        ("SamplingInterval=2000", "SamplingInterval=0", "SamplingInterval"),
        ("DataFormat=BINARY", "DataFormat=ASCII", "export it as binary"),
        ("Ch1=Fp1,,0.5,µV", "Ch1=Fp1,,half,µV", "line 15: the resolution of channel 1 is \"half\""),
        ("BinaryFormat=INT_16", "BinaryFormat=INT_12", "INT_12"),
        ("DataFile=a.eeg", "DataFile=c.dat", ""),
    ])
    func aWrongHeaderIsAnErrorThatSaysWhere(from: String, to: String, expected: String) throws {
        let folder = try TemporaryFolder()
        let fixture = BrainVisionFixture()
        _ = try fixture.write(to: folder)
        let url = try folder.file("a.vhdr", fixture.header.replacing(from, with: to))
        let error = formatError { try RecordingFile.open(url) }
        if expected.isEmpty {
            #expect(error == nil)
        } else {
            #expect(error?.contains(expected) == true && error?.contains("a.vhdr") == true, "\(error ?? "none")")
        }
    }

    @Test(.enabled(if: RealData.has("brainvision/test.vhdr")))
    func aRealRecordingIsReadToTheLastSample() throws {
        let url = RealData.url("brainvision/test.vhdr")
        let recording = try Recording(reading: RecordingFile.open(url))
        let bytes = try [UInt8](Data(contentsOf: RealData.url("brainvision/test.eeg")))
        let eeg = recording.streams(of: .eeg)[0]
        #expect(eeg.header.sampleRate == 1_000 && eeg.segments.count == 1)
        let block = eeg.segments[0].block
        #expect(block.frameCount == 7_900)
        let stored = (0..<7_900).map { frame in
            Float(Int16(bitPattern: UInt16(bytes[frame * 64]) | UInt16(bytes[frame * 64 + 1]) << 8)) * 0.5
        }
        #expect(block.channel(0) == stored)
        #expect(recording.markers.count == 13)
        #expect(recording.markers.first == Marker(onset: 0.486, label: "Stimulus/S253"))
        #expect(recording.header.start?.description == "2013-11-13T16:14:03.794Z")
        #expect(recording.header.streams.map(\.channels.count).reduce(0, +) == 32)
    }
}
