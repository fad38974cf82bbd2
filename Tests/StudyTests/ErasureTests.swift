import Foundation
import Signals
import Study
import TestSupport
import Testing

/// A person who asks to be forgotten is.
struct ErasureTests {
    private static let now = Timestamp(secondsSince1970: 1_790_000_000)

    /// A study of two participants whose files hold their labels.
    private static func study(in folder: URL) throws -> StudyFolder {
        let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
        let bookkeeping = try Bookkeeping(study)
        for subject in ["Zyxwvu", "Other"] {
            let name = try #require(RunName(subject: subject, session: "1"))
            for path in [
                "sourcedata/\(name.folder)/\(name.stem).xdf", "\(name.folder)/eeg/\(name.stem)_eeg.edf",
                "derivatives/marey/\(name.folder)/\(name.stem)_report.html",
                "derivatives/marey/.marey/batch/done/\(name.stem).json", "derivatives/marey/logs/\(name.stem).log",
            ] {
                let url = study.root.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("of \(subject)".utf8).write(to: url)
            }
            try study.enroll(subject: subject)
            let file = "sourcedata/\(name.folder)/\(name.stem).xdf"
            let run = try bookkeeping.noteRun(name, file: file, sha256: nil, status: .finished, at: now)
            try bookkeeping.queueUploads(of: [file], run: run, to: "remote:place", at: now)
            let upload = try #require(try bookkeeping.uploads().last)
            try bookkeeping.beginUpload(upload.id, at: now)
            _ = try bookkeeping.beginAnalysis(
                ofRun: run, version: "1", parameters: "{}", parametersHash: "h", inputSHA256: "i", at: now)
        }
        let group = study.derivatives.appendingPathComponent("group")
        try FileManager.default.createDirectory(at: group, withIntermediateDirectories: true)
        try Data("Zyxwvu\t1\n".utf8).write(to: group.appendingPathComponent("indexes_long.tsv"))
        return study
    }

    @Test func nothingOfAnErasedParticipantIsLeftAndOthersAreUntouched() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            let receipt = try study.erase("Zyxwvu")
            #expect(receipt.files.count == 6)
            #expect(receipt.bytes > 0)
            #expect(receipt.tableRows == ["participants.tsv": 1])
            #expect(
                receipt.bookkeepingRows == ["participants": 1, "sessions": 1, "runs": 1, "analyses": 1, "uploads": 1])
            #expect(receipt.copiesElsewhere == ["remote:place/sourcedata/sub-Zyxwvu/ses-1/sub-Zyxwvu_ses-1.xdf"])
            let trace = Data("Zyxwvu".utf8)
            let paths = FileManager.default.enumerator(atPath: study.root.path)
            while let path = paths?.nextObject() as? String {
                #expect(!path.contains("Zyxwvu"))
                let content = FileManager.default.contents(atPath: study.root.appendingPathComponent(path).path)
                #expect(content?.range(of: trace) == nil, "\(path)")
            }
            #expect(study.files(of: "Other").count == 5)
            #expect(try Bookkeeping(study).runs().map(\.name.subject) == ["Other"])
            #expect(throws: StudyError.self) { try study.erase("Zyxwvu") }
        }
    }

    @Test func labelsThatBeginAlikeAreNotMistaken() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            for subject in ["1", "10"] {
                let url = study.sourcedata.appendingPathComponent("sub-\(subject)/sub-\(subject).xdf")
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("x".utf8).write(to: url)
                try study.enroll(subject: subject)
            }
            #expect(try study.erase("1").files == ["sourcedata/sub-1/sub-1.xdf"])
            #expect(study.files(of: "10").count == 1)
            #expect(try String(contentsOf: study.participants, encoding: .utf8).contains("sub-10"))
        }
    }
}
