import Foundation
import Signals
import Study
import TestSupport
import Testing

/// A person whose data a study holds by links is forgotten, too, and nobody else.
struct LinkedDataTests {
    private static func write(_ paths: [String], in folder: URL) throws {
        for path in paths {
            let url = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("of somebody".utf8).write(to: url)
        }
    }

    private static func link(_ path: String, to target: String, in folder: URL) throws {
        let url = folder.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: url.path, withDestinationPath: target)
    }

    private static func study(in folder: URL) throws -> StudyFolder {
        let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
        for subject in ["01", "02"] { try study.enroll(subject: subject) }
        return study
    }

    private static func isThere(_ path: String, in folder: URL) -> Bool {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path)
    }

    @Test func rawDataThatLieOnAnotherDiskAreErasedThere() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            try FileManager.default.removeItem(at: study.sourcedata)
            try Self.link("study/sourcedata", to: "../disk/raw", in: folder)
            try Self.write(
                ["disk/raw/sub-01/ses-1/sub-01_ses-1.edf", "disk/raw/sub-010/sub-010.edf", "disk/sub-01/x"], in: folder)
            // A way round in circles.
            try Self.link("disk/raw/again", to: "../raw", in: folder)
            try Self.link("disk/raw/home", to: study.root.path, in: folder)
            let receipt = try study.erase("01")
            #expect(receipt.files == ["sourcedata/sub-01/ses-1/sub-01_ses-1.edf"])
            #expect(receipt.left.isEmpty && receipt.copiesElsewhere.isEmpty)
            // Nobody noted where results of this data set went.
            #expect(receipt.remark?.contains("outputs of marey batch") == true)
            #expect(!Self.isThere("disk/raw/sub-01", in: folder))
            #expect(
                Self.isThere("disk/raw/sub-010/sub-010.edf", in: folder) && Self.isThere("disk/sub-01/x", in: folder))
        }
    }

    @Test func aPersonsFolderElsewhereGoesWhereItIsCalledAfterThePersonAndIsNamedWhereItIsNot() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            try Self.write(["disk/sub-01/a.edf", "disk/all/b.edf", "disk/sub-02/c.edf"], in: folder)
            try Self.link("study/sourcedata/sub-01", to: "../../disk/sub-01", in: folder)
            try Self.link("study/sub-01/eeg", to: "../../disk/all", in: folder)
            try Self.link("study/sub-01/partner", to: "../../disk/sub-02", in: folder)
            let foreseen = try study.foreseenErasure(of: "01")
            let receipt = try study.erase("01")
            #expect(receipt.files == ["sourcedata/sub-01/a.edf", "sourcedata/sub-01"])
            #expect(foreseen.files == receipt.files.sorted() && foreseen.left == receipt.left)
            #expect(receipt.left.keys.sorted() == ["sub-01/eeg", "sub-01/partner"], "\(receipt.left)")
            #expect(receipt.left["sub-01/eeg"]?.contains("/disk/all") == true)
            #expect(!Self.isThere("disk/sub-01", in: folder) && Self.isThere("study/sub-01/eeg/b.edf", in: folder))
            #expect(Self.isThere("disk/sub-02/c.edf", in: folder))
            // Once that is mended there is nothing to tell of.
            for name in ["eeg", "partner"] {
                try FileManager.default.removeItem(at: study.root.appendingPathComponent("sub-01/\(name)"))
            }
            #expect(study.foreseenFiles(of: "01").isEmpty)
        }
    }

    @Test func contentsOfAnAnnexAreErasedAndOthersAreNamed() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            let objects = "study/.git/annex/objects"
            try Self.write(
                ["\(objects)/a/own.edf", "\(objects)/b/shared.json", "disk/far.edf", "study/task-rest_eeg.json"],
                in: folder)
            let eeg = "study/sub-01/eeg/sub-01_"
            try Self.link(eeg + "a_eeg.edf", to: "../../.git/annex/objects/a/own.edf", in: folder)
            try Self.link(eeg + "b_eeg.json", to: "../../.git/annex/objects/b/shared.json", in: folder)
            try Self.link("study/sub-02/sub-02_eeg.json", to: "../.git/annex/objects/b/shared.json", in: folder)
            try Self.link(eeg + "c_eeg.edf", to: "../../../disk/far.edf", in: folder)
            try Self.link(eeg + "d_eeg.edf", to: "../../../disk/gone.edf", in: folder)
            try Self.link(eeg + "e_eeg.json", to: "../../task-rest_eeg.json", in: folder)
            let announced = study.foreseenFiles(of: "01")
            let foreseen = try study.foreseenErasure(of: "01")
            let receipt = try study.erase("01")
            #expect(foreseen.files == announced && foreseen.copiesElsewhere == receipt.copiesElsewhere)
            #expect(announced == receipt.files.sorted())
            #expect(receipt.files.count == 6 && receipt.files.contains(".git/annex/objects/a/own.edf"))
            #expect(!Self.isThere("\(objects)/a/own.edf", in: folder) && !Self.isThere("study/sub-01", in: folder))
            for path in ["\(objects)/b/shared.json", "disk/far.edf", "study/task-rest_eeg.json"] {
                #expect(Self.isThere(path, in: folder), "\(path)")
                let name = URL(fileURLWithPath: path).lastPathComponent
                #expect(receipt.copiesElsewhere.contains { $0.contains("/\(name) (to which sub-01/eeg") }, "\(path)")
            }
            #expect(receipt.copiesElsewhere.contains { $0.contains("/disk/gone.edf (") && $0.contains("not found") })
            #expect(receipt.copiesElsewhere.count == 4 && receipt.left.isEmpty)
            let shared = receipt.copiesElsewhere.filter { $0.contains("others' files lead to it, too: it is kept") }
            #expect(shared.count == 1 && shared.first?.contains("/shared.json (") == true)
            #expect(receipt.copiesToDelete.count == 3 && !receipt.copiesToDelete.contains { shared.contains($0) })
        }
    }

    @Test func contentsThatOthersOfTheOutputOfABatchLeadToAreKept() throws {
        try withTemporaryFolder { folder in
            let shared = "out/.git/annex/objects/a/logo.png"
            try Self.write(["out/dataset_description.json", "out/.marey/batch/x", shared], in: folder)
            for name in ["sub-01", "sub-02"] {
                try Self.link("out/\(name)/logo.png", to: "../.git/annex/objects/a/logo.png", in: folder)
            }
            let receipt = try StudyFolder(opening: folder.appendingPathComponent("out")).erase("01")
            #expect(receipt.files == ["sub-01/logo.png"] && Self.isThere(shared, in: folder))
            #expect(receipt.copiesElsewhere.count == 1 && receipt.copiesToDelete.isEmpty)
        }
    }

    @Test func dataSetsThatLieDeeperBehindALinkAreNamedAndNotTouched() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            try FileManager.default.removeItem(at: study.sourcedata)
            try Self.link("study/sourcedata", to: "../pool", in: folder)
            try Self.link("study/derivatives/lab", to: "../../lab", in: folder)
            let others = [
                "pool/other/dataset_description.json", "pool/other/sub-01/x.edf",
                "pool/deep/b/.marey/study.sqlite", "pool/deep/b/sourcedata/sub-01/x.edf",
                "pool/nobody/dataset_description.json", "pool/nobody/sub-02/x.edf",
                "lab/b/dataset_description.json", "lab/b/derivatives/x/sub-01/r.tsv",
            ]
            // Folders that are not linked stay the study's own.
            let own = ["study/part/dataset_description.json", "study/part/sub-01/b.edf"]
            let results = ["lab/dataset_description.json", "lab/sub-01/r.html"]
            try Self.write(others + own + results + ["pool/sub-01/a.edf"], in: folder)
            let table = folder.appendingPathComponent("pool/other/participants.tsv")
            try Data("participant_id\nsub-01\n".utf8).write(to: table)
            let foreseen = try study.foreseenErasure(of: "01")
            let receipt = try study.erase("01")
            #expect(
                receipt.files == ["derivatives/lab/sub-01/r.html", "part/sub-01/b.edf", "sourcedata/sub-01/a.edf"])
            #expect(foreseen.files == receipt.files && foreseen.copiesElsewhere == receipt.copiesElsewhere)
            #expect(receipt.tableRows == ["participants.tsv": 1] && receipt.left.isEmpty)
            #expect(try String(contentsOf: table, encoding: .utf8).contains("sub-01"))
            for path in others { #expect(Self.isThere(path, in: folder), "\(path)") }
            #expect(receipt.copiesElsewhere.count == 3, "\(receipt.copiesElsewhere)")
            for name in ["/pool/other (", "/pool/deep/b (", "/lab/b ("] {
                #expect(receipt.copiesElsewhere.contains { $0.contains(name + "another data set") }, "\(name)")
            }
        }
    }

    @Test func rawDataAmongLinkedResultsAreNotTouched() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            let all = study.root.appendingPathComponent("derivatives")
            try FileManager.default.moveItem(at: all, to: folder.appendingPathComponent("results"))
            try Self.link("study/derivatives", to: "../results", in: folder)
            try Self.write(["results/marey/sub-01/r.html", "results/raw/sub-01/x.edf"], in: folder)
            try Data("{\"Name\": \"b\", \"BIDSVersion\": \"1.8.0\"}".utf8)
                .write(to: folder.appendingPathComponent("results/raw/dataset_description.json"))
            let receipt = try study.erase("01")
            #expect(receipt.files == ["derivatives/marey/sub-01/r.html"])
            #expect(Self.isThere("results/raw/sub-01/x.edf", in: folder) && receipt.copiesElsewhere.count == 1)
        }
    }

    @Test func aLinkedFolderThatIsNotCalledExactlyAfterThePersonIsNotEntered() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            let others = [
                "disk/sub-01_pilot/common/sub-02_x.txt", "disk/sub-01/pair/sub-02/c.edf", "disk/b/.marey/study.sqlite",
                "disk/b/sub-01/b.edf",
            ]
            try Self.write(others + ["disk/sub-01/ses-1/a.edf"], in: folder)
            try Self.link("study/sourcedata/sub-01_pilot", to: "../../disk/sub-01_pilot", in: folder)
            try Self.link("study/sub-01/elsewhere", to: "../../disk/b/sub-01", in: folder)
            try Self.link("study/sub-01/pair", to: "../../disk/sub-01/pair/sub-02", in: folder)
            try Self.link("study/sub-01/raw", to: "../../disk/sub-01/ses-1", in: folder)
            try Self.link("study/sub-01/stimuli", to: "../../disk/sub-01_pilot/common", in: folder)
            let receipt = try study.erase("01")
            #expect(receipt.files == ["sub-01/raw/a.edf", "sub-01/raw"])
            let left = ["sourcedata/sub-01_pilot", "sub-01/elsewhere", "sub-01/pair", "sub-01/stimuli"]
            #expect(receipt.left.keys.sorted() == left, "\(receipt.left)")
            for path in others { #expect(Self.isThere(path, in: folder), "\(path)") }
        }
    }

    @Test func foldersThatOthersUseStayOpenToThem() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            let objects = "study/.git/annex/objects/a"
            try Self.write(
                ["study/pool/sub-01_eeg.edf", "study/pool/sub-02_eeg.edf", "\(objects)/own.edf"], in: folder)
            try Self.link("study/sub-01/a.edf", to: "../pool/sub-01_eeg.edf", in: folder)
            try Self.link("study/sub-01/b.edf", to: "../.git/annex/objects/a/own.edf", in: folder)
            func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
            func rights(_ name: String) -> mode_t {
                var status = stat()
                stat(path(name), &status)
                return status.st_mode & 0o777
            }
            chmod(path("study/pool"), 0o775)
            chmod(path(objects), 0o555)
            let receipt = try study.erase("01")
            #expect(receipt.files.count == 4 && receipt.left.isEmpty)
            #expect(rights("study/pool") == 0o775 && rights(objects) == 0o755)
            #expect(Self.isThere("study/pool/sub-02_eeg.edf", in: folder))
        }
    }

    @Test func resultsThatNodesOfAClusterNotedAreErasedAndTakenIntoTheBookkeeping() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder)
            let bookkeeping = try Bookkeeping(study)
            try Self.write(["out/.marey/batch/x", "out/sub-01/sub-01_report.html"], in: folder)
            let output = folder.appendingPathComponent("out").standardizedFileURL.path
            DispatchQueue.concurrentPerform(iterations: 8) { _ in _ = try? study.leaveNote(ofOutput: output) }
            #expect(study.notedOutputs() == [output])
            #expect(try study.erase("01").files == ["\(output)/sub-01/sub-01_report.html"])
            try study.collectNotes(into: bookkeeping, at: Timestamp(secondsSince1970: 1_790_000_000))
            #expect(try bookkeeping.outputs() == [output] && study.notedOutputs().isEmpty)
        }
    }
}
