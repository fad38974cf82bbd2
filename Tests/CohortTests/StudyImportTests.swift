import Cohort
import Foundation
import Signals
import Study
import TestSupport
import Testing

/// Recordings come into a study once, under labels of their own, and are found again when the bookkeeping is lost.
struct StudyImportTests {
    private static let now = Timestamp(secondsSince1970: 1_700_000_000)

    /// A table of samples, which differs by its number of rows.
    private static func recording(_ name: String, rows: Int, in folder: URL) throws -> URL {
        let url = folder.appendingPathComponent(name)
        let lines = ["time,ecg"] + (0..<rows).map { "\(Double($0) / 100),\($0 % 7)" }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: url)
        return url
    }

    private static func study(in folder: URL) throws -> StudyFolder {
        try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
    }

    private static func problem(_ body: () throws -> Void) -> String? {
        do { try body() } catch { return "\(error)" }
        return nil
    }

    @Test("labels that a recording of another format has are refused, and nothing is copied", arguments: [true, false])
    func takenLabels(isNoted: Bool) throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            let name = try #require(RunName(subject: "01", task: "rest", run: 1))
            let first = StudyImport(study: study, name: name)
            let path = try first.add(Self.recording("a.csv", rows: 200, in: folder), at: Self.now)
            if !isNoted { try FileManager.default.removeItem(at: study.database) }
            let other = try Self.recording("b.txt", rows: 300, in: folder)
            let problem = Self.problem { _ = try first.add(other, at: Self.now) }
            #expect(problem?.contains(path) == true && problem?.contains("--run") == true, "\(problem ?? "none")")
            #expect(study.recordings(named: name) == [path])
            let second = StudyImport(study: study, name: try #require(RunName(subject: "01", task: "rest", run: 2)))
            #expect(try second.add(other, at: Self.now).hasSuffix("sub-01_task-rest_run-2.txt"))
        }
    }

    @Test("a recording whose run was forgotten is told of with what to do, which notes it as it is")
    func forgottenRuns() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            let name = try #require(RunName(subject: "01", session: "2"))
            let importing = StudyImport(study: study, name: name)
            let original = try Self.recording("a.csv", rows: 200, in: folder)
            let path = try importing.add(original, at: Self.now)
            let noted = try Bookkeeping(study).runs().map(\.sha256)
            #expect(Self.problem { _ = try importing.add(original, at: Self.now) }?.contains("exists already") == true)
            for recording in [study.root.appendingPathComponent(path), original] {
                try FileManager.default.removeItem(at: study.database)
                let finding = try #require(try study.findings().first)
                #expect(finding.severity == .warning && finding.path == path)
                #expect(finding.problem.contains("marey study add") && finding.problem.hasSuffix("--session 2"))
                #expect(try importing.add(recording, at: Self.now) == path)
                #expect(try Bookkeeping(study).runs().map(\.sha256) == noted)
                #expect(try study.findings(hash: StudyImport.hash).isEmpty)
            }
        }
    }

    @Test("a recording in the study's raw data is not noted under labels that its place does not have")
    func otherLabels() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            let path = try StudyImport(study: study, name: try #require(RunName(subject: "01"))).add(
                Self.recording("a.csv", rows: 200, in: folder), at: Self.now)
            try FileManager.default.removeItem(at: study.database)
            let other = StudyImport(study: study, name: try #require(RunName(subject: "02")))
            let problem = Self.problem { _ = try other.add(study.root.appendingPathComponent(path), at: Self.now) }
            #expect(problem?.contains("sub-02") == true)
            #expect(try Bookkeeping(study).runs().isEmpty)
        }
    }
}
