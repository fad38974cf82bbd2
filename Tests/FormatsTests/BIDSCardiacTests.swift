import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// What the columns of BIDS physio are where their names do not tell it.
struct BIDSCardiacTests {
    /// A file of three columns with this sidecar, and what keeps it there.
    private static func physio(_ entity: String, _ sidecar: String) throws -> (folder: TemporaryFolder, url: URL) {
        let folder = try TemporaryFolder()
        let name = "sub-01_task-rest\(entity)_physio"
        let plain = try folder.file(name + ".tsv", (0..<200).map { "\($0 % 7)\t\($0 % 5)\t\($0 % 3)\n" }.joined())
        try Process.run(URL(fileURLWithPath: "/bin/gzip"), arguments: ["-n", plain.path]).waitUntilExit()
        _ = try folder.file(name + ".json", sidecar)
        return (folder, plain.appendingPathExtension("gz"))
    }

    private static func sidecar(_ cardiac: String) -> String {
        #"{"SamplingFrequency": 50, "StartTime": 0, "Columns": ["cardiac", "respiratory", "x"], "cardiac": \#(cardiac)}"#
    }

    @Test(arguments: [
        ("", #"{"Units": "V", "Description": "continuous pulse measurement"}"#, StreamKind.bvp, false),
        ("", #"{"Units": "mV", "Description": "ECG lead II"}"#, .ecg, false),
        ("", #"{"Description": "Electrocardiogram"}"#, .ecg, false),
        ("", #"{"Units": "V", "LongName": "Photoplethysmogram"}"#, .bvp, false),
        ("", #"{"Units": "V", "Model": "PPG100C"}"#, .bvp, false),
        ("_recording-ppg", #"{"Units": "V"}"#, .bvp, false), ("_recording-ecg", "{}", .ecg, false),
        ("_recording-ecg", #"{"Description": "pulse oximeter"}"#, .bvp, false),
        ("_recording-cardiac", #"{"Units": "mV"}"#, .ecg, true),
        ("", #"{"Units": "mV", "Description": "cardiac"}"#, .ecg, true),
        ("", #"{"Units": "mV", "Description": "pulse or ECG"}"#, .ecg, true), ("", "{}", .bvp, true),
    ])
    func whatIsCardiacIsToldBySidecarThenByNameAndOnlyThenGuessedByUnit(
        entity: String, cardiac: String, kind: StreamKind, isGuessed: Bool
    ) throws {
        let (folder, url) = try Self.physio(entity, Self.sidecar(cardiac))
        let header = try withExtendedLifetime(folder) { try RecordingFile.open(url).header }
        #expect(header.streams.map(\.kind) == [kind, .respiration, .other])
        let notes = header.notes.filter { $0.hasPrefix("cardiac: taken for ") }
        #expect(notes.count == (isGuessed ? 1 : 0) && notes.allSatisfy { $0.contains("Description") }, "\(notes)")
    }

    @Test(arguments: [StreamKind.ecg, .bvp])
    func whatWeWriteOfCardiacSignalsLeavesNothingToGuess(kind: StreamKind) throws {
        let folder = try TemporaryFolder()
        let header = StreamHeader(
            name: "a", kind: kind, channels: [Channel(label: "cardiac", unit: .millivolts)], sampleRate: 10)
        let segment = Segment(
            start: SegmentStart(onset: 0, sample: 0, sampleRate: 10), block: SampleBlock((0..<30).map { Float($0) }))
        let recording = Recording(
            header: RecordingHeader(format: "test"), streams: [Stream(header: header, segments: [segment])])
        let url = folder.url.appendingPathComponent("sub-01_task-rest_physio.tsv.gz")
        _ = try BIDSPhysioWriter.write(RecordedEvents(recording), to: url)
        let back = try RecordingFile.open(url).header
        #expect(back.streams.map(\.kind) == [kind] && !back.notes.contains { $0.contains("taken for") })
    }

    @Test func aColumnMapSaysWhatTheColumnsOfTheSidecarAre() throws {
        let (folder, url) = try Self.physio("", Self.sidecar(#"{"Units": "mV"}"#))
        let map = ColumnMap(
            sampleRate: 64,
            columns: [
                .init(column: "Cardiac", kind: .bvp, label: "finger"), .init(column: "3", kind: .eda, unit: "uS"),
                .init(column: "breath", kind: .respiration),
            ])
        let header = try withExtendedLifetime(folder) { try RecordingFile.open(url, columnsOfText: map).header }
        #expect(header.streams.map(\.kind) == [.bvp, .respiration, .eda])
        #expect(header.streams.allSatisfy { $0.sampleRate == 50 })
        #expect(header.streams[0].channels == [Channel(label: "finger", unit: .millivolts)])
        #expect(header.streams[2].channels == [Channel(label: "x", unit: .microsiemens)])
        #expect(header.notes.contains { $0.contains("the column map tells of breath") })
        #expect(header.notes.contains { $0.contains("64 Hz is not used") })
        #expect(!header.notes.contains { $0.contains("taken for") })
    }
}
