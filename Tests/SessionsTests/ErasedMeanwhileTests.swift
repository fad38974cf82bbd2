import Decoding
import Formats
import Foundation
import Sessions
import Signals
import Study
import TestSupport
import Testing

/// Whoever is erased while a model of theirs is fitted, or before a session of theirs is ended, does not come back.
struct ErasedMeanwhileTests {
    private static let now = Timestamp(secondsSince1970: 1_700_000_000)

    private func study(in folder: URL) throws -> StudyFolder {
        try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "Test", version: "test")
    }

    private func demandNobody(in study: StudyFolder) throws {
        #expect(try Bookkeeping(study).participants().isEmpty)
        #expect(try !String(contentsOf: study.participants, encoding: .utf8).contains("sub-01"))
        let files = try FileManager.default.subpathsOfDirectory(atPath: study.root.path)
        #expect(!files.contains { $0.contains("sub-01") }, "\(files)")
    }

    @Test("no model of somebody who is erased meanwhile is kept, and nothing is noted of them")
    func fitting() throws {
        try withTemporaryFolder { folder in
            let study = try study(in: folder)
            let desk = try CalibrationDesk(study, who: "tester")
            let file = folder.appendingPathComponent("calibration.xdf")
            try XDFWriter.write(CalibratedHeadband.recording(), to: file)
            try desk.apply(.register, to: .visualAttention, of: "01", cause: "new", at: Self.now)
            var receipts: [ErasureReceipt] = []
            let outcome = Result {
                try CalibrationFitting(desk).fit(
                    .visualAttention, of: "01", to: file, at: Self.now,
                    progress: { _ in
                        guard receipts.isEmpty else { return }
                        do { receipts.append(try study.erase("01")) } catch { Issue.record(error) }
                    })
            }
            #expect(receipts.count == 1)
            #expect(throws: StudyError.self) { try outcome.get() }
            try demandNobody(in: study)
        }
    }

    @Test("a recording that went with its participant gives neither a model nor a note of them")
    func recordingGone() throws {
        try withTemporaryFolder { folder in
            let study = try study(in: folder)
            let gone = folder.appendingPathComponent("gone.xdf")
            #expect(throws: (any Error).self) {
                try CalibrationFitting(CalibrationDesk(study, who: "tester")).fitAfterTask(
                    .enjoyment, of: "01", to: gone, at: Self.now)
            }
            try demandNobody(in: study)
        }
    }

    @Test("a run that was erased before it was ended is not noted again, and nothing is computed")
    func session() throws {
        try withTemporaryFolder { folder in
            let study = try study(in: folder)
            let target = try SessionTarget(study: study, subject: "01", task: "rest")
            try target.makeFolder()
            try Data("recorded".utf8).write(to: target.file)
            try target.note(.running, at: Self.now)
            _ = try study.erase("01")
            #expect(throws: StudyError.self) {
                _ = try target.conclude(now: { Self.now }) { Issue.record("there is nothing to compute") }
            }
            try demandNobody(in: study)
        }
    }
}
