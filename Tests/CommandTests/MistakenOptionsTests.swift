import Foundation
import TestSupport
import Testing

/// Options that contradict each other, say a thing twice or look like others.
struct MistakenOptionsTests {
    @Test func aRecordingThatIsNamedTwiceIsScoredOnce() throws {
        try withTemporaryFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("v"), withIntermediateDirectories: true)
            try Program.run("simulate", "v/s.hea", "--duration", "60", in: folder)
            let once = try Program.run("validate", "v", "--tolerance", "50", in: folder)
            #expect(once.status == 0 && once.rows.count > 1, "\(once.messages)")
            for arguments in [["v", "v"], ["v", "v/s.hea"], ["v/../v"]] {
                for tolerance in ["50", "50,50"] {
                    let outcome = try Program.run(["validate"] + arguments + ["--tolerance", tolerance], in: folder)
                    #expect(outcome.rows.count == once.rows.count, "\(arguments) \(tolerance)")
                    #expect(try outcome.column("tp") == once.column("tp"))
                }
            }
        }
    }

    @Test(arguments: [
        (["hrv", "s.edf", "--why", "--turbulence"], "give one of them"),
        (["beats", "s.edf", "-o", "-"], "standard output"),
        (["eda", "s.edf", "--window", "30"], "eda.window"), (["motion", "s.edf", "--step", "5"], "motion.epoch"),
        (["eeg", "s.edf", "--correction", "none"], "eeg.epochs.length"),
        (["hrv", "s.edf", "--indexes", ","], "--indexes names none"),
        (["hrv", "s.edf", "--indexes", "rmssd", "--corrections"], "--indexes names values"),
        (["eeg", "s.edf", "--indexes", ", "], "--indexes names none"),
        (["eeg", "s.edf", "--indexes", "alphaPower", "--table", "blinks"], "--table blinks has none of them"),
        (["eeg", "s.edf", "--indexes", "alphaPower,alfaPower"], "eeg.features.indexes is alfaPower; it must be"),
        (
            ["quality", "s.edf", "--window", "60"],
            "--window and --step are of heart rate variability; here it is quality"
        ),
        (["beats", "s.edf", "--window", "60"], "change nothing here"), (["rhythm", "s.edf", "--step", "5"], "--step"),
        (["validate", "s.edf", "--correction", "none"], "--correction are of heart rate variability"),
        (["sleep", "s.edf", "--window", "60"], "--window and --step are of heart rate variability"),
        (["respiration", "s.edf", "--window", "5"], "respiration.window is 5.0; it must be 20 to 600 s"),
        (["respiration", "s.edf", "--step", "0.5"], "respiration.step"),
        (["beats", "s.edf", "-o", "x.csv"], "end it with .tsv"), (["simulate", "x.csv"], "--streams ecg"),
        (["batch", ".", "out", "participant", "--mem-gb", "inf"], "above 0 and below 1000000"),
        (["batch", ".", "out", "participant", "--partition", "short"], "--executor slurm"),
        (["batch", ".", "out", "participant", "--no-wait"], "--executor slurm"),
        (["batch", ".", "out", "participant", "--participant-label", ","], "--participant-label ',' names nobody"),
        (["batch", ".", "out", "group", "--task-label", ", ,"], "leave it out"),
        (["simulate", "x.edf", "--truth", "t.tsv"], "--truth is for simulated devices"),
        (["simulate", "x.edf", "--bus", "unix:path=b"], "--bus is for simulated devices"),
        (["simulate", "x.edf", "--hrv", "200,x,450,312.5"], "must be three powers"),
        (["simulate", "x.edf", "--hrv", "200,450,"], "must be three powers"),
        (["simulate", "cohort", "out", "--signals", ","], "known are ecg, bvp, eda, eeg"),
        (["simulate", "cohort", "out", "--tasks", "rest, run"], "known are rest, stress"),
        (["simulate", "cohort", "out", "--tasks", "rest,rest"], "each at most once"),
        (["validate", "s.edf", "--tolerance", "150,,50"], "must be milliseconds"),
        (["study", "keys", "create", ".", "--name", "k", "--rights", ","], "--rights names none"),
        (["study", "keys", "create", ".", "--name", "k", "--predictions", " ,"], "--predictions names none"),
    ])
    func whatCannotBeMeantIsRefused(arguments: [String], advice: String) throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            let before = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            let outcome = try Program.run(arguments, in: folder)
            #expect(outcome.status == 2 && outcome.messages.contains(advice), "\(outcome.messages)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == before)
        }
    }

    @Test func predictionsThatNameNoneAreRefusedBeforeThereIsARecording() throws {
        try withTemporaryFolder { folder in
            #expect(try Program.run("study", "init", "s", in: folder).status == 0)
            let outcome = try Program.run(
                "acquire", "--study", "s", "--subject", "01", "empatica-e4@127.0.0.1:9", "--duration", "1",
                "--predictions", " ,", in: folder)
            #expect(outcome.status == 2 && outcome.messages.contains("--predictions names none"), "\(outcome.messages)")
            #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("s/sourcedata/sub-01").path))
        }
    }

    @Test(
        arguments: [
            ["devices", "scan"], ["devices", "lsl"], ["devices", "probe", "empatica-e4@127.0.0.1:9"],
        ], ["nan", "inf", "1e300", "0", "-1"])
    func aTimeThatNobodyListensForIsRefused(verb: [String], duration: String) throws {
        let outcome = try Program.run(verb + ["--duration=\(duration)"])
        #expect(outcome.status == 2 && outcome.messages.contains("--duration"), "\(outcome.messages)")
    }

    @Test func parametersThatAreNotThereAreCalledSo() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            let outcome = try Program.run("hrv", "s.edf", "--config", "nope.yaml", in: folder)
            #expect(outcome.status == 3 && outcome.messages.contains("nope.yaml: there is no such file"))
            try Data([0xFF, 0xFE, 0x00, 0xD8]).write(to: folder.appendingPathComponent("odd.yaml"))
            let odd = try Program.run("hrv", "s.edf", "--config", "odd.yaml", in: folder)
            #expect(odd.status == 3 && odd.messages.contains("UTF-8"), "\(odd.messages)")
        }
    }

    @Test(arguments: [
        ["--output", "o"], ["--stream", "ecg"], ["--channel", "0"], ["--as", "ecg"], ["--text-rate", "100"],
        ["--columns", "c.yaml"], ["--edits", "e.tsv"],
    ])
    func whatIsOfOneRecordingIsRefusedForAStudy(options: [String]) throws {
        try withTemporaryFolder { folder in
            try Program.run("study", "init", "study", in: folder)
            let outcome = try Program.run(["analyze", "study"] + options, in: folder)
            #expect(
                outcome.status == 2 && outcome.messages.contains("\(options[0]) is for recordings"),
                "\(outcome.messages)")
        }
    }

    @Test func whatThereIsNoneOfIsToldOnceAndWhatCanBeWrittenAlone() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            let kind = try Program.run("quality", "s.edf", "--stream", "eda", in: folder)
            #expect(kind.status == 3 && kind.messages.contains("s.edf: no eda stream; it has"), "\(kind.messages)")
            let name = try Program.run("motion", "s.edf", "--stream", "x", in: folder)
            #expect(
                name.messages.contains("no acceleration, temperature or battery stream called x"), "\(name.messages)")
            let format = try Program.run("simulate", "s.wav", in: folder)
            #expect(format.status == 2 && format.messages.contains(".tsv.gz"), "\(format.messages)")
            #expect(!format.messages.contains(".rr"), "a simulated recording has no stream of intervals")
        }
    }

    @Test func noiseMayBeStrongerThanTheSignal() throws {
        try withTemporaryFolder { folder in
            for (name, snr) in [("a.edf", ["--snr", "-10"]), ("b.edf", ["--snr=-10"])] {
                let outcome = try Program.run(
                    ["simulate", name, "--duration", "20", "--noise", "muscle"] + snr, in: folder)
                #expect(outcome.status == 0, "\(outcome.messages)")
            }
            let bytes = try ["a.edf", "b.edf"].map { try Data(contentsOf: folder.appendingPathComponent($0)) }
            #expect(bytes[0] == bytes[1])
        }
    }

    @Test func aPageIsPrintedToTheNamedPDFOrNotAtAll() throws {
        try withTemporaryFolder { folder in
            try Data("<p>text</p>".utf8).write(to: folder.appendingPathComponent("x.html"))
            let refused = try Program.run("report", "x.html", "--pdf", "-o", "y.html", in: folder)
            #expect(refused.status == 2 && refused.messages.contains("end the name with .pdf"), "\(refused.messages)")
            let plain = try Program.run("report", "x.html", in: folder)
            #expect(plain.status == 2 && plain.messages.contains("is a report already; --pdf"), "\(plain.messages)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["x.html"])
            // Without a Chromium nothing is printed, and never beside the page.
            let printed = try Program.run("report", "x.html", "--pdf", "-o", "y.pdf", in: folder)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            #expect(names == (printed.status == 0 ? ["x.html", "y.pdf"] : ["x.html"]), "\(printed.messages)")
        }
    }

    @Test func windowsOfRespirationAreAsLongAsAskedFor() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "60", in: folder)
            for source in [["--as", "ecg"], []] {
                let outcome = try Program.run(
                    ["respiration", "s.edf", "--window", "30", "--step", "5"] + source, in: folder)
                #expect(outcome.status == 0, "\(outcome.messages)")
                #expect(try Set(outcome.column("duration").compactMap { Double($0) }) == [30])
                #expect(try Set(outcome.column("onset").compactMap { Double($0) }).isSuperset(of: [0, 5, 10, 15]))
            }
            let help = try Program.run("respiration", "--help").output
            #expect(help.contains("Respiration window in seconds") && !help.contains("HRV window"))
        }
    }

    @Test func theWholeRecordingIsAWindowInFilesToo() throws {
        try withTemporaryFolder { folder in
            try Program.run("simulate", "s.edf", "--duration", "60", in: folder)
            try Data("hrv:\n  window: whole\n".utf8).write(to: folder.appendingPathComponent("p.yaml"))
            let flag = try Program.run("hrv", "s.edf", "--window", "whole", in: folder)
            let file = try Program.run("hrv", "s.edf", "--config", "p.yaml", in: folder)
            #expect(flag.status == 0 && file.status == 0 && file.output == flag.output, "\(file.messages)")
        }
    }
}
