import Foundation
import TestSupport
import Testing

/// The main job as a user does it, on simulated recordings.
struct SpineTests {
    @Test(arguments: ["edf", "hea"])
    func aSimulatedRecordingGoesAllTheWayToAReport(ending: String) throws {
        try withTemporaryFolder { folder in
            let simulated = try Program.run(
                "simulate", "s.\(ending)", "--duration", "420", "--ectopics", "0.02", "--drop-out", "200:20", in: folder
            )
            #expect(simulated.status == 0, "\(simulated.messages)")
            let outcome = try Program.run("analyze", "s.\(ending)", in: folder)
            #expect(outcome.status == 0, "\(outcome.messages)")
            let results = folder.appendingPathComponent("s_marey")
            let files = try FileManager.default.contentsOfDirectory(atPath: results.path)
            for suffix in ["desc-beats_events", "desc-hrv_physio", "desc-quality_physio", "desc-corrections_events"] {
                for label in ["ecg", "bvp"] {
                    #expect(files.contains("s_recording-\(label)_\(suffix).tsv"), "\(files)")
                    #expect(files.contains("s_recording-\(label)_\(suffix).json"))
                }
            }
            #expect(files.contains("s_provenance.json"))
            let report = try String(contentsOf: results.appendingPathComponent("s_report.html"), encoding: .utf8)
            #expect(report.contains("</html>"))
            #expect(report.contains("Not a medical device"))
            #expect(!report.contains("NaN"))
        }
    }

    @Test func detectedBeatsAreTheTrueOnes() throws {
        try withTemporaryFolder { folder in
            try Program.run(
                "simulate", "s.hea", "--duration", "600", "--ectopics", "0.02", "--noise", "muscle", "--snr", "20",
                in: folder)
            let outcome = try Program.run("validate", ".", "--tolerance", "20", in: folder)
            #expect(outcome.status == 0, "\(outcome.messages)")
            let gross = try #require(outcome.rows.first { $0[0] == "gross" })
            #expect(try #require(Double(gross[7])) >= 99.5, "F1 at 20 ms: \(gross)")
        }
    }

    @Test func hrvFromTheBeatsTableIsThatFromTheRecording() throws {
        try withTemporaryFolder { folder in
            try Program.run(
                "simulate", "s.edf", "--duration", "660", "--ectopics", "0.01", "--drop-out", "300:12", in: folder)
            let beats = try Program.run("beats", "s.edf", "--output", "beats.tsv", in: folder)
            #expect(beats.status == 0, "\(beats.messages)")
            let direct = try Program.run("hrv", "s.edf", in: folder)
            let throughTable = try Program.run("hrv", "beats.tsv", in: folder)
            #expect(direct.status == 0, "\(direct.messages)")
            #expect(direct.rows.count > 5)
            // Beats say nothing about the signal they were found in.
            #expect(try direct.rows(without: "quality") == throughTable.rows(without: "quality"))
            #expect(try throughTable.column("quality").allSatisfy { $0 == "n/a" })
        }
    }

    @Test func theSameInputGivesTheSameBytes() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "330", in: folder)
            try Program.run("analyze", "s.edf", "--output", "a", in: folder)
            try Program.run("analyze", "s.edf", "--output", "b", in: folder)
            let (a, b) = (folder.appendingPathComponent("a"), folder.appendingPathComponent("b"))
            let files = try FileManager.default.contentsOfDirectory(atPath: a.path)
            #expect(files.count > 10)
            for file in files {
                #expect(
                    try Data(contentsOf: a.appendingPathComponent(file))
                        == Data(contentsOf: b.appendingPathComponent(file)),
                    "\(file)")
            }
        }
    }

    @Test(arguments: ["hea", "edf"])
    func convertingKeepsBeatsAndGaps(ending: String) throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "300", "--drop-out", "100:10", in: folder)
            #expect(try Program.run("convert", "s.edf", "c.\(ending)", in: folder).status == 0)
            let before = try Program.run("beats", "s.edf", in: folder)
            let after = try Program.run("beats", "c.\(ending)", in: folder)
            #expect(try before.column("onset").count > 300)
            let offsets = zip(try before.column("onset"), try after.column("onset")).map {
                abs((Double($0) ?? .nan) - (Double($1) ?? .nan))
            }
            #expect(try before.column("onset").count == after.column("onset").count)
            #expect(offsets.allSatisfy { $0 <= 0.004 })
            #expect(try before.column("ibi").map { $0 == "n/a" } == after.column("ibi").map { $0 == "n/a" })
        }
    }

    @Test func existingFilesAreKeptUnlessForced() throws {
        try withTemporaryFolder { folder in
            try Data("precious".utf8).write(to: folder.appendingPathComponent("s.edf"))
            #expect(try Program.run("simulate", "s.edf", "--duration", "20", in: folder).status == 3)
            #expect(try String(contentsOf: folder.appendingPathComponent("s.edf"), encoding: .utf8) == "precious")
            #expect(try Program.run("simulate", "s.edf", "--duration", "20", "--force", in: folder).status == 0)
        }
    }

    @Test func aProgramThatIsToldToStopLeavesNothingBehind() throws {
        try withTemporaryFolder { folder in
            let process = Process()
            process.executableURL = Program.url
            process.arguments = ["simulate", "s.csv", "--streams", "ecg", "--duration", "2000000"]
            process.currentDirectoryURL = folder
            process.standardError = FileHandle.nullDevice
            try process.run()
            while try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, process.isRunning {
                sched_yield()
            }
            process.terminate()
            process.waitUntilExit()
            #expect(process.terminationStatus == 128 + SIGTERM)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test func jsonResultsAreJSON() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "320", in: folder)
            for arguments in [["beats"], ["hrv"], ["quality"], ["info"]] {
                let outcome = try Program.run(arguments + ["s.edf", "--json"], in: folder)
                #expect(outcome.status == 0, "\(outcome.messages)")
                let value = try JSONSerialization.jsonObject(with: Data(outcome.output.utf8))
                #expect(value is [Any] || value is [String: Any])
            }
        }
    }

    @Test func parametersFromAFileAreUsedAndUnknownOnesRefused() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "300", in: folder)
            try Data("hrv:\n  window: 60\n  step: 60\n".utf8).write(to: folder.appendingPathComponent("study.yaml"))
            let outcome = try Program.run("hrv", "s.edf", "--config", "study.yaml", in: folder)
            #expect(try outcome.column("duration").allSatisfy { $0 == "60" }, "\(outcome.messages)")
            #expect(outcome.rows.count >= 5)
            try Data("hrv:\n  windw: 60\n".utf8).write(to: folder.appendingPathComponent("typo.yaml"))
            let typo = try Program.run("hrv", "s.edf", "--config", "typo.yaml", in: folder)
            #expect(typo.status == 3 || typo.status == 2)
            #expect(typo.messages.contains("hrv.windw"))
        }
    }

    /// `datasets/simulated` says that it can be made again from its parameters.
    @Test func theCommittedRecordingIsWhatItsParametersGive() throws {
        let committed = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../datasets/simulated").standardizedFileURL
        try withTemporaryFolder { folder in
            let config = committed.appendingPathComponent("rest_simulation.json").path
            #expect(try Program.run("simulate", "rest.hea", "--config", config, in: folder).status == 0)
            for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
                #expect(
                    try Data(contentsOf: folder.appendingPathComponent(file))
                        == Data(contentsOf: committed.appendingPathComponent(file)), "\(file)")
            }
        }
    }
}
