import Foundation
import Signals
import Study
import TestSupport
import Testing
import Upload

/// Uploads by the real rclone to a real WebDAV server.
@Suite(.enabled(if: WebDAVServer.isPossible, "rclone or python3 is not installed"), .timeLimit(.minutes(2)))
struct UploadTests {
    /// A study with one finished recording of 3 MB and its sidecar.
    struct Fixture {
        let study: StudyFolder
        let bookkeeping: Bookkeeping
        let file = "sourcedata/sub-01/sub-01_task-rest.xdf"

        init(in folder: URL) throws {
            study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "Test", version: "1")
            bookkeeping = try Bookkeeping(study)
            let raw = study.root.appendingPathComponent(file)
            try FileManager.default.createDirectory(
                at: raw.deletingLastPathComponent(), withIntermediateDirectories: true)
            var random = SplitMix64(seed: 7)
            try Data((0..<400_000).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }).write(to: raw)
            try Data("{}".utf8).write(to: study.root.appendingPathComponent("sourcedata/sub-01/sub-01_task-rest.json"))
            let name = try #require(RunName(subject: "01", session: nil, task: "rest", run: nil))
            try bookkeeping.noteRun(name, file: file, sha256: nil, status: .finished, at: moment)
        }

        let moment = Timestamp(secondsSince1970: 1_700_000_000)

        func uploader(at now: Timestamp? = nil) throws -> Uploader {
            Uploader(study, bookkeeping, try Rclone()) { now ?? moment }
        }

        func data(_ path: String, in folder: URL) throws -> Data {
            try Data(contentsOf: folder.appendingPathComponent(path))
        }
    }

    @Test func aFinishedSessionArrivesWholeAndIsNotSentTwice() throws {
        try withTemporaryFolder { folder in
            let fixture = try Fixture(in: folder)
            let server = try WebDAVServer(folder.appendingPathComponent("remote"))
            let uploader = try fixture.uploader()
            #expect(try uploader.queueFinishedRuns(to: server.remote + "lab") == 2)
            let outcomes = try uploader.sendAll()
            #expect(outcomes.map(\.status) == [.done, .done], "\(outcomes)")
            #expect(outcomes.allSatisfy { $0.verifiedBy != nil })
            let arrived = try fixture.data("lab/" + fixture.file, in: server.folder)
            #expect(arrived == (try fixture.data(fixture.file, in: fixture.study.root)))
            #expect(try uploader.queueFinishedRuns(to: server.remote + "lab") == 0)
            #expect(try uploader.sendAll().isEmpty)
        }
    }

    @Test func aConnectionCutInMidUploadIsTriedAgainAfterARestart() throws {
        try withTemporaryFolder { folder in
            let fixture = try Fixture(in: folder)
            let server = try WebDAVServer(folder.appendingPathComponent("remote"), cuts: 6, afterBytes: 500_000)
            let remote = server.remote + "lab"
            try fixture.uploader().queueFinishedRuns(to: remote)
            let first = try fixture.uploader().sendAll().filter { $0.file == fixture.file }
            #expect(first.map(\.status) == [.queued], "\(first)")
            #expect(first.first?.message?.isEmpty == false)
            #expect(first.first?.message?.contains("ERROR") == false)
            // The file's next attempt is due in a minute, not before, also for a program that starts anew.
            let soon = Timestamp(secondsSince1970: fixture.moment.secondsSince1970 + 59)
            #expect(try fixture.uploader(at: soon).sendAll(respectingWaits: true).isEmpty)
            var late = fixture.moment
            var status = UploadRecord.Status.queued
            for _ in 1...8 where status != .done {
                late = late + 3_600
                let tried = try fixture.uploader(at: late).sendAll(respectingWaits: true)
                status = tried.first { $0.file == fixture.file }?.status ?? status
            }
            #expect(status == .done)
            let arrived = try fixture.data("lab/" + fixture.file, in: server.folder)
            #expect(arrived == (try fixture.data(fixture.file, in: fixture.study.root)))
        }
    }

    @Test func anInterruptedUploadIsTakenUpAgain() throws {
        try withTemporaryFolder { folder in
            let fixture = try Fixture(in: folder)
            let server = try WebDAVServer(folder.appendingPathComponent("remote"))
            try fixture.uploader().queueFinishedRuns(to: server.remote)
            let first = try #require(try fixture.bookkeeping.uploads().first)
            try fixture.bookkeeping.beginUpload(first.id, at: fixture.moment)
            let reopened = try Bookkeeping(fixture.study)
            try reopened.requeueInterruptedUploads()
            #expect(try reopened.uploads().map(\.status) == [.queued, .queued])
            #expect(try fixture.uploader().sendAll().allSatisfy { $0.status == .done })
        }
    }

    @Test func aFileThatIsNotWhatWasNotedIsNotSent() throws {
        try withTemporaryFolder { folder in
            let fixture = try Fixture(in: folder)
            let server = try WebDAVServer(folder.appendingPathComponent("remote"))
            let name = try #require(RunName(subject: "01", session: nil, task: "rest", run: nil))
            try fixture.bookkeeping.noteRun(
                name, file: fixture.file, sha256: String(repeating: "0", count: 64), status: .finished,
                at: fixture.moment)
            try fixture.uploader().queueFinishedRuns(to: server.remote)
            let outcome = try #require(try fixture.uploader().sendAll().first { $0.file == fixture.file })
            #expect(outcome.status == .failed)
            #expect(!FileManager.default.fileExists(atPath: server.folder.appendingPathComponent(fixture.file).path))
            #expect(
                FileManager.default.fileExists(atPath: fixture.study.root.appendingPathComponent(fixture.file).path))
        }
    }

    @Test(arguments: [(1, 60.0), (2, 120), (5, 960), (7, 3_600), (500, 3_600)])
    func waitsGrowUpToAnHour(attempts: Int, seconds: Double) {
        #expect(Uploader.wait(afterAttempts: attempts) == seconds)
    }
}
