import Foundation
import Signals
import Study
import TestSupport
import Testing

struct StudyFolderTests {
    private let now = Timestamp(secondsSince1970: 1_700_000_000)

    @Test func aNewStudyIsAValidBIDSSkeletonForItsOwnerOnly() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("s"), name: "Stress", version: "1.2.3")
            #expect(try study.findings().isEmpty)
            let description = try Data(contentsOf: study.derivatives.appendingPathComponent("dataset_description.json"))
            let fields = try #require(try JSONSerialization.jsonObject(with: description) as? [String: Any])
            #expect(fields["DatasetType"] as? String == "derivative")
            #expect((fields["GeneratedBy"] as? [[String: String]])?.first?["Version"] == "1.2.3")
            _ = try Bookkeeping(study)
            for path in ["dataset_description.json", "participants.tsv", ".marey/study.sqlite"] {
                #expect(try permissions(study.root.appendingPathComponent(path)) == 0o600, "\(path)")
            }
            for path in ["", "sourcedata", "derivatives/marey", ".marey"] {
                #expect(try permissions(study.root.appendingPathComponent(path)) == 0o700, "\(path)")
            }
        }
    }

    private func permissions(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return try #require(attributes[.posixPermissions] as? Int)
    }

    @Test func aFolderWithContentIsNotTakenOver() throws {
        try withTemporaryFolder { folder in
            try Data("x".utf8).write(to: folder.appendingPathComponent("thesis.txt"))
            #expect(throws: StudyError.self) { try StudyFolder.create(at: folder, name: "s", version: "1") }
            #expect(throws: StudyError.self) { try StudyFolder(opening: folder) }
        }
    }

    @Test func participantsAreEnrolledOnceAndKeepOtherColumns() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("s"), name: "s", version: "1")
            try Data("participant_id\tage\nsub-01\t30\n".utf8).write(to: study.participants)
            try study.enroll(subject: "01")
            try study.enroll(subject: "02")
            try study.enroll(subject: "02")
            let text = try String(contentsOf: study.participants, encoding: .utf8)
            #expect(text == "participant_id\tage\nsub-01\t30\nsub-02\tn/a\n")
        }
    }

    @Test func runsAndAnalysesSurviveReopening() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("s"), name: "s", version: "1")
            let name = try #require(RunName(subject: "01", session: "1", task: "rest", run: 2))
            do {
                let bookkeeping = try Bookkeeping(study)
                let run = try bookkeeping.noteRun(
                    name, file: "sourcedata/a.edf", sha256: "00", status: .finished, at: now)
                let again = try bookkeeping.noteRun(
                    name, file: "sourcedata/a.edf", sha256: "01", status: .failed, message: "nothing arrived", at: now)
                #expect(run == again)
                let analysis = try bookkeeping.beginAnalysis(
                    ofRun: run, version: "1", parameters: "{}", parametersHash: "h", inputSHA256: "01", at: now)
                try bookkeeping.endAnalysis(analysis, status: .failed, message: "disk full", at: now + 1)
            }
            let bookkeeping = try Bookkeeping(study)
            let runs = try bookkeeping.runs()
            #expect(runs.map(\.name) == [name])
            #expect(runs.first?.sha256 == "01")
            #expect(runs.first?.status == .failed && runs.first?.message == "nothing arrived")
            #expect(try bookkeeping.participants() == ["01"])
            let analysis = try #require(try bookkeeping.latestAnalyses()[runs[0].id])
            #expect(analysis.status == .failed)
            #expect(analysis.message == "disk full")
        }
    }

    @Test func aDamagedDatabaseIsAClearError() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("s"), name: "s", version: "1")
            try Data(repeating: 0x41, count: 4096).write(to: study.database)
            #expect { try Bookkeeping(study) } throws: { error in
                (error as? StudyError)?.description.contains("study.sqlite: cannot be used") == true
            }
        }
    }
}
