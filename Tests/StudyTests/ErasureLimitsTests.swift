import Foundation
import Study
import TestSupport
import Testing

/// What an erasure must not touch, and what it must not miss.
struct ErasureLimitsTests {
    private static func write(_ texts: [String: String], in folder: URL) throws {
        for (path, text) in texts {
            let url = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
    }

    private static func text(_ path: String, in folder: URL) -> String? {
        try? String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
    }

    private static func output(in folder: URL, _ texts: [String: String] = [:]) throws -> StudyFolder {
        let all = ["dataset_description.json": "{}", ".marey/batch/units/x.json": "{}", "sub-1/sub-1_a.json": "same"]
        try write(all.merging(texts) { $1 }, in: folder)
        return try StudyFolder(opening: folder)
    }

    @Test func aFileThatAnotherPersonHasUnderTheirNameKeepsItsContent() throws {
        try withTemporaryFolder { folder in
            let study = try Self.output(in: folder, ["sub-2/sub-2_b.json": "other"])
            for (name, source) in [
                ("sub-2/sub-2_a.json", "sub-1/sub-1_a.json"), ("sub-1/sub-1_c.json", "sub-2/sub-2_b.json"),
            ] {
                let (from, to) = (folder.appendingPathComponent(source), folder.appendingPathComponent(name))
                #expect(link(from.path, to.path) == 0)
            }
            let receipt = try study.erase("1")
            #expect(Self.text("sub-2/sub-2_a.json", in: folder) == "same")
            #expect(Self.text("sub-2/sub-2_b.json", in: folder) == "other")
            #expect(Self.text("sub-1/sub-1_a.json", in: folder) == nil)
            let told = receipt.copiesElsewhere.filter { $0.contains("another name") }
            #expect(told.count == 2 && told[0].hasPrefix("sub-1/sub-1_a.json "), "\(receipt.copiesElsewhere)")
        }
    }

    @Test func aFileThatThePersonAloneHasTwiceIsOverwritten() throws {
        try withTemporaryFolder { folder in
            let study = try Self.output(in: folder)
            let file = folder.appendingPathComponent("sub-1/sub-1_a.json")
            #expect(link(file.path, folder.appendingPathComponent("sub-1/sub-1_b.json").path) == 0)
            let reader = try FileHandle(forReadingFrom: file)
            let receipt = try study.erase("1")
            #expect(try reader.readToEnd() == Data(count: 4))
            #expect(receipt.copiesElsewhere.allSatisfy { !$0.contains("another name") })
        }
    }

    @Test func nobodyIsErasedWhileABatchComputesThem() throws {
        try withTemporaryFolder { folder in
            let lock = ".marey/batch/locks/sub-1_task-a.lock"
            let own = ProcessIdentity.current
            func holder(_ pid: Int32, _ start: String = own.start) -> String {
                "{\"host\": \"\(own.host)\", \"pid\": \(pid), \"processStart\": \"\(start)\"}"
            }
            let study = try Self.output(in: folder, [lock: holder(own.pid), "sub-2/sub-2_a.json": "x"])
            let error = #expect(throws: StudyError.self) { try study.erase("1") }
            #expect(error?.description.contains("a batch is computing") == true)
            #expect(Self.text("sub-1/sub-1_a.json", in: folder) == "same")
            #expect(try study.erase("2").files == ["sub-2/sub-2_a.json"])
            // A process that is gone holds nothing, nor does another one that got its number.
            for gone in [holder(Int32.max), holder(own.pid, "1")] {
                try Self.write([lock: gone, "sub-1/sub-1_a.json": "same"], in: folder)
                #expect(try study.erase("1").files.contains(lock))
            }
        }
    }

    @Test("a lock of another machine holds while it is touched, by the clock of the disk that it lies on")
    func lockOfAnotherMachine() throws {
        try withTemporaryFolder { folder in
            let (locks, name) = (".marey/batch/locks", "sub-1_task-a.lock")
            let holder = "{\"host\": \"elsewhere\", \"pid\": 1, \"processStart\": \"1\", \"started\": \"now\"}"
            let study = try Self.output(in: folder, [locks + "/" + name: holder])
            #expect(throws: StudyError.self) { try study.erase("1") }
            // Asking the disk for its time leaves nothing there.
            let left = try FileManager.default.contentsOfDirectory(
                atPath: folder.appendingPathComponent(locks).path)
            #expect(left == [name])
            for seconds in [-3_600.0, 3_600] {
                try Self.write([locks + "/" + name: holder, "sub-1/sub-1_a.json": "same"], in: folder)
                try FileManager.default.setAttributes(
                    [.modificationDate: Date() + seconds],
                    ofItemAtPath: folder.appendingPathComponent(locks + "/" + name).path)
                #expect(try study.erase("1").files.contains(locks + "/" + name))
            }
        }
    }

    @Test func nobodysLabelTakesTheTablesOfTheGroupAway() throws {
        try withTemporaryFolder { folder in
            let study = try Self.output(in: folder, ["group/indexes_long.tsv": "participant\tindex\n1\theart\n"])
            #expect(throws: StudyError.self) { try study.foreseenErasure(of: "7") }
            #expect(throws: StudyError.self) { try study.erase("7") }
            #expect(try study.foreseenErasure(of: "1").files.contains("group/indexes_long.tsv"))
        }
    }

    @Test func whatKilledExportsAndWorkersLeftIsErased() throws {
        try withTemporaryFolder { folder in
            let messages = "output/.marey/batch/partial/.host.77.0.messages"
            let study = try Self.output(in: folder.appendingPathComponent("output"))
            try Self.write(
                [
                    "tables/.indexes_long.parquet.77.123.partial": "PAR1 1",
                    "tables/.notes.csv.77.123.partial": "theirs",
                    messages: "sub-1_task-a: fell\nsub-2_task-a: fell\n",
                ], in: folder)
            try BatchTraces(folder.appendingPathComponent("output")).noteExport(
                to: folder.appendingPathComponent("tables"))
            _ = try study.erase("1")
            #expect(Self.text("tables/.indexes_long.parquet.77.123.partial", in: folder) == nil)
            #expect(Self.text("tables/.notes.csv.77.123.partial", in: folder) == "theirs")
            #expect(Self.text(messages, in: folder) == "sub-2_task-a: fell\n")
        }
    }

    @Test func exportedTablesThatTellOfFewPeopleGoWhateverElseTheirFolderHolds() throws {
        try withTemporaryFolder { folder in
            let study = try Self.output(in: folder.appendingPathComponent("output"))
            let rows = "participant,heart\n1,61\n2,62\n"
            try Self.write(
                [
                    "bids/dataset_description.json": "{}", "bids/participants.tsv": "participant_id\nsub-1\nsub-2\n",
                    "bids/indexes_wide.csv": rows, "bids/descriptives.csv": "index,max\nheart,62\n",
                    "bids/descriptives.sps": "x", "bids/comparisons.csv": "mine,1\n",
                    "bids/reliability.parquet": "PAR1 made by Marey PAR1", "output/indexes_long.csv": rows,
                    "bids/condition_means.csv": rows,
                ], in: folder)
            try BatchTraces(folder.appendingPathComponent("output")).noteExport(
                to: folder.appendingPathComponent("bids"))
            _ = try study.erase("1")
            for path in ["bids/indexes_wide.csv", "bids/condition_means.csv", "output/indexes_long.csv"] {
                #expect(Self.text(path, in: folder) == "participant,heart\n2,62\n", "\(path)")
            }
            #expect(Self.text("bids/descriptives.csv", in: folder) == nil)
            #expect(Self.text("bids/reliability.parquet", in: folder) == nil)
            #expect(Self.text("bids/comparisons.csv", in: folder) == "mine,1\n", "no export for SPSS")
        }
    }

    @Test func foldersOfGroupsThatOtherProgramsMadeStay() throws {
        try withTemporaryFolder { folder in
            let texts = [
                "dataset_description.json": "{}", "sub-1/sub-1_a.json": "x",
                "derivatives/mriqc/group/template.txt": "theirs", "derivatives/marey/group/indexes_long.tsv": "index\n",
                "derivatives/marey/group/report.html": "ours",
            ]
            try Self.write(texts, in: folder)
            let receipt = try StudyFolder(opening: folder).erase("1")
            #expect(Self.text("derivatives/mriqc/group/template.txt", in: folder) == "theirs")
            #expect(receipt.files.filter { $0.hasPrefix("derivatives/marey/group/") }.count == 2)
        }
    }

    @Test func exportsNotedAtTheSameTimeAreAllKnown() throws {
        try withTemporaryFolder { folder in
            let study = try Self.output(in: folder)
            let traces = BatchTraces(study.root)
            DispatchQueue.concurrentPerform(iterations: 40) { number in
                try? traces.noteExport(to: folder.appendingPathComponent("export-\(number)"))
            }
            #expect(traces.exports.count == 40)
        }
    }

    @Test(arguments: [".marey/batch/exports.json", ".marey/batch/exports/1f.path"])
    func aListOfExportsThatCannotBeReadIsTold(path: String) throws {
        try withTemporaryFolder { folder in
            let study = try Self.output(in: folder, [path: ""])
            let receipt = try study.erase("1")
            #expect(receipt.left.contains { $0.key.hasSuffix(path) && $0.value.contains("cannot be read") })
        }
    }
}
