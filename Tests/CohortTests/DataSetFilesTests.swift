import Cohort
import Formats
import Foundation
import Signals
import Study
import TestSupport
import Testing

/// EEGLAB's data sets of two files, the set and its samples, belong together wherever they go.
struct DataSetFilesTests {
    /// A MATLAB file of level 5 with the fields of a data set of 2 channels, 500 frames at 250 Hz, whose samples are in a file.
    private static func set(samplesIn name: String) -> [UInt8] {
        func little(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        func element(_ type: Int, _ data: [UInt8]) -> [UInt8] {
            little(type) + little(data.count) + data + [UInt8](repeating: 0, count: (8 - data.count % 8) % 8)
        }
        func array(_ name: String, _ kind: Int, _ count: Int, _ content: [UInt8]) -> [UInt8] {
            let head = element(6, little(kind) + little(0)) + element(5, little(1) + little(count))
            return element(14, head + element(1, Array(name.utf8)) + content)
        }
        func number(_ name: String, _ value: Double) -> [UInt8] {
            array(name, 6, 1, element(9, withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }))
        }
        let head = Array("MATLAB 5.0 MAT-file".utf8) + [UInt8](repeating: 0x20, count: 105) + [0x00, 0x01, 0x49, 0x4D]
        return head + number("nbchan", 2) + number("pnts", 500) + number("trials", 1) + number("srate", 250)
            + array("data", 4, name.utf8.count, element(16, Array(name.utf8)))
    }

    private static func samples(_ value: Float) -> Data {
        let bits = withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) }
        return Data((0..<1_000).flatMap { _ in bits })
    }

    @Test func `samples beside a set are among the files of a BIDS recording, and another state of them is noticed`()
        throws
    {
        try withTemporaryFolder { folder in
            let stem = "sub-01/eeg/sub-01_task-rest_eeg"
            try BIDSFolder.make(["\(stem).fdt", "sub-01/eeg/sub-01_task-rest_channels.tsv"], in: folder)
            try Data(Self.set(samplesIn: "sub-01_task-rest_eeg.fdt")).write(
                to: folder.appendingPathComponent("\(stem).set"))
            let fdt = folder.appendingPathComponent("\(stem).fdt")
            try Self.samples(1).write(to: fdt)
            func unit() throws -> CohortUnit { try #require(try BIDSDataset(folder).units().first) }
            let first = try unit()
            let files = ["\(stem).set", "\(stem).fdt", "sub-01/eeg/sub-01_task-rest_channels.tsv"]
            #expect(first.recording == "\(stem).set" && first.files.map(\.path) == files)
            #expect(first.bytes > 4_000)
            let hash = try StudyImport.hash(of: folder.appendingPathComponent(first.recording))
            try Self.samples(2).write(to: fdt)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: fdt.path)
            #expect(try unit().files != first.files)
            #expect(try StudyImport.hash(of: folder.appendingPathComponent(first.recording)) != hash)
        }
    }

    @Test(arguments: ["raw.fdt", "before.fdt"])
    func `a set that comes into a study brings its samples`(samples: String) throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            let name = try #require(RunName(subject: "01", task: "rest"))
            let url = folder.appendingPathComponent("raw.set")
            try Data(Self.set(samplesIn: samples)).write(to: url)
            // Where the set was renamed its samples are called as itself.
            try Self.samples(3).write(to: folder.appendingPathComponent("raw.fdt"))
            let path = try StudyImport(study: study, name: name).add(
                url, at: Timestamp(secondsSince1970: 1_790_000_000))
            #expect(path == "sourcedata/sub-01/sub-01_task-rest/raw.set")
            let found = try Recording(reading: RecordingFile.open(study.root.appendingPathComponent(path)))
            #expect(found.streams.map(\.segments.count) == [1])
            #expect(found.streams[0].segments[0].block.samples == [Float](repeating: 3, count: 1_000))
            #expect(try study.findings(hash: StudyImport.hash).isEmpty)
            #expect(try BIDSDataset(study.root).units().map(\.recording) == [path])
        }
    }
}
