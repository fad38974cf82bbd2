import Foundation
import TestSupport
import Testing

/// A person's edits to beats, from the table beside a recording to the results.
struct BeatEditTests {
    @Test func editsBesideARecordingAreMadeByEveryVerbAndGiveTheSameBytesAgain() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "120", in: folder)
            let onsets = try Program.run("beats", "s.edf", in: folder).column("onset")
            let edits = "onset\taction\tto\tnote\n\(onsets[20])\tdelete\tn/a\tnoise\n5.0001\tadd\tn/a\t\n"
            try Data(edits.utf8).write(to: folder.appendingPathComponent("edits.tsv"))
            let taken = try Program.run("beats", "s.edf", "--edits", "edits.tsv", in: folder)
            #expect(taken.status == 0, "\(taken.messages)")
            let edited = try taken.column("onset")
            #expect(edited.count == onsets.count && edited.contains("5.0001") && !edited.contains(onsets[20]))

            try Data(edits.utf8).write(to: folder.appendingPathComponent("s_desc-edits_beats.tsv"))
            #expect(try Program.run("beats", "s.edf", in: folder).output == taken.output)
            #expect(try Program.run("beats", "s.edf", "--edits", "none", in: folder).column("onset") == onsets)
            let audit = try Program.run("hrv", "s.edf", "--corrections", in: folder)
            #expect(try audit.column("class").filter { $0 == "manual" }.count == 2)
            for output in ["a", "b"] {
                let analyzed = try Program.run("analyze", "s.edf", "--output", output, in: folder)
                #expect(analyzed.output.contains("2 beat edits made"), "\(analyzed.output)\(analyzed.messages)")
            }
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("a").path) {
                let files = ["a", "b"].map { folder.appendingPathComponent("\($0)/\(file)") }
                #expect(try Data(contentsOf: files[0]) == Data(contentsOf: files[1]), "\(file)")
            }
            // A table that is given is for the first source too, and the page says that a person looked at its beats.
            let given = try Program.run(
                "analyze", "s.edf", "--edits", "edits.tsv", "--output", "c", in: folder)
            #expect(given.output.contains("2 beat edits made"), "\(given.output)\(given.messages)")
            func names(_ place: String) throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent(place).path).sorted()
            }
            #expect(try names("a") == names("c"))
            for file in try names("a") where file.hasSuffix(".tsv") {
                let files = ["a", "c"].map { folder.appendingPathComponent("\($0)/\(file)") }
                #expect(try Data(contentsOf: files[0]) == Data(contentsOf: files[1]), "\(file)")
            }
            let page = try String(contentsOf: folder.appendingPathComponent("c/s_report.html"), encoding: .utf8)
            #expect(page.contains("Beats of ecg were looked at by a person (1 added, 1 deleted)"))
            let asked = try Program.run("respiration", "s.edf", "--as", "ecg", in: folder)
            let table = folder.appendingPathComponent("a/s_recording-ecg_desc-respiration_physio.tsv")
            #expect(try asked.output == String(contentsOf: table, encoding: .utf8), "\(asked.messages)")
            let unedited = try Program.run("respiration", "s.edf", "--as", "ecg", "--edits", "none", in: folder)
            #expect(unedited.status == 0 && unedited.output != asked.output)
            let provenance = try String(
                contentsOf: folder.appendingPathComponent("a/s_provenance.json"), encoding: .utf8)
            #expect(provenance.contains("s_desc-edits_beats.tsv"))
        }
    }

    @Test func aChangedEditMakesAStudyAnalyzeTheRunAgain() throws {
        try withTemporaryFolder { folder in
            try Program.run("study", "init", "study", in: folder)
            try Program.run("simulate", "s.edf", "--duration", "60", in: folder)
            try Program.run("study", "add", "study", "s.edf", "--subject", "01", "--task", "rest", in: folder)
            #expect(try Program.run("analyze", "study", in: folder).status == 0)
            let raw = folder.appendingPathComponent("study/sourcedata/sub-01")
            let onset = try Program.run("beats", "study/sourcedata/sub-01/sub-01_task-rest.edf", in: folder)
                .column("onset")[10]
            let file = raw.appendingPathComponent("sub-01_task-rest_desc-edits_beats.tsv")
            try Data("onset\taction\n\(onset)\tdelete\n".utf8).write(to: file)
            let again = try Program.run("analyze", "study", in: folder)
            #expect(again.output.contains("1 beat edit made"), "\(again.output)\(again.messages)")
            #expect(try Program.run("analyze", "study", in: folder).output.contains("nothing changed"))
            let table = folder.appendingPathComponent(
                "study/derivatives/marey/sub-01/sub-01_task-rest_recording-ecg_desc-corrections_events.tsv")
            #expect(try String(contentsOf: table, encoding: .utf8).contains("\tmanual\t"))
        }
    }

    @Test(arguments: [
        ("30.5\tdelete\tn/a", "line 2"), ("x\tdelete\tn/a", "line 2"), ("1\tremove\tn/a", "add, move or delete"),
        ("1\tmove\tn/a", "without a place"), ("1\tadd\t2", "moves alone"), ("1\tmove\t9", "more than"),
        ("n/a\tadd\tn/a", "without an onset"), ("900\tadd\tn/a", "nothing was recorded there"),
    ])
    func anEditThatMakesNoSenseNamesItsLine(row: String, message: String) throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "30", in: folder)
            try Data("onset\taction\tto\n\(row)\n".utf8).write(to: folder.appendingPathComponent("e.tsv"))
            let outcome = try Program.run("beats", "s.edf", "--edits", "e.tsv", in: folder)
            #expect(outcome.status == 3)
            #expect(outcome.messages.contains("e.tsv") && outcome.messages.contains(message), "\(outcome.messages)")
        }
    }

    @Test func ofManyEditsThatFitNoBeatTheFirstAreNamedAndTheOthersCounted() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "30", in: folder)
            let rows = (0..<40).map { "\(100 + $0)\tdelete\n" }.joined()
            try Data(("onset\taction\n" + rows).utf8).write(to: folder.appendingPathComponent("e.tsv"))
            let outcome = try Program.run("beats", "s.edf", "--edits", "e.tsv", in: folder)
            #expect(outcome.status == 3)
            let (told, others) = ("line 6, delete at 104", "and 35 more edits that could not be made")
            #expect(outcome.messages.contains(told) && outcome.messages.contains(others), "\(outcome.messages)")
            #expect(!outcome.messages.contains("line 7"))
        }
    }
}
