import Foundation
import Signals
import Study
import TestSupport
import Testing
import Upload

/// Where files go, and what they find there. Another folder of this machine is a place as good as any.
@Suite(.enabled(if: WebDAVServer.isPossible, "rclone or python3 is not installed"), .timeLimit(.minutes(2)))
struct UploadPlaceTests {
    private typealias Fixture = UploadTests.Fixture

    /// Sends what is queued and waits.
    private func send(_ fixture: Fixture, to place: URL) throws -> [Uploader.Outcome] {
        try fixture.uploader().queueFinishedRuns(to: place.path)
        return try fixture.uploader().sendAll()
    }

    @Test("a file of another study that lies there is left as it is, and the upload says so")
    func anotherStudysFile() throws {
        try withTemporaryFolder { folder in
            let (fixture, place) = (try Fixture(in: folder), folder.appendingPathComponent("backup"))
            let theirs = place.appendingPathComponent(fixture.file)
            try FileManager.default.createDirectory(
                at: theirs.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("of another study".utf8).write(to: theirs)
            for _ in 1...2 {
                let outcomes = try send(fixture, to: place)
                let outcome = try #require(outcomes.first { $0.file == fixture.file })
                #expect(outcome.status == .failed && outcome.message?.contains("another file") == true)
                #expect(try Data(contentsOf: theirs) == Data("of another study".utf8))
            }
            // The same content may be there already.
            let own = fixture.study.root.appendingPathComponent(fixture.file)
            try FileManager.default.removeItem(at: theirs)
            try FileManager.default.copyItem(at: own, to: theirs)
            #expect(try send(fixture, to: place).map(\.status) == [.done])
        }
    }

    @Test("a file that changed after it arrived is sent again")
    func changedFile() throws {
        try withTemporaryFolder { folder in
            let (fixture, place) = (try Fixture(in: folder), folder.appendingPathComponent("backup"))
            #expect(try send(fixture, to: place).map(\.status) == [.done, .done])
            let sidecar = "sourcedata/sub-01/sub-01_task-rest.json"
            try Data("{\"mended\": true}".utf8).write(to: fixture.study.root.appendingPathComponent(sidecar))
            let outcomes = try send(fixture, to: place)
            #expect(outcomes.map(\.file) == [sidecar] && outcomes.map(\.status) == [.done])
            #expect(
                try Data(contentsOf: place.appendingPathComponent(sidecar)) == Data("{\"mended\": true}".utf8))
            #expect(try send(fixture, to: place).isEmpty)
        }
    }

    @Test("what arrived is read again where it looks another, or when that is asked for")
    func looks() throws {
        try withTemporaryFolder { folder in
            let (fixture, place) = (try Fixture(in: folder), folder.appendingPathComponent("backup"))
            // Long after the files were written their times tell of any later change.
            let late = Timestamp(secondsSince1970: Date().timeIntervalSince1970 + 3_600)
            let uploader = try fixture.uploader(at: late)
            try uploader.queueFinishedRuns(to: place.path)
            #expect(try uploader.sendAll().map(\.status) == [.done, .done])
            /// How many files were queued again, and whether any was read.
            func compare(ignoringTimes: Bool = false) throws -> [Int] {
                var isRead = 0
                let queued = try uploader.queueFinishedRuns(to: place.path, ignoringTimes: ignoringTimes) { _ in
                    isRead = 1
                }
                return [queued, isRead]
            }
            #expect(try compare() == [0, 0])
            #expect(try compare(ignoringTimes: true) == [0, 1])
            // As large as before, and by its date as old.
            let file = fixture.study.root.appendingPathComponent(fixture.file)
            let date = try #require(
                try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date)
            try Data(try Data(contentsOf: file).reversed()).write(to: file)
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
            #expect(try compare() == [1, 1])
        }
    }

    @Test("a file that may have changed in the moment it was sent is read again")
    func unsettled() throws {
        try withTemporaryFolder { folder in
            let (fixture, place) = (try Fixture(in: folder), folder.appendingPathComponent("backup"))
            // By its clock the files were written just now, or will be.
            let uploader = try fixture.uploader()
            try uploader.queueFinishedRuns(to: place.path)
            #expect(try uploader.sendAll().map(\.status) == [.done, .done])
            var isRead = false
            try uploader.queueFinishedRuns(to: place.path) { _ in isRead = true }
            #expect(isRead)
        }
    }

    @Test("the comparison of what arrived ends when it is stopped")
    func stoppedComparison() throws {
        try withTemporaryFolder { folder in
            let (fixture, place) = (try Fixture(in: folder), folder.appendingPathComponent("backup"))
            let rclone = try Rclone()
            let uploader = Uploader(fixture.study, fixture.bookkeeping, rclone) { fixture.moment }
            try uploader.queueFinishedRuns(to: place.path)
            #expect(try uploader.sendAll().map(\.status) == [.done, .done])
            rclone.stop()
            #expect(throws: UploadError.stopped) { try uploader.queueFinishedRuns(to: place.path) }
            #expect(try fixture.bookkeeping.uploads().allSatisfy { $0.status == .done })
        }
    }

    @Test("a place where nothing arrived does not become the study's, and can be given up")
    func mistypedPlace() throws {
        try withTemporaryFolder { folder in
            let (fixture, place) = (try Fixture(in: folder), folder.appendingPathComponent("backup"))
            #expect(try fixture.bookkeeping.uploadDestination() == nil)
            try fixture.uploader().queueFinishedRuns(to: "mistyped:lab")
            #expect(try fixture.bookkeeping.uploadDestination() == "mistyped:lab")
            #expect(try fixture.bookkeeping.dropUploads(to: "mistyped:lab") == 2)
            #expect(try fixture.bookkeeping.uploadDestination() == nil)
            #expect(try send(fixture, to: place).map(\.remote) == [place.path, place.path])
            try fixture.uploader().queueFinishedRuns(to: "mistyped:again")
            #expect(try fixture.bookkeeping.uploadDestination() == place.path)
            // Whoever means it after all can have it.
            #expect(try fixture.uploader().queueFinishedRuns(to: "mistyped:lab") == 2)
            #expect(try fixture.bookkeeping.dropUploads(to: "elsewhere") == 0)
        }
    }

    @Test(
        "a path is meant from where it was given, another storage as it is written",
        arguments: [
            ("backup/lab", "/home/me/backup/lab"), ("./backup/", "/home/me/backup"), ("../b", "/home/b"),
            ("/mnt/b", "/mnt/b"), ("./odd:name", "/home/me/odd:name"), ("lab:b/c", "lab:b/c"),
            (":webdav,url='http://h':b", ":webdav,url='http://h':b"), (":local:b/c", "/home/me/b/c"),
            (":sftp,host=h,user=me:b@c", ":sftp,host=h,user=me:b@c"),
            (":local,no_check_updated=true:b/c", ":local,no_check_updated=true:/home/me/b/c"),
            (":local,encoding='a:b,''c',nounc:./b", ":local,encoding='a:b,''c',nounc:/home/me/b"),
            (":webdav,url='http://h:80/x',vendor=other:b?c", ":webdav,url='http://h:80/x',vendor=other:b?c"),
            ("lab,upload_cutoff=a/b:c", "lab,upload_cutoff=a/b:c"), ("2024,a/b:c", "/home/me/2024,a/b:c"),
            (":webdav,url='http://h:80',user='me@lab':b", ":webdav,url='http://h:80',user='me@lab':b"),
        ])
    func places(written: String, meant: String) throws {
        #expect(try Rclone.place(written, in: "/home/me") == meant)
    }

    @Test(
        "a place that holds a secret is refused with the parameter's name",
        arguments: [
            (":s3,provider=Other,access_key_id=k,secret_access_key=s:lab", "secret_access_key"),
            (":webdav,url='http://h:8080/x',user=me, pass=p:b", "pass"),
            (":azureblob,account=a,key=abc==:c", "key"), ("lab,token='{\"a\":1}':b", "token"),
            (":local,pass=p:b", "pass"), (":sftp,host=h,ssh='sshpass -p word ssh me@h':b", "ssh"),
            (":webdav,url='http://me:word@127.0.0.1:1/':x", "a password in a URL"),
            (":webdav,headers='Cookie,session=1',url='http://h':p", "headers"),
            (":http,headers=\"Authorization,Bearer x\",url='http://h':p", "headers"),
            ("lab,secret_access_key=a/b:c", "secret_access_key"), (":storj,access_grant=a:c", "access_grant"),
            (":s3,sse_customer_key=a:c", "sse_customer_key"), (":seafile,library_key=a:c", "library_key"),
            (":webdav,url='http://h/?sig=x':p", "what follows ? or # in a URL"),
            (":webdav,url=\"http://h/it's?sig=x\":p", "what follows ? or # in a URL"),
            ("https://h/x#key", "what follows ? or # in a URL"),
            (":webdav,url='http://me@h:80/':b", "a user or token in a URL"),
            (":alias,remote=':http,url=''http://me@h'':':b", "a user or token in a URL"),
            ("https://me:word@h/x", "a password in a URL"), (":http,url=\"ftp://:word@h\":", "a password in a URL"),
            (":http,url='http://me:o''word@h':", "a password in a URL"), ("http://me:o'h@h/x", "a password in a URL"),
        ])
    func secrets(written: String, name: String) throws {
        #expect(throws: UploadError.secret(name)) { try Rclone.place(written) }
    }

    @Test(
        "a place is named to others without its parameters",
        arguments: [
            ("lab:b/c", "lab:b/c"), ("/mnt/b", "/mnt/b"), (":sftp,host=h,user=me:b@c", ":sftp:b@c"),
            ("lab,root='a:b,c':d", "lab:d"), (":local,nounc=true:/mnt/b", ":local:/mnt/b"),
        ])
    func bare(place: String, named: String) {
        #expect(Rclone.bare(place) == named)
    }

    @Test("an empty place is refused", arguments: ["", " ", ":local:", ":local,nounc=true:"])
    func nowhere(written: String) {
        #expect(throws: UploadError.nowhere) { try Rclone.place(written) }
    }

    @Test("a place within the study is refused, whatever leads there")
    func withinTheStudy() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("st"), name: "Test", version: "1")
            try FileManager.default.createSymbolicLink(
                at: folder.appendingPathComponent("link"), withDestinationURL: study.root)
            let within = [
                "st", "st/sourcedata", "st/not/there/yet", "link", "link/new", "x/../st", ":local:st/new",
                ":local,no_check_updated=true:st/new", ":local,encoding='a:b',nounc:link", ":local,encoding=it's:st",
            ]
            for written in within {
                let place = try Rclone.place(written, in: folder.path)
                #expect(throws: UploadError.within(place), "\(written)") {
                    try Rclone.demandPlace(place, outside: study)
                }
            }
            let linked = try StudyFolder(opening: folder.appendingPathComponent("link"))
            #expect(throws: UploadError.within(study.root.path)) {
                try Rclone.demandPlace(study.root.path, outside: linked)
            }
            for written in ["study", "st2/sourcedata", ".", "st/../backup", "lab:st", "link/../other"] {
                try Rclone.demandPlace(Rclone.place(written, in: folder.path), outside: study)
            }
        }
    }

    @Test("a storage that is not reached three times in a row is not asked for every other file as well")
    func unreached() throws {
        try withTemporaryFolder { folder in
            let (fixture, place) = (try Fixture(in: folder), folder.appendingPathComponent("backup"))
            for number in 1...4 {
                let beside = fixture.file.replacing(".xdf", with: ".\(number).log")
                try Data().write(to: fixture.study.root.appendingPathComponent(beside))
            }
            // Nobody listens on port 9.
            try fixture.uploader().queueFinishedRuns(to: ":webdav,url='http://127.0.0.1:9':lab")
            let outcomes = try fixture.uploader().sendAll()
            #expect(outcomes.count == 6 && outcomes.allSatisfy { $0.status == .queued })
            #expect(outcomes.count { $0.message?.hasPrefix("not tried") == true } == 3)
            // All of them wait for a minute, those that were not tried as well.
            let soon = Timestamp(secondsSince1970: fixture.moment.secondsSince1970 + 59)
            #expect(try fixture.uploader(at: soon).sendAll(respectingWaits: true).isEmpty)
            #expect(try send(fixture, to: place).count { $0.status == .done } == 6)
        }
    }
}
