import Foundation
import TestSupport
import Testing

/// What no result is written over: recordings, what is known of them for sure, and raw data of a study.
struct KeptFilesTests {
    /// All files below a folder, and what they hold.
    private func contents(_ folder: URL) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            contents[path] = FileManager.default.contents(atPath: folder.appendingPathComponent(path).path)
        }
        return contents
    }

    @Test(arguments: [
        ["hrv", "s.edf", "-o", "other.edf"], ["beats", "s.edf", "--annotations", "other.edf"],
        ["report", "s.edf", "-o", "other.edf"], ["validate", "s.edf", "--report", "other.edf"],
        ["beats", "s.edf", "-o", "other.edf", "--force"], ["hrv", "s.edf", "-o", "notes"],
        ["hrv", "s.edf", "-o", "w.hea"], ["hrv", "s.edf", "-o", "w_1.dat"], ["hrv", "s.edf", "--json", "-o", "w.csv"],
        ["beats", "s.edf", "--annotations", "w.atr"], ["beats", "s.edf", "--annotations", "s_faults.tsv"],
        ["validate", "s.edf", "-o", "s_truth.tsv"], ["validate", "s.edf", "--report", "s_truth.tsv"],
        ["beats", "s.edf", "-o", "s_truth.tsv"], ["beats", "s.edf", "--json", "-o", "s_simulation.json"],
    ])
    func noResultReplacesARecordingOrItsTruth(arguments: [String]) throws {
        try withTemporaryFolder { (folder: URL) throws in
            for name in ["s.edf", "other.edf", "w.hea"] {
                #expect(try Program.run("simulate", name, "--duration", "20", in: folder).status == 0)
            }
            try Program.run("convert", "s.edf", "w.csv", "--stream", "ecg", in: folder)
            try Data("to do\n- call\n".utf8).write(to: folder.appendingPathComponent("notes"))
            let before = try contents(folder)
            #expect(before.keys.contains { arguments[2...].contains($0) }, "the file to be kept is there")
            let outcome = try Program.run(arguments, in: folder)
            #expect(outcome.status == 2, "\(outcome.messages)")
            #expect(try contents(folder) == before)
        }
    }

    @Test func anotherNameOfTheRecordingIsTheRecording() throws {
        try withTemporaryFolder { (folder: URL) throws in
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            let place = folder.appendingPathComponent("same.tsv")
            try FileManager.default.linkItem(at: folder.appendingPathComponent("s.edf"), to: place)
            let before = try contents(folder)
            for arguments in [["beats", "s.edf", "-o", "same.tsv"], ["convert", "s.edf", "same.tsv", "--force"]] {
                let outcome = try Program.run(arguments, in: folder)
                #expect(outcome.status == 2 && outcome.messages.contains("recording"), "\(outcome.messages)")
            }
            #expect(try contents(folder) == before)
        }
    }

    @Test func nothingIsWrittenAmongTheRawDataOfAStudyNorOverWhatDescribesIt() throws {
        try withTemporaryFolder { (folder: URL) throws in
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            try Program.run("study", "init", "st", in: folder)
            #expect(try Program.run("study", "add", "st", "s.edf", "--subject", "01", in: folder).status == 0)
            let before = try contents(folder.appendingPathComponent("st/sourcedata"))
            let places = ["sourcedata/sub-01/sub-01.edf", "sourcedata/new.tsv", "participants.tsv"]
            for place in places + ["dataset_description.json"] {
                for verb in [["study", "status", "st", "--json"], ["beats", "s.edf", "--json"]] {
                    let outcome = try Program.run(verb + ["-o", "st/\(place)"], in: folder)
                    #expect(outcome.status == 2 && outcome.messages.contains(place), "\(outcome.messages)")
                }
            }
            #expect(try Program.run("analyze", "s.edf", "-o", "st/sourcedata/out", in: folder).status == 2)
            #expect(try contents(folder.appendingPathComponent("st/sourcedata")) == before)
            #expect(try Program.run("study", "validate", "st", in: folder).status == 0)
        }
    }

    @Test(arguments: [
        ["beats", "s.edf", "-o", "a.tsv"], ["beats", "s.edf", "-o", "b"], ["beats", "s.edf", "-o", "b.txt"],
        ["beats", "s.edf", "--json", "-o", "c.json"], ["beats", "s.edf", "--annotations", "d.mry"],
        ["report", "s.edf", "-o", "e.html"], ["beats", "s.edf", "-o", "empty"],
    ])
    func anEarlierResultIsReplaced(arguments: [String]) throws {
        try withTemporaryFolder { (folder: URL) throws in
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            try Data().write(to: folder.appendingPathComponent("empty"))
            for _ in 0..<2 {
                let outcome = try Program.run(arguments, in: folder)
                #expect(outcome.status == 0, "\(outcome.messages)")
            }
        }
    }

    @Test(arguments: [
        ["beats", "s.edf", "-o", "x.tsv", "--annotations", "x.tsv"],
        ["beats", "s.edf", "-o", "x.tsv", "--annotations", "./x.json"],
        ["validate", "s.edf", "--report", "r.html", "-o", "r.html"],
        ["validate", "s.edf", "--report", "r.json", "-o", "r.tsv"],
    ])
    func twoResultsAreNotWrittenToOneFile(arguments: [String]) throws {
        try withTemporaryFolder { (folder: URL) throws in
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            let before = try contents(folder)
            let outcome = try Program.run(arguments, in: folder)
            #expect(outcome.status == 2 && outcome.messages.contains("two results"), "\(outcome.messages)")
            #expect(try contents(folder) == before)
        }
    }

    @Test func noSidecarLiesBesideADeviceAndALinkToNothingIsKept() throws {
        try withTemporaryFolder { (folder: URL) throws in
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            let files = FileManager.default
            let links = [("null.tsv", "/dev/null"), ("far.tsv", "/nowhere/far.tsv"), ("far.edf", "/nowhere/x")]
            for (name, target) in links {
                try files.createSymbolicLink(
                    atPath: folder.appendingPathComponent(name).path, withDestinationPath: target)
            }
            #expect(try Program.run("beats", "s.edf", "-o", "null.tsv", in: folder).status == 0)
            #expect(!files.fileExists(atPath: folder.appendingPathComponent("null.json").path))
            for arguments in [["beats", "s.edf", "-o", "far.tsv"], ["convert", "s.edf", "far.edf", "--force"]] {
                let outcome = try Program.run(arguments, in: folder)
                #expect(outcome.status == 2 && outcome.messages.contains("mounted"), "\(outcome.messages)")
            }
            let place = folder.appendingPathComponent("far.tsv").path
            #expect(try files.destinationOfSymbolicLink(atPath: place) == "/nowhere/far.tsv")
        }
    }
}
