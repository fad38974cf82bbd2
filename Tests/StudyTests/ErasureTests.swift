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

    @Test("nobody is erased while a session of theirs is recorded, and nothing is touched")
    func notWhileRecording() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            let before = study.foreseenFiles(of: "Zyxwvu")
            let recording = study.sourcedata.appendingPathComponent("sub-Zyxwvu/ses-1/sub-Zyxwvu_ses-1.xdf")
            let descriptor = open(recording.path, O_WRONLY)
            try #require(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
            do {
                _ = try study.erase("Zyxwvu")
                Issue.record("erased")
            } catch let error as StudyError {
                #expect(error.path.contains("sub-Zyxwvu_ses-1.xdf") && error.problem == "is being recorded")
            }
            #expect(study.foreseenFiles(of: "Zyxwvu") == before)
            #expect(try study.erase("Other").files.count > 0)
            close(descriptor)
            #expect(try study.erase("Zyxwvu").files.count == before.count - 1)
        }
    }

    @Test("nobody is erased while results are written into the study, and nothing is touched")
    func notWhileResultsAreWritten() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            let before = study.foreseenFiles(of: "Zyxwvu")
            try study.writingResults {
                let error = #expect(throws: StudyError.self) { try study.erase("Zyxwvu") }
                #expect(error?.problem.contains("is writing results") == true)
            }
            #expect(study.foreseenFiles(of: "Zyxwvu") == before)
            #expect(try study.erase("Zyxwvu").files.count == before.count)
        }
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
            #expect(study.foreseenFiles(of: "Other").count == 5)
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
            #expect(study.foreseenFiles(of: "10").count == 1)
            #expect(try String(contentsOf: study.participants, encoding: .utf8).contains("sub-10"))
        }
    }

    /// Whether a file below a folder, or its name, tells of somebody.
    private static func traces(of label: String, in folder: URL) -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        return paths.filter { path in
            let content = FileManager.default.contents(atPath: folder.appendingPathComponent(path).path)
            return path.contains(label) || content?.range(of: Data(label.utf8)) != nil
        }
    }

    @Test func tablesListsLogsAndOutputsElsewhereForgetToo() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            let output = folder.appendingPathComponent("output")
            let name = "sub-Zyxwvu_ses-1"
            let texts = [
                "study/exports/indexes_wide.csv": "participant,\"heart, rate\"\nZyxwvu,61\nOther,62\n",
                "study/exports/indexes_wide.parquet": "PAR1 Zyxwvu participant Marey",
                "study/phenotype/age.tsv": "participant_id\tage\nsub-Zyxwvu\t30\nsub-Other\t40\n",
                "output/.marey/batch/units/\(name).json": "Zyxwvu",
                "output/.marey/batch/slurm/1.list": "sub-Other_ses-1\n\(name)\n",
                "output/logs/slurm/7_0.log": "\(name): done\nsub-Zyxwvus: done\n",
                "output/logs/\(name).log": "x", "output/sub-Zyxwvu/ses-1/\(name)_report.html": "x",
                "output/group/indexes_long.tsv": "participant\nZyxwvu\n",
            ]
            for (path, text) in texts {
                let url = folder.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url)
            }
            let bookkeeping = try Bookkeeping(study)
            let lost = folder.appendingPathComponent("lost").path
            for path in [output.path, lost, output.path] { try bookkeeping.noteOutput(path, at: Self.now) }
            try Data("VP".utf8).write(to: study.root.appendingPathComponent("VP.dat"))
            #expect(study.foreseenFilesElsewhere(of: "Zyxwvu").count == 4)
            let receipt = try study.erase("Zyxwvu", others: ["VP.dat"])
            #expect(receipt.copiesElsewhere.contains { $0.hasPrefix(lost) })
            #expect(receipt.files.contains("VP.dat") && receipt.files.contains("exports/indexes_wide.parquet"))
            #expect(receipt.files.contains("\(output.path)/group/indexes_long.tsv"))
            #expect(receipt.tableRows["exports/indexes_wide.csv"] == 1 && receipt.tableRows["phenotype/age.tsv"] == 1)
            #expect(Self.traces(of: "Zyxwvu", in: study.root).isEmpty)
            #expect(Self.traces(of: "Zyxwvu", in: output) == ["logs/slurm/7_0.log"])
            // A batch that ran meanwhile brought somebody back: found although the study itself knows nothing any more.
            let back = output.appendingPathComponent("sub-Zyxwvu/\(name)_report.html")
            try FileManager.default.createDirectory(
                at: back.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: back)
            #expect(try study.erase("Zyxwvu").files == [back.path])
            let log = output.appendingPathComponent("logs/slurm/7_0.log")
            #expect(try String(contentsOf: log, encoding: .utf8) == "sub-Zyxwvus: done\n")
            let list = output.appendingPathComponent(".marey/batch/slurm/1.list")
            #expect(try String(contentsOf: list, encoding: .utf8) == "sub-Other_ses-1\n")
        }
    }

    @Test(arguments: [".marey/batch/x", "dataset_description.json", "indexes_wide.csv"])
    func otherDataSetsBesideResultsAreNotTouched(mark: String) throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            let output = folder.appendingPathComponent("lab")
            let others = [
                "other/sub-Zyxwvu/sub-Zyxwvu_eeg.edf", "other/group/x.tsv", "other/people.csv", "people.csv",
                "other/.marey/batch/x", "study2/sourcedata/sub-Zyxwvu/sub-Zyxwvu.xdf",
            ]
            for path in others + [mark] {
                let url = output.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("participant,age\nZyxwvu,30\n".utf8).write(to: url)
            }
            try Bookkeeping(study).noteOutput(output.path, at: Self.now)
            let receipt = try study.erase("Zyxwvu")
            #expect(!receipt.files.contains { $0.hasPrefix(output.path) })
            #expect(receipt.tableRows["\(output.path)/indexes_wide.csv"] == (mark.hasSuffix(".csv") ? 1 : nil))
            for path in others {
                let text = try String(contentsOf: output.appendingPathComponent(path), encoding: .utf8)
                #expect(text.contains("Zyxwvu"), "\(path)")
            }
        }
    }

    @Test func theOutputOfABatchIsRidOfSomebodyByItself() throws {
        try withTemporaryFolder { folder in
            for path in ["dataset_description.json", "sub-1/sub-1_report.html", "logs/sub-1.log", ".marey/batch/x"] {
                let url = folder.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("{}".utf8).write(to: url)
            }
            let output = try StudyFolder(opening: folder)
            #expect(try output.erase("1").files == ["logs/sub-1.log", "sub-1/sub-1_report.html"])
            #expect(!FileManager.default.fileExists(atPath: output.database.path), "no bookkeeping is made")
            #expect(throws: StudyError.self) { try output.erase("1") }
        }
    }

    @Test func exportsOfAnOutputForgetTooAndTheDataSetIsNamed() throws {
        try withTemporaryFolder { folder in
            let output = folder.appendingPathComponent("output")
            let texts = [
                "output/dataset_description.json": "{}", "output/sub-1/sub-1_report.html": "x",
                "output/.marey/batch/units/sub-1_ses-1.json":
                    "{\"dataset\": \"/raw/data\", \"unit\": {\"participant\": \"1\"}}",
                "output/.marey/batch/units/sub-10.json":
                    "{\"dataset\": \"/other\", \"unit\": {\"participant\": \"10\"}}",
                "tables/indexes_wide.csv": "participant,heart\n1,61\n10,62\n",
                "bids/dataset_description.json": "{}", "bids/sub-1/beh/sub-1_beh.tsv": "x",
                "bids/participants.tsv": "participant_id\nsub-1\nsub-10\n",
            ]
            for (path, text) in texts {
                let url = folder.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: url)
            }
            for name in ["tables", "bids", "tables", "gone"] {
                try BatchTraces(output).noteExport(to: folder.appendingPathComponent(name))
            }
            #expect(BatchTraces(output).exports.count == 3)
            let study = try StudyFolder(opening: output)
            #expect(
                study.foreseenFilesElsewhere(of: "1").map { $0.hasSuffix("/sub-1/beh/sub-1_beh.tsv") } == [true])
            let receipt = try study.erase("1")
            func text(_ path: String) throws -> String {
                try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
            }
            #expect(try text("tables/indexes_wide.csv") == "participant,heart\n10,62\n")
            #expect(try text("bids/participants.tsv") == "participant_id\nsub-10\n")
            #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("bids/sub-1").path))
            #expect(receipt.copiesElsewhere.contains { $0.hasPrefix("/raw/data ") })
            #expect(receipt.copiesElsewhere.contains { $0.contains("/gone ") } && receipt.copiesElsewhere.count == 2)
        }
    }
}
