import Foundation
import TestSupport
import Testing

/// A study from its beginning to its results.
struct StudyCommandTests {
    @Test func aStudyIsMadeFilledAnalyzedAndValidated() throws {
        try withTemporaryFolder { folder in
            #expect(try Program.run("study", "init", "study", "--name", "Stress", in: folder).status == 0)
            for (subject, ending) in [("01", "edf"), ("02", "hea")] {
                try Program.run("simulate", "s\(subject).\(ending)", "--duration", "60", in: folder)
                let added = try Program.run(
                    "study", "add", "study", "s\(subject).\(ending)", "--subject", subject, "--session", "1", "--task",
                    "rest", in: folder)
                #expect(added.status == 0, "\(added.messages)")
            }
            let analyzed = try Program.run("analyze", "study", in: folder)
            #expect(analyzed.status == 0, "\(analyzed.messages)")
            let results = folder.appendingPathComponent("study/derivatives/marey/sub-01/ses-1")
            let files = try FileManager.default.contentsOfDirectory(atPath: results.path)
            #expect(files.contains("sub-01_ses-1_task-rest_report.html"), "\(files)")
            #expect(files.contains("sub-01_ses-1_task-rest_recording-ecg_desc-beats_events.tsv"))

            let status = try Program.run("study", "status", "study", in: folder)
            #expect(try status.column("participant") == ["01", "02"])
            #expect(try status.column("analysis") == ["finished", "finished"])
            let again = try Program.run("analyze", "study", in: folder)
            #expect(
                again.output.split(separator: "\n").allSatisfy { $0.hasSuffix("nothing changed") }, "\(again.output)")
            let valid = try Program.run("study", "validate", "study", in: folder)
            #expect(valid.status == 0, "\(valid.output)")
        }
    }

    @Test func changedRawDataIsFoundAndABrokenRunDoesNotStopTheOthers() throws {
        try withTemporaryFolder { folder in
            try Program.run("study", "init", "study", in: folder)
            for subject in ["01", "02"] {
                try Program.run("simulate", "s\(subject).edf", "--duration", "30", in: folder)
                try Program.run("study", "add", "study", "s\(subject).edf", "--subject", subject, in: folder)
            }
            let raw = folder.appendingPathComponent("study/sourcedata/sub-01/sub-01.edf")
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: raw.path)
            try Data("damaged".utf8).write(to: raw)
            let outcome = try Program.run("analyze", "study", in: folder)
            #expect(outcome.status == 1)
            #expect(outcome.messages.contains("sub-01"))
            let status = try Program.run("study", "status", "study", in: folder)
            #expect(try status.column("analysis") == ["failed", "finished"])
            #expect(try Program.run("study", "validate", "study", in: folder).status == 1)
        }
    }

    @Test func whatErasingWouldDeleteIsListedAndNothingIsDeleted() throws {
        try withTemporaryFolder { folder in
            try Program.run("study", "init", "study", in: folder)
            try Program.run("simulate", "s.edf", "--duration", "30", in: folder)
            try Program.run("study", "add", "study", "s.edf", "--subject", "01", in: folder)
            let listed = try Program.run("study", "erase", "study", "01", in: folder)
            #expect(listed.status == 0 && listed.output.contains("sub-01.edf"), "\(listed.messages)")
            #expect(listed.messages.contains("nothing was deleted; add --yes"))
            let valid = try Program.run("study", "validate", "study", in: folder)
            #expect(valid.status == 0 && valid.messages.contains("0 errors"), "\(valid.messages)")
            let erased = try Program.run("study", "erase", "study", "01", "--yes", in: folder)
            #expect(erased.status == 0 && !erased.messages.contains("nothing was deleted"), "\(erased.messages)")
        }
    }

    @Test func theCommandToGiveNextIsOneThatAShellTakes() throws {
        try withTemporaryFolder { folder in
            let made = try Program.run("study", "init", "my study", in: folder)
            #expect(made.output.contains("marey study add 'my study' FILE --subject 01"), "\(made.output)")
            let analyzed = try Program.run("analyze", "my study", in: folder)
            #expect(analyzed.messages.contains("marey study add 'my study' FILE"), "\(analyzed.messages)")
        }
    }

    @Test func aRunIsNeverReplaced() throws {
        try withTemporaryFolder { folder in
            try Program.run("study", "init", "study", in: folder)
            try Program.run("simulate", "s.edf", "--duration", "30", in: folder)
            #expect(try Program.run("study", "add", "study", "s.edf", "--subject", "01", in: folder).status == 0)
            #expect(try Program.run("study", "add", "study", "s.edf", "--subject", "01", in: folder).status == 3)
            let second = try Program.run("study", "add", "study", "s.edf", "--subject", "01", "--run", "2", in: folder)
            #expect(second.status == 0, "\(second.messages)")
        }
    }

    @Test func `of the name of a recording of one file a study keeps the ending alone`() throws {
        try withTemporaryFolder { folder in
            try Program.run("study", "init", "study", in: folder)
            try Program.run("simulate", "Ada.Example 3.5.edf", "--duration", "30", in: folder)
            try Program.run("simulate", "b.edf", "--duration", "30", in: folder)
            try Process.run(URL(fileURLWithPath: "/bin/gzip"), arguments: [folder.path + "/b.edf"]).waitUntilExit()
            for (file, subject) in [("Ada.Example 3.5.edf", "01"), ("b.edf.gz", "02")] {
                let added = try Program.run("study", "add", "study", file, "--subject", subject, in: folder)
                #expect(added.status == 0, "\(added.messages)")
            }
            let names = try ["01", "02"].map {
                try FileManager.default.contentsOfDirectory(
                    atPath: folder.appendingPathComponent("study/sourcedata/sub-\($0)").path)
            }
            #expect(names == [["sub-01.edf"], ["sub-02.edf.gz"]])
            let batch = try Program.run("batch", "study", "out", "participant", "--no-reports", in: folder)
            #expect(batch.status == 0 && batch.output.contains("2 done"), "\(batch.output) \(batch.messages)")
        }
    }

    @Test func theStudysOwnParametersAreUsedAndAChangeMeansAnalyzingAgain() throws {
        try withTemporaryFolder { folder in
            try Program.run("study", "init", "study", in: folder)
            try Program.run("simulate", "s.edf", "--duration", "130", in: folder)
            try Program.run("study", "add", "study", "s.edf", "--subject", "01", in: folder)
            let yaml = folder.appendingPathComponent("study/study.yaml")
            try Data("hrv:\n  window: 60\n  step: 60\n".utf8).write(to: yaml)
            #expect(try Program.run("analyze", "study", in: folder).status == 0)
            let table = folder.appendingPathComponent(
                "study/derivatives/marey/sub-01/sub-01_recording-ecg_desc-hrv_physio.tsv")
            #expect(try String(contentsOf: table, encoding: .utf8).split(separator: "\n").count == 3)
            #expect(try Program.run("analyze", "study", in: folder).output.contains("nothing changed"))
            try Data("hrv:\n  window: 30\n  step: 30\n".utf8).write(to: yaml)
            #expect(try Program.run("analyze", "study", in: folder).output.contains("HRV windows"))
            #expect(try String(contentsOf: table, encoding: .utf8).split(separator: "\n").count == 5)
        }
    }

    @Test func resultsAreForTheirOwnerAlone() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "30", in: folder)
            try Program.run("analyze", "s.edf", in: folder)
            let attributes = try FileManager.default.attributesOfItem(
                atPath: folder.appendingPathComponent("s_marey/s_report.html").path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }
}
