import Decoding
import Foundation
import Pipeline
import Recorder
import Sessions
import Signals
import Study
import TestSupport
import Testing

/// One person has one label, and one run one recording, whoever writes them.
struct ParticipantLabelTests {
    private static let now = Timestamp(secondsSince1970: 1_700_000_000)

    private func study(in folder: URL) throws -> StudyFolder {
        try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "Test", version: "test")
    }

    @Test("a calibration of sub-98 is one of 98, who is listed and can be erased")
    func prefixedLabel() throws {
        try withTemporaryFolder { folder in
            let study = try study(in: folder)
            let desk = try CalibrationDesk(study, who: "tester")
            try desk.request(.register, of: .enjoyment, for: "sub-98", cause: "x", at: Self.now)
            try desk.request(.block, of: .enjoyment, for: "98", cause: "x", at: Self.now)
            #expect(try desk.bookkeeping.participants() == ["98"])
            #expect(try desk.book(of: "sub-98").status(.enjoyment) == .blocked)
            #expect(try desk.history(of: "sub-98").count == 2)
            #expect(try String(contentsOf: study.participants, encoding: .utf8).hasSuffix("sub-98\n"))
            let receipt = try study.erase("98")
            #expect(receipt.bookkeepingRows["calibrations"] == 2 && receipt.tableRows == ["participants.tsv": 1])
            #expect(receipt.remark == nil)
            #expect(try Bookkeeping(study).participants().isEmpty)
        }
    }

    @Test("what is no label is refused", arguments: ["", "sub-", "a b", "sub-sub-1"])
    func noLabel(text: String) throws {
        try withTemporaryFolder { folder in
            let desk = try CalibrationDesk(study(in: folder), who: "tester")
            #expect(throws: SessionRefusal.self) {
                try desk.request(.register, of: .enjoyment, for: text, cause: "x", at: Self.now)
            }
            #expect(try desk.bookkeeping.participants().isEmpty)
        }
    }

    @Test("of two who begin the same run at once, the later gets the next one, unless the number was chosen")
    func sameRunAtOnce() throws {
        try withTemporaryFolder { folder in
            let study = try study(in: folder)
            func plan(run: Int? = nil) throws -> SessionPlan {
                try SessionPlan(
                    SessionTarget(study: study, subject: "01", task: "rest", run: run),
                    devices: ["empatica-e4@127.0.0.1:1"], parameters: Parameters())
            }
            var (first, second, chosen) = (try plan(), try plan(), try plan(run: 1))
            #expect(first.target.file == second.target.file)
            let prepared = try [first.prepare(at: Self.now), second.prepare(at: Self.now)]
            #expect(first.target.name?.run == 1 && second.target.name?.run == 2)
            #expect(try Bookkeeping(study).runs().compactMap(\.name.run) == [1, 2])
            #expect(throws: (any Error).self) { try chosen.prepare(at: Self.now) }
            for session in prepared { try session.recorder.close() }
        }
    }

    @Test("a session that cannot be noted leaves no recording that nobody could end")
    func unwritableBookkeeping() throws {
        try withTemporaryFolder { folder in
            let study = try study(in: folder)
            var plan = try SessionPlan(
                SessionTarget(study: study, subject: "01", task: "rest", run: 1),
                devices: ["empatica-e4@127.0.0.1:1"], parameters: Parameters())
            try Data(repeating: 7, count: 8_192).write(to: study.database)
            #expect(throws: StudyError.self) { try plan.prepare(at: Self.now) }
            #expect(!FileManager.default.fileExists(atPath: plan.target.file.path))
            try FileManager.default.removeItem(at: study.database)
            // Its number is free as before.
            let prepared = try plan.prepare(at: Self.now)
            #expect(plan.target.name?.run == 1)
            try prepared.recorder.close()
        }
    }

    @Test("a run whose raw log was left behind is passed over, and who chose its number is told what can be done")
    func leftoverLog() throws {
        try withTemporaryFolder { folder in
            let study = try study(in: folder)
            func plan(run: Int? = nil) throws -> SessionPlan {
                var plan = try SessionPlan(
                    SessionTarget(study: study, subject: "01", task: "rest", run: run),
                    devices: ["empatica-e4@127.0.0.1:1"], parameters: Parameters())
                plan.keepsRawLog = true
                return plan
            }
            var (free, chosen) = (try plan(), try plan(run: 1))
            let log = free.rawLog(of: free.addresses[0])
            try free.target.makeFolder()
            try Data("of another day".utf8).write(to: log)
            let prepared = try free.prepare(at: Self.now)
            #expect(free.target.name?.run == 2)
            try prepared.recorder.close()
            #expect {
                _ = try chosen.prepare(at: Self.now)
            } throws: { error in
                error is SessionRefusal && "\(error)".contains("--run")
            }
            #expect(try Data(contentsOf: log) == Data("of another day".utf8))
            #expect(try Bookkeeping(study).runs().compactMap(\.name.run) == [2])
        }
    }
}
