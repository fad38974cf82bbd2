import Cohort
import Foundation
import Signals
import Study
import TestSupport
import Testing

/// What only study.yaml tells of a person's files.
struct ConfiguredFilesTests {
    @Test func recordingsAndEventsOfAPersonAreFoundByTheirPatterns() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            for path in ["raw/VP_1.rr", "raw/VP_10.rr", "events/VP_1.tsv", "events/VP_10.tsv", "events/VP_1.txt"] {
                let url = study.root.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("800\n".utf8).write(to: url)
            }
            #expect(try study.configuredFiles(of: "VP1").isEmpty)
            let yaml =
                "cohort: { recordings: \"raw/{subject}.rr\" }\ncomparisons: { events: \"events/{subject}.tsv\" }\n"
            try Data(yaml.utf8).write(to: study.root.appendingPathComponent("study.yaml"))
            #expect(try study.configuredFiles(of: "VP1") == ["events/VP_1.tsv", "raw/VP_1.rr"])
            #expect(try study.configuredFiles(of: "VP2").isEmpty)
        }
    }

    @Test func resultsOutsideOfAStudyAreNotedInItsBookkeeping() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            let now = Timestamp(secondsSince1970: 1_790_000_000)
            let (outside, inside) = (folder.appendingPathComponent("out"), study.derivatives)
            // A folder without bookkeeping gets none.
            #expect(StudyFolder.noteResults(of: study.root, in: outside, at: now))
            #expect(!FileManager.default.fileExists(atPath: study.database.path))
            let bookkeeping = try Bookkeeping(study)
            for place in [outside, inside] { #expect(StudyFolder.noteResults(of: study.root, in: place, at: now)) }
            #expect(try bookkeeping.outputs() == [outside.standardizedFileURL.path])
        }
    }

    @Test func aNodeOfAClusterNotesResultsWithoutOpeningTheBookkeeping() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            let now = Timestamp(secondsSince1970: 1_790_000_000)
            // Whoever opened this as bookkeeping would fail.
            try Data("no database".utf8).write(to: study.database)
            let outside = folder.appendingPathComponent("out")
            for _ in 0..<2 {
                #expect(StudyFolder.noteResults(of: study.root, in: outside, at: now, isNode: true))
            }
            #expect(StudyFolder.noteResults(of: study.root, in: study.derivatives, at: now, isNode: true))
            #expect(study.notedOutputs() == [outside.standardizedFileURL.path])
            // The next that may open it takes the note up.
            try FileManager.default.removeItem(at: study.database)
            let bookkeeping = try Bookkeeping(study)
            let other = folder.appendingPathComponent("other")
            #expect(StudyFolder.noteResults(of: study.root, in: other, at: now))
            #expect(try bookkeeping.outputs() == [other, outside].map(\.standardizedFileURL.path))
            #expect(study.notedOutputs().isEmpty)
        }
    }

    @Test func aPersonIsToldOfAsTheDataSetSpellsTheLabel() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            for path in ["raw/sub-VP_1.rr", "raw/Bär.rr"] {
                let url = study.root.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data("800\n".utf8).write(to: url)
            }
            try Data("cohort: { recordings: \"raw/{subject}.rr\" }\n".utf8)
                .write(to: study.root.appendingPathComponent("study.yaml"))
            let told = ["Baer": "Baer", "Bär": "Baer", "sub-VP_1": "subVP1", "VP_2": "VP2", "sub-07": "07", "?": nil]
            for (text, label) in told { #expect(try study.participantLabel(of: text) == label, "\(text)") }
        }
    }
}
