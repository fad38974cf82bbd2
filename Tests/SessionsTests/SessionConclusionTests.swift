import Cohort
import Foundation
import Pipeline
import Sessions
import Signals
import Study
import TestSupport
import Testing

/// A run that was recorded is finished when all that follows was done.
struct SessionConclusionTests {
    private static let now = Timestamp(secondsSince1970: 1_700_000_000)
    private static let remote = "remote:study"

    private struct NoSummary: Error {}

    /// A run that was just recorded, of a study that was copied to a place before.
    private func recorded(in folder: URL) throws -> (StudyFolder, SessionTarget) {
        let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "Test", version: "test")
        let target = try SessionTarget(study: study, subject: "01", task: "rest")
        try target.makeFolder()
        try Data("recorded".utf8).write(to: target.file)
        let id = try #require(try target.note(.running, at: Self.now))
        try Bookkeeping(study).queueUploads(of: ["earlier.xdf"], run: id, to: Self.remote, at: Self.now)
        return (study, target)
    }

    @Test(
        "it is finishing while its summaries are computed, and its files are queued even where that fails",
        arguments: [false, true])
    func order(fails: Bool) throws {
        try withTemporaryFolder { folder in
            let (study, target) = try recorded(in: folder)
            let bookkeeping = try Bookkeeping(study)
            let file = try #require(study.relativePath(of: target.file))
            var seen: [RunStatus] = []
            let conclusion = try target.conclude(now: { Self.now }) {
                seen = try bookkeeping.runs().map(\.status)
                // Nobody takes it for one whose program was stopped.
                #expect(try study.interruptedRuns().isEmpty)
                #expect(try !bookkeeping.uploads().contains { $0.file == file })
                if fails { throw NoSummary() }
            }
            #expect(seen == [.finishing])
            let run = try #require(try bookkeeping.runs().first)
            #expect(run.status == .finished && run.sha256 != nil)
            #expect(conclusion.remote == Self.remote)
            #expect(try bookkeeping.uploads().contains { $0.file == file && $0.remote == Self.remote })
            #expect(conclusion.problems.count == (fails ? 1 : 0) && conclusion.problems.allSatisfy { $0 is NoSummary })
        }
    }

    @Test(
        "while another program keeps the bookkeeping to itself that is waited for, and all follows",
        .enabled(if: DatabaseUser.isPossible, "python3 is not installed"), .timeLimit(.minutes(2)))
    func bookkeepingInUse() throws {
        try withTemporaryFolder { folder in
            let (study, target) = try recorded(in: folder)
            let other = try DatabaseUser(of: study.database, "BEGIN IMMEDIATE")
            #expect(throws: StudyError.self) { try Bookkeeping(study).addParticipant("02", at: Self.now) }
            var (attempts, seen) = (0, [RunStatus]())
            let conclusion = try target.conclude {
                attempts += 1
                // The first attempt waited in vain.
                if attempts == 2 { try? other.end() }
                return Self.now
            } analyze: {
                seen = try Bookkeeping(study).runs().map(\.status)
            }
            #expect(seen == [.finishing] && conclusion.problems.isEmpty && conclusion.remote == Self.remote)
            #expect(try Bookkeeping(study).runs().map(\.status) == [.finished])
        }
    }

    @Test("one in which nothing arrived has failed, and is neither computed nor sent")
    func nothingArrived() throws {
        try withTemporaryFolder { folder in
            let (study, target) = try recorded(in: folder)
            let bookkeeping = try Bookkeeping(study)
            let queued = try bookkeeping.uploads().count
            let conclusion = try target.conclude(hasArrived: false, now: { Self.now }) {
                Issue.record("there is nothing to compute")
            }
            #expect(try bookkeeping.runs().map(\.status) == [.failed])
            #expect(try bookkeeping.runs().map(\.message) == ["nothing arrived"])
            #expect(conclusion.remote == nil && conclusion.copying(of: study) == nil)
            #expect(try bookkeeping.uploads().count == queued)
            #expect(FileManager.default.fileExists(atPath: target.file.path))
        }
    }

    @Test("a place that was named before the first session has its files queued, and without one that is told")
    func placeNamedBefore() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(
                at: folder.appendingPathComponent("study"), name: "Test", version: "test")
            func conclusion() throws -> SessionConclusion {
                let target = try SessionTarget(study: study, subject: "01", task: "rest")
                try target.makeFolder()
                try Data("recorded".utf8).write(to: target.file)
                try target.note(.running, at: Self.now)
                return try target.conclude(now: { Self.now }) {}
            }
            let without = try conclusion()
            #expect(without.remote == nil && without.lacksPlace && without.problems.isEmpty)
            let bookkeeping = try Bookkeeping(study)
            try bookkeeping.noteUploadPlace("mistyped:x", at: Self.now)
            try bookkeeping.noteUploadPlace(Self.remote, at: Self.now + 1)
            let with = try conclusion()
            #expect(with.remote == Self.remote && !with.lacksPlace)
            #expect(try bookkeeping.uploads().map(\.remote) == [Self.remote])
            _ = try bookkeeping.dropUploads(to: Self.remote)
            #expect(try bookkeeping.uploadDestination() == "mistyped:x")
            _ = try bookkeeping.dropUploads(to: "mistyped:x")
            #expect(try bookkeeping.uploadDestination() == nil)
        }
    }

    @Test("a run that is being ended is analyzed by who ends it alone", arguments: [(false, 0), (true, 1)])
    func analysis(takesFinishing: Bool, count: Int) throws {
        try withTemporaryFolder { folder in
            let (study, target) = try recorded(in: folder)
            try target.note(.finishing, at: Self.now)
            var analysis = StudyAnalysis(study: study, parameters: Parameters())
            analysis.takesFinishing = takesFinishing
            #expect(try analysis.run(only: target.name).all == count)
        }
    }
}
