import Foundation
import Signals
import Study
import TestSupport
import Testing

/// What others' rows of the bookkeeping say of somebody who is erased.
struct MentionedInBookkeepingTests {
    private static let now = Timestamp(secondsSince1970: 1_790_000_000)

    @Test("rows that name the person in what somebody wrote are told by table, column and row, and stay")
    func mentions() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            let bookkeeping = try Bookkeeping(study)
            for subject in ["P07x", "P07xy", "Other"] { try bookkeeping.addParticipant(subject, at: Self.now) }
            for (number, name) in ["P07x", "tablet of P07x", "P07xy", "tablet"].enumerated() {
                _ = try bookkeeping.addKey(
                    name, hash: "\(number)", rights: [.read], predictions: nil, at: Self.now)
            }
            try bookkeeping.noteCalibration(
                CalibrationEntry(
                    participant: "Other", prediction: "enjoyment", time: Self.now, action: "block", status: -1,
                    cause: "mistaken for sub-P07x", who: "lab"))
            let run = try #require(RunName(subject: "Other"))
            try bookkeeping.noteRun(
                run, file: "a.xdf", sha256: nil, status: .failed, message: "the strap was that of p07x", at: Self.now)
            let receipt = try study.erase("P07x")
            let place = ".marey/study.sqlite: "
            #expect(
                receipt.left.keys.sorted() == [
                    place + "accessKeys.name, row 1", place + "accessKeys.name, row 2",
                    place + "calibrations.cause, row 1",
                ], "\(receipt.left)")
            #expect(try bookkeeping.keys().count == 4)
        }
    }

    @Test("a label that is a number or a common word is looked for with sub- alone, and as the whole name of a key")
    func shortLabels() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            let bookkeeping = try Bookkeeping(study)
            for subject in ["1", "2"] { try bookkeeping.addParticipant(subject, at: Self.now) }
            for (number, name) in ["tablet 1", "1"].enumerated() {
                _ = try bookkeeping.addKey(
                    name, hash: "\(number)", rights: [.read], predictions: nil, at: Self.now)
            }
            let run = try #require(RunName(subject: "2", session: "1"))
            try bookkeeping.noteRun(
                run, file: "a.xdf", sha256: nil, status: .failed, message: "sub-1 and sub-10 after 1 s", at: Self.now)
            let receipt = try study.erase("1")
            #expect(
                receipt.left.keys.sorted() == [
                    ".marey/study.sqlite: accessKeys.name, row 2", ".marey/study.sqlite: runs.message, row 1",
                ], "\(receipt.left)")
        }
    }
}

/// Erasing from a database that another program reads.
@Suite(.enabled(if: DatabaseUser.isPossible, "python3 is not installed"), .timeLimit(.minutes(1)))
struct ErasedBookkeepingTests {
    private static func traces(of label: String, in study: StudyFolder) throws -> [String] {
        let folder = study.database.deletingLastPathComponent()
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
            FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)?
                .range(of: Data(label.utf8)) != nil
        }
    }

    @Test func `what another program still reads is told of as left, and goes with it`() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            let name = try #require(RunName(subject: "Zyxwvu", session: "1"))
            let now = Timestamp(secondsSince1970: 1_790_000_000)
            try Bookkeeping(study).noteRun(name, file: "a.xdf", sha256: nil, status: .finished, at: now)
            let reader = try DatabaseUser(of: study.database, "BEGIN", "SELECT COUNT(*) FROM participants")
            let receipt = try study.erase("Zyxwvu")
            #expect(receipt.bookkeepingRows == ["participants": 1, "sessions": 1, "runs": 1])
            #expect(receipt.left.keys.sorted() == [".marey/study.sqlite"])
            #expect(receipt.left.values.first?.contains("another program is reading") == true, "\(receipt.left)")
            #expect(try !Self.traces(of: "Zyxwvu", in: study).isEmpty)
            try reader.end()
            #expect(try Bookkeeping(study).participants().isEmpty)
            #expect(try Self.traces(of: "Zyxwvu", in: study) == [])
        }
    }
}
