import Foundation
import TestSupport
import Testing

/// Values that nobody means, in files and on the command line: each is refused with its place, and none ends the program
/// otherwise.
struct HostileArgumentTests {
    @Test func settingsBeyondAllMeasureAreRefusedByTheirKeys() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "20", "--streams", "ecg", in: folder)
            for (text, place) in [
                ("rhythm: {irregularIntervals: 5}", "rhythm.irregularIntervals is 5"),
                ("rhythm: {irregularIntervals: -1}", "rhythm.irregularIntervals"),
                ("rhythm: {bradycardiaRate: 1000}", "rhythm.bradycardiaRate is 1000"),
                ("rhythm: {irregularFrom: 0}", "rhythm.irregularFrom is 0"),
            ] {
                try Data(text.utf8).write(to: folder.appendingPathComponent("q.yaml"))
                let outcome = try Program.run("rhythm", "s.edf", "--config", "q.yaml", in: folder)
                #expect(outcome.status == 3 && outcome.messages.contains("q.yaml: \(place)"), "\(outcome.messages)")
            }
        }
    }

    @Test(arguments: ["1e15", "1e18", "1e19", "1e300", "-1e19"])
    func anEditFarBeyondTheRecordingIsRefusedByItsLine(onset: String) throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "20", "--streams", "ecg", in: folder)
            try Data("onset\taction\n5.01\tadd\n\(onset)\tadd\n".utf8).write(
                to: folder.appendingPathComponent("s_desc-edits_beats.tsv"))
            let outcome = try Program.run("beats", "s.edf", in: folder)
            #expect(outcome.status == 3 && outcome.messages.contains("line 3"), "\(outcome.messages)")
        }
    }

    @Test(arguments: [
        (["--noise", "white", "--snr", "nan"], "--snr"), (["--noise", "white", "--snr", "1e308"], "--snr"),
        (["--noise", "muscle", "--snr", "-1e308"], "--snr"), (["--drop-out", "1e17:1"], "--drop-out"),
        (["--drop-out", "5:1e18"], "--drop-out"), (["--duration", "nan"], "--duration"),
    ])
    func simulationsThatCannotBeMadeAreRefused(arguments: [String], name: String) throws {
        try withTemporaryFolder { folder in
            let outcome = try Program.run(["simulate", "s.edf"] + arguments, in: folder)
            #expect(outcome.status == 2 && outcome.messages.contains(name), "\(outcome.messages)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test func aFileOfASimulationHasTheRangesOfTheFlags() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            let text = try String(contentsOf: folder.appendingPathComponent("s_simulation.json"), encoding: .utf8)
            for (found, instead, place) in [
                (#""duration" : 20"#, #""duration" : -1"#, "duration is -1"),
                (#""sampleRate" : 250"#, #""sampleRate" : -1"#, "ecg.sampleRate is -1"),
                (#""sampleRate" : 64"#, #""sampleRate" : 1e19"#, "bvp.sampleRate is 1e+19"),
                (#""transit" : 0.35"#, #""transit" : 1e19"#, "bvp.transit is 1e+19"),
            ] {
                #expect(text.contains(found), "\(text)")
                try Data(text.replacing(found, with: instead).utf8).write(to: folder.appendingPathComponent("q.json"))
                let outcome = try Program.run("simulate", "t.edf", "--config", "q.json", in: folder)
                #expect(outcome.status == 2 && outcome.messages.contains("q.json: \(place)"), "\(outcome.messages)")
            }
        }
    }

    @Test(arguments: ["1e19", "1e300", "0", "-1", "nan"])
    func aRateThatNoTextHasIsRefused(rate: String) throws {
        try withTemporaryFolder { folder in
            try Data("v\n1\n2\n3\n".utf8).write(to: folder.appendingPathComponent("d.csv"))
            let outcome = try Program.run("info", "d.csv", "--text-rate=\(rate)", in: folder)
            #expect(outcome.status == 2 && outcome.messages.contains("--text-rate"), "\(outcome.messages)")
            try Data("sampleRate: \(rate == "nan" ? ".nan" : rate)".utf8).write(
                to: folder.appendingPathComponent("c.yaml"))
            let mapped = try Program.run("info", "d.csv", "--columns", "c.yaml", in: folder)
            #expect(mapped.status == 3 && mapped.messages.contains("c.yaml: sampleRate"), "\(mapped.messages)")
        }
    }

    @Test(arguments: [
        ["info", ""], ["info", "--json", ""], ["beats", ""], ["eda", "s.csv", "--columns", ""], ["analyze", ""],
        ["analyze", "s.csv", "--output", ""], ["convert", "s.csv", ""], ["recover", ""], ["validate", ""],
        ["simulate", ""], ["study", "init", ""], ["hrv", "s.csv", "--config", ""],
    ])
    func anEmptyNameIsNoFile(arguments: [String]) throws {
        try withTemporaryFolder { folder in
            let outcome = try Program.run(arguments, in: folder)
            #expect(outcome.status == 2 && outcome.messages.contains("variable"), "\(outcome.messages)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test(arguments: [
        ["info", "s.edf"], ["info", "s.edf", "--tsv"], ["info", "s.edf", "--json"], ["beats", "s.edf"],
        ["analyze", "--show-parameters"], ["--help"], ["--version"],
    ])
    func resultsThatCannotBePrintedAreNotCalledDone(arguments: [String]) throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "20", "--streams", "ecg", in: folder)
            let process = Process()
            let messages = Pipe()
            process.executableURL = Program.url
            process.arguments = arguments
            process.currentDirectoryURL = folder
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle(forWritingAtPath: "/dev/full")
            process.standardError = messages
            try process.run()
            let text = String(decoding: messages.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationReason == .exit && process.terminationStatus == 3)
            #expect(text.contains("standard output cannot be written"), "\(text)")
        }
    }
}
