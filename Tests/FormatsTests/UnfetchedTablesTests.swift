import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Tables, sidecars and companions that a data set has by their names alone, since their content was not fetched.
struct UnfetchedTablesTests {
    private static let told =
        "holds only the name of its content, which git-annex keeps elsewhere; get it: datalad get "

    /// A link as git-annex leaves it, or a file that only names the content.
    private static func leave(_ path: String, isLink: Bool = true, in folder: TemporaryFolder) throws {
        guard isLink else {
            _ = try folder.file(path, "/annex/objects/MD5E-s22--1.tsv\n")
            return
        }
        let place = folder.url.appendingPathComponent(path).path
        try? FileManager.default.removeItem(atPath: place)
        try FileManager.default.createSymbolicLink(
            atPath: place, withDestinationPath: "../.git/annex/objects/x/MD5E-s1--a.tsv")
    }

    private static func dataset(_ name: String, _ bytes: [UInt8]) throws -> (folder: TemporaryFolder, url: URL) {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            at: folder.url.appendingPathComponent("sub-01/eeg"), withIntermediateDirectories: true)
        _ = try folder.file("dataset_description.json", BIDSFolder.description)
        return (folder, try folder.file("sub-01/eeg/" + name, bytes))
    }

    @Test(
        arguments: [
            "sub-01/eeg/sub-01_task-x_channels.tsv", "task-x_channels.tsv", "sub-01/eeg/sub-01_task-x_events.tsv",
            "sub-01/sub-01_task-x_events.tsv",
        ], [true, false])
    func tablesThatApplyAreRefusedNotTakenForAbsent(path: String, isLink: Bool) throws {
        let (folder, url) = try Self.dataset("sub-01_task-x_eeg.edf", EDFFixture.counting(records: 4).bytes)
        _ = try RecordingFile.open(url)
        try Self.leave(path, isLink: isLink, in: folder)
        let error = formatError { try RecordingFile.open(url) }
        #expect(error?.contains(path + ": " + Self.told) == true, "\(error ?? "none")")
    }

    @Test func tablesOfCompressedRecordingsAreNamedToo() throws {
        let (folder, plain) = try Self.dataset("sub-01_task-x_eeg.edf", EDFFixture.counting(records: 4).bytes)
        try Process.run(URL(fileURLWithPath: "/bin/gzip"), arguments: ["-n", plain.path]).waitUntilExit()
        let url = plain.appendingPathExtension("gz")
        _ = try RecordingFile.open(url)
        for path in ["sub-01/eeg/sub-01_task-x_events.tsv", "task-x_channels.tsv"] {
            try Self.leave(path, in: folder)
            let error = formatError { try RecordingFile.open(url) }
            #expect(error?.contains(path + ": " + Self.told) == true, "\(error ?? "none")")
        }
    }

    @Test(arguments: ["sub-01/eeg/sub-01_task-x_physio.json", "task-x_physio.json"])
    func sidecarsAreRefusedAlsoWhereAnotherSaysEnough(path: String) throws {
        let (folder, plain) = try Self.dataset("sub-01_task-x_physio.tsv", Array("1\n2\n3\n".utf8))
        try Process.run(URL(fileURLWithPath: "/bin/gzip"), arguments: ["-n", plain.path]).waitUntilExit()
        _ = try folder.file(
            "physio.json", #"{"SamplingFrequency": 10, "StartTime": 0, "Columns": ["respiratory"]}"#)
        let url = plain.appendingPathExtension("gz")
        _ = try RecordingFile.open(url)
        try Self.leave(path, in: folder)
        let error = formatError { try RecordingFile.open(url) }
        #expect(error?.contains(path + ": " + Self.told) == true, "\(error ?? "none")")
    }

    @Test(arguments: ["a.vmrk", "a.eeg", "a.vhdr"])
    func filesBesideABrainVisionHeaderAreRefused(name: String) throws {
        let folder = try TemporaryFolder()
        let header = try BrainVisionFixture().write(to: folder)
        try Self.leave(name, in: folder)
        for ending in ["vhdr", "eeg", "vmrk"] where name == "a.vhdr" || ending == "vhdr" {
            let error = formatError {
                try RecordingFile.open(header.deletingPathExtension().appendingPathExtension(ending))
            }
            #expect(error?.contains(name + ": " + Self.told) == true, "\(ending): \(error ?? "none")")
        }
    }
}
