import Cohort
import Foundation
import Signals
import Study
import TestSupport
import Testing
import Upload

/// Recordings that are several files are sent whole.
@Suite(.enabled(if: WebDAVServer.isPossible, "rclone or python3 is not installed"), .timeLimit(.minutes(2)))
struct SeveralFilesTests {
    private static let now = Timestamp(secondsSince1970: 1_700_000_000)

    /// The folder of an E4 session of ten seconds.
    private static func session(in folder: URL) throws -> URL {
        let session = folder.appendingPathComponent("E4")
        try FileManager.default.createDirectory(at: session, withIntermediateDirectories: true)
        func write(_ name: String, rate: Int, columns: Int = 1) throws {
            func row(_ text: String) -> String { Array(repeating: text, count: columns).joined(separator: ", ") }
            let rows = [row("1600000000.0"), row("\(rate).0")] + (0..<10 * rate).map { row("\($0 % 9)") }
            try Data((rows.joined(separator: "\n") + "\n").utf8).write(to: session.appendingPathComponent(name))
        }
        try write("ACC.csv", rate: 32, columns: 3)
        for (name, rate) in [("BVP.csv", 64), ("EDA.csv", 4), ("TEMP.csv", 4), ("HR.csv", 1)] {
            try write(name, rate: rate)
        }
        try Data("1600000000.0, IBI\n1.0, 0.8\n1.8, 0.8\n".utf8).write(to: session.appendingPathComponent("IBI.csv"))
        return session
    }

    @Test("all files of a session's folder arrive; when one has changed none of them is sent")
    func folders() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            let name = try #require(RunName(subject: "01"))
            let path = try StudyImport(study: study, name: name).add(Self.session(in: folder), at: Self.now)
            let uploader = Uploader(study, try Bookkeeping(study), try Rclone()) { Self.now }
            let place = folder.appendingPathComponent("backup")
            #expect(try uploader.queueFinishedRuns(to: place.path) == 6)
            let outcomes = try uploader.sendAll()
            #expect(outcomes.map(\.status) == Array(repeating: .done, count: 6), "\(outcomes)")
            for file in ["ACC.csv", "BVP.csv", "EDA.csv", "TEMP.csv", "HR.csv", "IBI.csv"] {
                let arrived = try Data(contentsOf: place.appendingPathComponent(path + "/" + file))
                #expect(arrived == (try Data(contentsOf: study.root.appendingPathComponent(path + "/" + file))))
            }
            #expect(try study.findings(hash: StudyImport.hash).isEmpty)

            let changed = study.root.appendingPathComponent(path + "/EDA.csv")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: changed.path)
            try Data("1600000000.0\n4.0\n1\n2\n".utf8).write(to: changed)
            #expect(try study.findings(hash: StudyImport.hash).map(\.path) == [path])
            let elsewhere = folder.appendingPathComponent("elsewhere")
            try uploader.queueFinishedRuns(to: elsewhere.path)
            let again = try uploader.sendAll()
            #expect(Set(again.map(\.status)) == [.failed])
            #expect(!FileManager.default.fileExists(atPath: elsewhere.path))
        }
    }
}
