import Foundation
import TestSupport
import Testing

/// Results of one recording or of earlier parameters never stand for those of another.
struct ReplacedResultsTests {
    private func names(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    }

    @Test(arguments: [[], ["-o", "out"]]) func recordingsOfOneNameAreRefusedBeforeAnyWork(output: [String]) throws {
        try withTemporaryFolder { folder in
            for place in ["A", "B"] {
                try FileManager.default.createDirectory(
                    at: folder.appendingPathComponent(place), withIntermediateDirectories: true)
                try Program.run("simulate", "\(place)/rec.edf", "--duration", "20", in: folder)
            }
            let outcome = try Program.run(["analyze", "A/rec.edf", "B/rec.edf"] + output, in: folder)
            #expect(outcome.status == 2)
            #expect(outcome.messages.contains("A/rec.edf and B/rec.edf"), "\(outcome.messages)")
            #expect(try names(folder) == ["A", "B"])
        }
    }

    @Test func whatIsNotOfTheNewResultsIsRemoved() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "rec.edf", "--duration", "60", in: folder)
            #expect(try Program.run("analyze", "rec.edf", "-o", "out", in: folder).status == 0)
            let out = folder.appendingPathComponent("out")
            let before = try names(out)
            #expect(before.contains { $0.contains("_recording-bvp_") } && before.contains { $0.contains("desc-hrv_") })
            let own = "rec_recording-bvp_mine.tsv"
            try Data("mine".utf8).write(to: out.appendingPathComponent(own))
            // Another recording of that name, without a pulse; then other outputs of the same.
            try Program.run("simulate", "rec.edf", "--duration", "60", "--streams", "ecg", "--force", in: folder)
            #expect(try Program.run("analyze", "rec.edf", "-o", "out", in: folder).status == 0)
            let after = try names(out)
            #expect(after.filter { $0.contains("bvp") } == [own] && after.contains { $0.contains("desc-hrv_") })
            try Data("outputs: [quality]\n".utf8).write(to: folder.appendingPathComponent("p.yaml"))
            #expect(try Program.run("analyze", "rec.edf", "-o", "out", "--config", "p.yaml", in: folder).status == 0)
            let beatsOnly = try names(out)
            #expect(beatsOnly.contains(own) && !beatsOnly.contains { $0.contains("desc-hrv_") })
            #expect(beatsOnly.contains { $0.hasSuffix("_desc-beats_events.tsv") })
            #expect(beatsOnly.contains("rec_report.html") && beatsOnly.contains("rec_provenance.json"))
            // The same as in a folder that was empty.
            #expect(try Program.run("analyze", "rec.edf", "-o", "new", "--config", "p.yaml", in: folder).status == 0)
            #expect(try names(folder.appendingPathComponent("new")) == beatsOnly.filter { $0 != own })
        }
    }

    @Test func anEditedProvenanceRemovesNothingElsewhere() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "rec.edf", "--duration", "30", in: folder)
            let out = folder.appendingPathComponent("out")
            try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
            try Data("kept".utf8).write(to: folder.appendingPathComponent("rec_kept.txt"))
            try Data("kept".utf8).write(to: out.appendingPathComponent("other.txt"))
            let named = #"{"software": "Marey", "outputs": ["../rec_kept.txt", "other.txt", "rec/../../rec_kept.txt"]}"#
            try Data(named.utf8).write(to: out.appendingPathComponent("rec_provenance.json"))
            #expect(try Program.run("analyze", "rec.edf", "-o", "out", in: folder).status == 0)
            #expect(try names(folder).contains("rec_kept.txt") && names(out).contains("other.txt"))
        }
    }
}
