import Foundation
import TestSupport
import Testing

/// What belongs to somebody who does not let us read it is called that, and is taken for nothing else.
@Suite(.enabled(if: Program.canBeBound, "root needs setpriv (util-linux) to give rights up"))
struct ForeignFilesTests {
    private static let denied = "cannot be read: Permission denied"

    /// A batch of two recordings that is done.
    private static func batch(in folder: URL) throws -> URL {
        let data = folder.appendingPathComponent("data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        for name in ["01.edf", "02.edf"] {
            try Program.run("simulate", name, "--duration", "20", "--streams", "ecg", in: data)
        }
        let settings = data.appendingPathComponent("study.yaml")
        try Data("cohort: { recordings: '{subject}.edf' }\n".utf8).write(to: settings)
        let outcome = try Program.run("batch", "data", "results", "participant", "--n-cpus", "1", in: folder)
        try #require(outcome.status == 0, "\(outcome.messages)")
        return folder.appendingPathComponent("results")
    }

    @Test(arguments: [".marey", ".marey/batch/units", ""])
    func aBatchThatMayNotBeEnteredIsNotCalledNone(place: String) throws {
        try withTemporaryFolder { (folder: URL) throws in
            let closed = try Self.batch(in: folder).appendingPathComponent(place).path
            chmod(closed, 0)
            defer { chmod(closed, 0o700) }
            for arguments in [["status", "results"], ["export", "results", "out", "--as", "bids"]] {
                let outcome = try Program.runBound(["batch"] + arguments, in: folder)
                #expect(outcome.status == 3 && outcome.messages.contains(Self.denied), "\(outcome.messages)")
                #expect(outcome.messages.contains("ask its owner") && !outcome.messages.contains("no batch"))
            }
        }
    }

    @Test func recordingsWhoseStateMayNotBeReadAreListedAsSuch() throws {
        try withTemporaryFolder { (folder: URL) throws in
            let state = try Self.batch(in: folder).appendingPathComponent(".marey/batch")
            for (name, status) in [("sub-01", Int32(1)), ("sub-02", 3)] {
                for part in ["units", "done"] { chmod(state.appendingPathComponent("\(part)/\(name).json").path, 0) }
                let outcome = try Program.runBound("batch", "status", "results", in: folder)
                #expect(outcome.status == status && !outcome.messages.contains("damaged"), "\(outcome.messages)")
                #expect(try outcome.column("participant") == ["01", "02"])
                #expect(try outcome.column("state") == ["unreadable", status == 1 ? "done" : "unreadable"])
                #expect(try outcome.column("message")[0].contains(Self.denied))
            }
        }
    }

    @Test func resultsThatMayNotBeReadAreNotCalledAltered() throws {
        try withTemporaryFolder { (folder: URL) throws in
            let results = try Self.batch(in: folder)
            let person = results.appendingPathComponent("sub-01")
            let files = try FileManager.default.subpathsOfDirectory(atPath: person.path).filter { $0.hasSuffix(".tsv") }
            for file in files { chmod(person.appendingPathComponent(file).path, 0) }
            let group = try Program.runBound("batch", "data", "results", "group", in: folder)
            #expect(group.status == 3 && group.messages.contains(Self.denied), "\(group.messages)")
            #expect(!group.messages.contains("not what was computed"))
            // They are done all the same.
            #expect(try Program.run("batch", "status", "results", in: folder).column("state") == ["done", "done"])
        }
    }

    @Test func recordingsThatMayNotBeLookedAtAreNotCalledOrphaned() throws {
        try withTemporaryFolder { (folder: URL) throws in
            _ = try Self.batch(in: folder)
            let data = folder.appendingPathComponent("data").path
            chmod(data, 0)
            defer { chmod(data, 0o700) }
            let outcome = try Program.runBound("batch", "status", "results", in: folder)
            #expect(try outcome.column("state") == ["done", "done"], "\(outcome.messages)")
        }
    }

    @Test func nobodyIsErasedWhileALockMayNotBeRead() throws {
        try withTemporaryFolder { (folder: URL) throws in
            let results = try Self.batch(in: folder)
            let lock = results.appendingPathComponent(".marey/batch/locks/sub-01.lock")
            let holder = "{\"host\": \"elsewhere\", \"pid\": 1, \"processStart\": \"1\"}"
            try Data(holder.utf8).write(to: lock)
            chmod(lock.path, 0)
            let refused = try Program.runBound("study", "erase", "results", "01", "--yes", in: folder)
            #expect(refused.status == 3 && refused.messages.contains(Self.denied), "\(refused.messages)")
            let person = results.appendingPathComponent("sub-01").path
            #expect(FileManager.default.fileExists(atPath: person))
            unlink(lock.path)
            let erased = try Program.runBound("study", "erase", "results", "01", "--yes", in: folder)
            #expect(erased.status == 0 && !FileManager.default.fileExists(atPath: person), "\(erased.messages)")
        }
    }

    @Test(arguments: ["st/sourcedata/sub-01", "st/sourcedata/sub-01/sub-01_task-a.edf"])
    func aRecordingThatMayNotBeReadIsNotCalledMissing(place: String) throws {
        try withTemporaryFolder { (folder: URL) throws in
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            try Program.run("study", "init", "st", in: folder)
            try Program.run("study", "add", "st", "s.edf", "--subject", "01", "--task", "a", in: folder)
            let closed = folder.appendingPathComponent(place).path
            try #require(FileManager.default.fileExists(atPath: closed))
            chmod(closed, 0)
            defer { chmod(closed, 0o700) }
            let outcome = try Program.runBound("study", "validate", "st", in: folder)
            #expect(outcome.output.contains(Self.denied), "\(outcome.output) \(outcome.messages)")
            #expect(!outcome.output.contains("is not there"))
        }
    }
}
