import Foundation
import Signals
import Study
import TestSupport
import Testing
import Upload

/// What is sent again to a storage that knows no hashes, and what of its files is replaced.
@Suite(.enabled(if: WebDAVServer.isPossible, "rclone or python3 is not installed"), .timeLimit(.minutes(2)))
struct ReplacementTests {
    /// A study, a storage, and a way there that fails as asked.
    private struct Setting {
        let fixture: UploadTests.Fixture
        let server: WebDAVServer
        let way: FaultyRclone
        let folder: URL

        init(in folder: URL) throws {
            self.folder = folder
            fixture = try UploadTests.Fixture(in: folder)
            server = try WebDAVServer(folder.appendingPathComponent("remote"))
            way = try FaultyRclone(in: folder)
        }

        /// The recording, in the study.
        var file: URL { fixture.study.root.appendingPathComponent(fixture.file) }

        var original: Data { get throws { try Data(contentsOf: file) } }

        /// What lies at the recording's place.
        var arrived: Data { get throws { try fixture.data("lab/" + fixture.file, in: server.folder) } }

        var record: UploadRecord {
            get throws { try #require(try fixture.bookkeeping.uploads().first { $0.file == fixture.file }) }
        }

        /// Tries all that waits, and tells what became of the recording.
        func send(_ fault: FaultyRclone.Fault = .none) throws -> Uploader.Outcome {
            let moment = fixture.moment
            try way.fail(by: fault)
            let uploader = Uploader(fixture.study, fixture.bookkeeping, way.rclone) { moment }
            try uploader.queueFinishedRuns(to: server.remote + "lab")
            return try #require(try uploader.sendAll().first { $0.file == fixture.file })
        }

        /// Puts something at the recording's place, as anybody could.
        func put(_ data: Data) throws {
            let other = folder.appendingPathComponent("other")
            try data.write(to: other)
            try Rclone().copy(other, to: server.remote + "lab/" + fixture.file)
        }

        /// The recording becomes another of the same size.
        func change() throws { try Data(try original.reversed()).write(to: file) }

        /// Makes sure that what another put there stays.
        func expectRefusal(of theirs: Data) throws {
            for _ in 1...2 {
                let outcome = try send()
                #expect(outcome.status == .failed && outcome.message?.contains("another file") == true, "\(outcome)")
                #expect(try arrived == theirs)
            }
        }
    }

    @Test("a file that was damaged on its way is sent again")
    func damaged() throws {
        try withTemporaryFolder { folder in
            let setting = try Setting(in: folder)
            for _ in 1...2 {
                let outcome = try setting.send(.damaged)
                #expect(outcome.status == .queued && outcome.message?.contains("differs") == true, "\(outcome)")
                #expect(try setting.arrived.count == setting.original.count)
            }
            let outcome = try setting.send()
            #expect(outcome.status == .done && outcome.verifiedBy == "download", "\(outcome)")
            #expect(try setting.arrived == setting.original)
        }
    }

    @Test("a file that changed and is as large as before is sent again, also when it arrives damaged at first")
    func changed() throws {
        try withTemporaryFolder { folder in
            let setting = try Setting(in: folder)
            #expect(try setting.send().status == .done)
            try setting.change()
            #expect(try setting.arrived != setting.original)
            #expect(try setting.send().status == .done)
            #expect(try setting.arrived == setting.original)
            try setting.change()
            #expect(try setting.send(.damaged).status == .queued)
            #expect(try setting.send().status == .done)
            #expect(try setting.arrived == setting.original)
        }
    }

    @Test("a file that lies there already is not sent again, even when its first copy seemed to fail")
    func alreadyThere() throws {
        try withTemporaryFolder { folder in
            let setting = try Setting(in: folder)
            #expect(try setting.send(.unanswered).status == .queued)
            #expect(setting.way.copies == 2)
            #expect(try setting.send().status == .done)
            #expect(setting.way.copies == 2)
            #expect(try setting.arrived == setting.original)
        }
    }

    @Test("a file that another put there after an attempt that sent nothing is left as it is")
    func putThereMeanwhile() throws {
        try withTemporaryFolder { folder in
            let setting = try Setting(in: folder)
            #expect(try setting.send(.refused).status == .queued)
            let record = try setting.record
            #expect(record.isBegun && !record.isOurs)
            // As large as ours, and of another size.
            for theirs in [Data(try setting.original.reversed()), Data("of another study".utf8)] {
                try setting.put(theirs)
                try setting.expectRefusal(of: theirs)
            }
        }
    }

    @Test("what an attempt left of a file's beginning is replaced, also when the program was killed meanwhile")
    func beginning() throws {
        try withTemporaryFolder { folder in
            let setting = try Setting(in: folder)
            #expect(try setting.send(.cut).status == .queued)
            let half = try setting.original.prefix(setting.original.count / 2)
            #expect(try setting.arrived == half)
            // Its end was never noted.
            try setting.fixture.bookkeeping.beginUpload(setting.record.id, at: setting.fixture.moment)
            try setting.fixture.bookkeeping.requeueInterruptedUploads()
            #expect(try setting.send().status == .done)
            #expect(try setting.arrived == setting.original)
        }
    }

    @Test("the beginning of a file that no attempt left is another file")
    func beginningOfAnother() throws {
        try withTemporaryFolder { folder in
            let setting = try Setting(in: folder)
            let half = Data(try setting.original.prefix(setting.original.count / 2))
            try setting.put(half)
            try setting.expectRefusal(of: half)
        }
    }

    @Test("what arrived earlier is replaced, also after a copy that failed; what another put in its stead is not")
    func arrivedEarlier() throws {
        try withTemporaryFolder { folder in
            let setting = try Setting(in: folder)
            #expect(try setting.send().status == .done)
            let first = try setting.original
            try setting.change()
            #expect(try setting.send(.refused).status == .queued)
            #expect(try setting.arrived == first)
            #expect(try setting.send().status == .done)
            #expect(try setting.arrived == setting.original)

            try setting.change()
            #expect(try setting.send(.removed).status == .queued)
            let theirs = Data("of another study".utf8)
            try setting.put(theirs)
            try setting.expectRefusal(of: theirs)
        }
    }

    @Test("what another put in the stead of what had arrived is left as it is")
    func replacedByAnother() throws {
        try withTemporaryFolder { folder in
            let setting = try Setting(in: folder)
            #expect(try setting.send().status == .done)
            let theirs = Data("of another study".utf8)
            try setting.put(theirs)
            try setting.change()
            try setting.expectRefusal(of: theirs)
        }
    }
}
