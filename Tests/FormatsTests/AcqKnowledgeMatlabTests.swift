import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// MATLAB files that AcqKnowledge saved.
struct AcqKnowledgeMatlabTests {
    private static let rows = 20_000

    private static func sample(_ channel: Int, _ row: Int) -> Double { Double((row * (channel + 2)) % 251) / 8 }

    static func fixture(
        isCompressed: Bool = false, isBigEndian: Bool = false, stored: MatlabFixture.Stored = .double,
        rows: Int = rows, changed: [String: MatlabFixture.Value] = [:]
    ) -> [UInt8] {
        let samples = (0..<3).flatMap { channel in
            (0..<rows).map { stored == .double ? sample(channel, $0) : (sample(channel, $0) * 8).rounded() }
        }
        let variables: [(String, MatlabFixture.Value)] = [
            ("data", .numbers(samples, shape: [rows, 3], stored: stored)),
            ("units", .lines(["mV", "microsiemens", "Volts"])),
            ("labels", .lines(["ECG100C", "EDA (0 - 35 Hz)", "Digital input"])),
            ("isi", .number(0.5)), ("isi_units", .text("ms")), ("start_sample", .number(0)),
        ]
        return MatlabFixture(
            isBigEndian: isBigEndian, isCompressed: isCompressed,
            variables: variables.map { ($0.0, changed[$0.0] ?? $0.1) }
        ).bytes
    }

    private func read(_ bytes: [UInt8]) throws -> Recording {
        let folder = try TemporaryFolder()
        return try Recording(reading: RecordingFile.open(folder.file("a.mat", bytes)))
    }

    @Test(arguments: [false, true], [false, true])
    func `samples, rate, labels and units are what was saved`(isCompressed: Bool, isBigEndian: Bool) throws {
        let recording = try read(Self.fixture(isCompressed: isCompressed, isBigEndian: isBigEndian))
        #expect(recording.header.format == "AcqKnowledge MATLAB" && recording.header.notes.isEmpty)
        #expect(recording.header.duration == 10 && recording.streams.map(\.header.sampleRate) == [2_000, 2_000, 2_000])
        #expect(recording.streams.map(\.header.kind) == [.ecg, .eda, .other])
        #expect(
            recording.streams.flatMap(\.header.channels) == [
                Channel(label: "ECG100C", unit: .millivolts), Channel(label: "EDA (0 - 35 Hz)", unit: .microsiemens),
                Channel(label: "Digital input", unit: .volts),
            ])
        for (channel, stream) in recording.streams.enumerated() {
            #expect(stream.segments.map(\.block.samples) == [(0..<Self.rows).map { Float(Self.sample(channel, $0)) }])
        }
    }

    @Test func `whole numbers that take less room are read, and a selection's begin is told`() throws {
        let recording = try read(Self.fixture(stored: .uint8, rows: 500, changed: ["start_sample": .number(1_500)]))
        #expect(recording.streams[0].segments[0].block.samples == (0..<500).map { Float(Self.sample(0, $0) * 8) })
        #expect(recording.header.notes == ["the file's times begin at 1.5 s; time 0 is that of the first sample"])
    }

    @Test(arguments: [
        ("labels", MatlabFixture.Value.lines(["ECG", "EDA"]), "3 columns of data, 2 labels and 3 units"),
        ("isi", .number(0), "tells no interval"), ("isi_units", .text("kHz"), "tells no interval"),
        ("data", .text("none"), "has no samples"), ("units", .number(3), "3 labels and 0 units"),
    ])
    func `variables that do not fit are refused`(name: String, value: MatlabFixture.Value, problem: String) {
        let refusal = formatError { try read(Self.fixture(rows: 100, changed: [name: value])) }
        #expect(refusal?.contains(problem) == true, "\(refusal ?? "none")")
    }
}
