import Foundation
import TestSupport
import Testing

/// What is there after a disk was full: all of the old, nothing of the new, and a place to try again.
struct FailedWritingTests {
    private func contents(_ folder: URL) throws -> [String: Data] {
        var contents: [String: Data] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            contents[path] = FileManager.default.contents(atPath: folder.appendingPathComponent(path).path)
        }
        return contents
    }

    private func isThere(_ name: String, in folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
    }

    @Test func anAnalysisThatFailsLeavesTheEarlierResultsWhole() throws {
        try withTemporaryFolder { (folder: URL) throws in
            try Program.run("simulate", "rec.edf", "--duration", "60", in: folder)
            #expect(try Program.run("analyze", "rec.edf", "-o", "out", in: folder).status == 0)
            let out = folder.appendingPathComponent("out")
            let before = try contents(out)
            for place in ["out", "new"] {
                let failed = try Program.run(
                    ["analyze", "rec.edf", "-o", place, "--window", "30"], in: folder, fileLimit: 20)
                #expect(failed.status == 3 && failed.messages.contains("cannot be written"), "\(failed.messages)")
            }
            #expect(try contents(out) == before)
            #expect(!isThere("new", in: folder))
            #expect(try Program.run("analyze", "rec.edf", "-o", "out", "--window", "30", in: folder).status == 0)
            #expect(try contents(out) != before)
        }
    }

    @Test func aTableNeverStandsBesideTheSidecarOfAnother() throws {
        try withTemporaryFolder { (folder: URL) throws in
            try Program.run("simulate", "rec.edf", "--duration", "60", in: folder)
            #expect(try Program.run("beats", "rec.edf", "-o", "t.tsv", in: folder).status == 0)
            let before = try contents(folder)
            let failed = try Program.run(
                ["hrv", "rec.edf", "--window", "whole", "-o", "t.tsv"], in: folder, fileLimit: 8)
            #expect(failed.status == 3, "\(failed.messages)")
            #expect(try contents(folder) == before)
        }
    }

    @Test(arguments: [
        ["study", "init", "made"],
        ["simulate", "cohort", "made", "--participants", "2", "--sessions", "1", "--duration", "10"],
    ])
    func whatCouldNotBeMadeCanBeTriedAgain(arguments: [String]) throws {
        try withTemporaryFolder { (folder: URL) throws in
            #expect(try Program.run(arguments, in: folder, fileLimit: 20).status == 3)
            #expect(!isThere("made", in: folder))
            // A folder that was there stays, and what is not of this run with it.
            let made = folder.appendingPathComponent("made")
            try FileManager.default.createDirectory(at: made, withIntermediateDirectories: false)
            #expect(try Program.run(arguments, in: folder, fileLimit: 20).status == 3)
            #expect(try contents(made).isEmpty && isThere("made", in: folder))
            let outcome = try Program.run(arguments, in: folder)
            #expect(outcome.status == 0, "\(outcome.messages)")
        }
    }

    @Test func whatTheSystemRefusesIsToldInWords() throws {
        try withTemporaryFolder { (folder: URL) throws in
            try Program.run("simulate", "s.edf", "--duration", "60", in: folder)
            try Program.run("study", "init", "st", in: folder)
            try Data("x".utf8).write(to: folder.appendingPathComponent("file"))
            let task = String(repeating: "a", count: 5_000)
            let outcomes = try [
                ("is a file", Program.run("analyze", "s.edf", "-o", "file", in: folder)),
                ("is a file", Program.run("study", "init", "file", in: folder)),
                ("labels", Program.run("study", "add", "st", "s.edf", "--subject", "01", "--task", task, in: folder)),
                ("room", Program.run(["study", "add", "st", "s.edf", "--subject", "01"], in: folder, fileLimit: 36)),
                ("closed", Program.run(line: "marey beats s.edf >&-", in: folder)),
            ]
            for (words, outcome) in outcomes {
                #expect(outcome.status == 3 && outcome.messages.contains(words), "\(outcome.messages)")
                #expect(!outcome.messages.contains("operation could") && !outcome.messages.contains("NSCocoa"))
            }
        }
    }
}
