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
            let receipt = try study.erase("01")
            #expect(receipt.files == ["sourcedata/sub-01/a.edf", "sourcedata/sub-01"])
            #expect(receipt.left.keys.sorted() == ["sub-01/eeg", "sub-01/partner"], "\(receipt.left)")
            #expect(receipt.left["sub-01/eeg"]?.contains("/disk/all") == true)
            #expect(!Self.isThere("disk/sub-01", in: folder) && Self.isThere("study/sub-01/eeg/b.edf", in: folder))
            #expect(Self.isThere("disk/sub-02/c.edf", in: folder))
            // Once that is mended there is nothing to tell of.
            for name in ["eeg", "partner"] {
                try FileManager.default.removeItem(at: study.root.appendingPathComponent("sub-01/\(name)"))
            }
            #expect(study.files(of: "01").isEmpty)
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
            let announced = study.files(of: "01")
            let receipt = try study.erase("01")
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
