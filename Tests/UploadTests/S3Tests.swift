import Foundation
import Signals
import Study
import TestSupport
import Testing
import Upload

/// Uploads to a storage of objects, which knows no folders, by the real rclone.
@Suite(
    .enabled(if: S3Server.isPossible, "rclone, python3, or moto_server of the reference scripts is not installed"),
    .timeLimit(.minutes(2)))
struct S3Tests {
    private typealias Fixture = UploadTests.Fixture

    @Test func aFinishedSessionArrivesInABucketAndIsNotSentTwice() throws {
        try withTemporaryFolder { folder in
            let fixture = try Fixture(in: folder)
            let server = try S3Server()
            let uploader = try fixture.uploader()
            #expect(try uploader.queueFinishedRuns(to: server.remote + "lab/study") == 2)
            let outcomes = try uploader.sendAll()
            #expect(outcomes.map(\.status) == [.done, .done], "\(outcomes)")
            #expect(outcomes.allSatisfy { $0.verifiedBy == "md5" })
            #expect(try uploader.queueFinishedRuns(to: server.remote + "lab/study") == 0)
            let place = server.remote + "lab/study/" + fixture.file
            let original = fixture.study.root.appendingPathComponent(fixture.file).path
            #expect(
                try Rclone().hash("sha256", of: place, byDownload: true) == Rclone().hash("sha256", of: original))
        }
    }

    @Test func whatAnotherPutThereIsLeftAsItIs() throws {
        try withTemporaryFolder { folder in
            let fixture = try Fixture(in: folder)
            let server = try S3Server()
            let other = folder.appendingPathComponent("other")
            try Data("other".utf8).write(to: other)
            let place = server.remote + "lab/" + fixture.file
            #expect(try !Rclone().exists(place))
            try Rclone().copy(other, to: place)
            #expect(try Rclone().exists(place))
            let uploader = try fixture.uploader()
            try uploader.queueFinishedRuns(to: server.remote + "lab")
            let outcomes = try uploader.sendAll()
            #expect(outcomes.first { $0.file == fixture.file }?.status == .failed)
            #expect(try Rclone().hash("md5", of: place) == Rclone().hash("md5", of: other.path))
        }
    }

    @Test func aConnectionCutInMidUploadIsTriedAgain() throws {
        try withTemporaryFolder { folder in
            let fixture = try Fixture(in: folder)
            let server = try S3Server(cuts: 3, afterBytes: 500_000)
            try fixture.uploader().queueFinishedRuns(to: server.remote + "lab")
            let first = try fixture.uploader().sendAll().filter { $0.file == fixture.file }
            #expect(first.map(\.status) == [.queued] && first.first?.message?.isEmpty == false, "\(first)")
            var late = fixture.moment
            var last = first.first
            for _ in 1...8 where last?.status != .done {
                late = late + 3_600
                last = try fixture.uploader(at: late).sendAll(respectingWaits: true).first { $0.file == fixture.file }
            }
            #expect(last?.status == .done && last?.verifiedBy == "md5")
        }
    }
}
