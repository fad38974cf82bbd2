import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// `.easy` files of Neuroelectrics.
struct EasyTests {
    private static func rows(electrodes: Int, axes: Int, count: Int = 1_000) -> String {
        (0..<count).map { row in
            let eeg = (0..<electrodes).map { "\(1_000 * ($0 + 1) + row)" }
            let motion = ["100", "-50", "9807"].prefix(axes)
            return (eeg + motion + [row == 250 || row == 251 ? "3" : "0", "\(1_614_935_472_000 + 2 * row)"])
                .joined(separator: "\t") + "\n"
        }.joined()
    }

    private static func info(_ labels: [String]) -> String {
        "Step Details\nStartDate (firstEEGtimestamp): 1614935472000\nEEG Settings\n"
            + "Number of EEG channels: \(labels.count)\nEEG sampling rate: 500 Samples/second\nEEG units: nV\nEEG montage:\n"
            + labels.enumerated().map { "\tChannel \($0.offset + 1): \($0.element)\n" }.joined()
    }

    private func read(_ text: String, info: String?, in folder: URL) throws -> Recording {
        let file = folder.appendingPathComponent("rest.easy")
        try Data(text.utf8).write(to: file)
        if let info { try Data(info.utf8).write(to: folder.appendingPathComponent("rest.info")) }
        return try Recording(reading: RecordingFile.open(file))
    }

    @Test(arguments: [0, 3])
    func electrodesHaveTheNamesOfTheFileBeside(axes: Int) throws {
        try withTemporaryFolder { folder in
            let labels = ["Fz", "Cz", "Pz", "EOG"]
            let recording = try read(
                Self.rows(electrodes: 4, axes: axes), info: Self.info(labels), in: folder)
            #expect(recording.header.start == Timestamp(secondsSince1970: 1_614_935_472))
            let eeg = try #require(recording.streams.first { $0.header.kind == .eeg })
            #expect(eeg.header.channels.map(\.label) == ["Fz", "Cz", "Pz"])
            #expect(eeg.header.sampleRate == 500)
            #expect(eeg.segments.count == 1 && eeg.segments[0].block.frameCount == 1_000)
            #expect(eeg.header.channels[0].unit.factor(to: .microvolts) == 1e-3)
            let motion = recording.streams.first { $0.header.kind == .acceleration }
            #expect((motion != nil) == (axes == 3))
            #expect(motion?.header.channels[0].unit.factor(to: .g).map { abs($0 * 9_806.65 - 1) < 1e-9 } ?? true)
            #expect(recording.markers.map(\.onset) == [0.5])
            #expect(recording.markers[0].label == "3")
        }
    }

    @Test func withoutThatFileElectrodesAreCounted() throws {
        try withTemporaryFolder { folder in
            let recording = try read(Self.rows(electrodes: 8, axes: 3), info: nil, in: folder)
            #expect(recording.streams.first { $0.header.kind == .eeg }?.header.channels.map(\.label).last == "Ch8")
            #expect(recording.header.notes.contains { $0.contains(".info") })
        }
    }

    @Test func otherColumnsThanToldAreRefused() throws {
        try withTemporaryFolder { folder in
            let error = #expect(throws: FormatError.self) {
                try read(Self.rows(electrodes: 8, axes: 3), info: Self.info(["Fz", "Cz"]), in: folder)
            }
            #expect(error?.problem.contains("has 13 cells, expected 2 electrodes") == true)
        }
    }

    @Test func theFileBesideIsAnInput() throws {
        try withTemporaryFolder { folder in
            _ = try read(
                Self.rows(electrodes: 8, axes: 0), info: Self.info(Array(repeating: "Cz", count: 8)), in: folder)
            let inputs = try RecordingFile.inputs(of: folder.appendingPathComponent("rest.easy"))
            #expect(inputs.map(\.lastPathComponent) == ["rest.easy", "rest.info"])
        }
    }
}
