import Foundation
import TestSupport
import Testing

/// A cohort from the command line.
@Suite(.serialized) struct BatchCommandTests {
    /// A BIDS data set of short recordings.
    private static func dataset(_ count: Int, in folder: URL) throws {
        let root = folder.appendingPathComponent("data")
        for number in 1...count {
            let subject = String(format: "sub-%02d", number)
            let place = root.appendingPathComponent("\(subject)/ecg")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Program.run(
                "simulate", "\(subject)_task-rest_ecg.edf", "--duration", "\(30 + number * 20)", "--seed", "\(number)",
                "--streams", "ecg", in: place)
        }
        try Data("{\"Name\": \"n\", \"BIDSVersion\": \"1.10.0\"}".utf8)
            .write(to: root.appendingPathComponent("dataset_description.json"))
    }

    /// All results below a batch's folder, logs and bookkeeping left out, by their paths.
    private static func results(_ folder: URL) throws -> [String: Data] {
        var found: [String: Data] = [:]
        let paths = FileManager.default.enumerator(atPath: folder.path)
        while let path = paths?.nextObject() as? String {
            let url = folder.appendingPathComponent(path)
            guard !path.hasPrefix("."), !path.hasPrefix("logs"), !url.hasDirectoryPath,
                let data = FileManager.default.contents(atPath: url.path)
            else { continue }
            found[path] = data
        }
        return found
    }

    @Test func resultsAreTheSameWithAnyNumberOfWorkersAndAfterBeingKilled() throws {
        try withTemporaryFolder { folder in
            try Self.dataset(4, in: folder)
            let one = try Program.run("batch", "data", "one", "participant", "--n-cpus", "1", in: folder)
            #expect(one.status == 0, "\(one.messages)")
            #expect(one.output.contains("4 done"))
            let two = try Program.run("batch", "data", "two", "participant", "--n-cpus", "2", in: folder)
            #expect(two.status == 0, "\(two.messages)")
            let expected = try Self.results(folder.appendingPathComponent("one"))
            #expect(expected.count > 40)
            #expect(try Self.results(folder.appendingPathComponent("two")) == expected)

            for delay: UInt32 in [40, 90, 150, 230, 320] {
                let process = Process()
                process.executableURL = Program.url
                process.arguments = ["batch", "data", "killed", "participant", "--n-cpus", "2"]
                process.currentDirectoryURL = folder
                (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
                try process.run()
                usleep(delay * 1000)
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
            }
            let resumed = try Program.run("batch", "data", "killed", "participant", "--n-cpus", "2", in: folder)
            #expect(resumed.status == 0, "\(resumed.messages)")
            #expect(try Self.results(folder.appendingPathComponent("killed")) == expected)
        }
    }

    @Test func aBrokenRecordingFailsAloneAndIsTriedAgainWhenAsked() throws {
        try withTemporaryFolder { folder in
            try Self.dataset(3, in: folder)
            let broken = folder.appendingPathComponent("data/sub-02/ecg/sub-02_task-rest_ecg.edf")
            let whole = try Data(contentsOf: broken)
            try Data("broken".utf8).write(to: broken)
            let first = try Program.run("batch", "data", "out", "participant", "--no-reports", in: folder)
            #expect(first.status == 1)
            #expect(first.messages.contains("sub-02_task-rest: unreadable"))
            let status = try Program.run("batch", "status", "out", in: folder)
            #expect(try status.column("state") == ["done", "failed", "done"])
            #expect(try status.column("class") == ["n/a", "unreadable", "n/a"])
            #expect(try Program.run("batch", "data", "out", "participant", "--no-reports", in: folder).status == 1)
            try whole.write(to: broken)
            let last = try Program.run(
                "batch", "data", "out", "participant", "--no-reports", "--retry-failed", in: folder)
            #expect(last.status == 0, "\(last.messages)")
        }
    }

    @Test func aDamagedPlanIsNamedUntilTheBatchRunsAgain() throws {
        try withTemporaryFolder { folder in
            try Self.dataset(2, in: folder)
            let run = ["batch", "data", "out", "participant", "--no-reports"]
            #expect(try Program.run(run, in: folder).status == 0)
            let state = folder.appendingPathComponent("out/.marey/batch")
            for file in ["units/sub-02_task-rest.json", "units/sub-09_task-rest.json"] {
                try Data("{".utf8).write(to: state.appendingPathComponent(file))
            }
            try FileManager.default.removeItem(at: state.appendingPathComponent("done/sub-02_task-rest.json"))
            let damaged = try Program.run("batch", "status", "out", in: folder)
            #expect(try damaged.status == 1 && damaged.column("state") == ["done"])
            #expect(damaged.messages.contains("sub-02_task-rest, sub-09_task-rest are damaged"), "\(damaged.messages)")
            let again = try Program.run(run, in: folder)
            #expect(again.status == 0, "\(again.messages)")
            let mended = try Program.run("batch", "status", "out", in: folder)
            #expect(try mended.status == 0 && mended.column("state") == ["done", "done", "orphaned"])
        }
    }

    @Test func labelsChooseAndADryRunOnlyTells() throws {
        try withTemporaryFolder { folder in
            try Self.dataset(2, in: folder)
            let dry = try Program.run("batch", "data", "out", "participant", "--dry-run", in: folder)
            #expect(try dry.column("state") == ["pending", "pending"])
            #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("out").path))
            let one = try Program.run(
                "batch", "data", "out", "participant", "--participant-label", "sub-02", "--no-reports", in: folder)
            #expect(one.output.contains("1 done"))
            #expect(try Program.run("batch", "status", "out", in: folder).column("participant") == ["02"])
            // Another date of the same content is no work, here as for the run.
            let files = FileManager.default.enumerator(atPath: folder.appendingPathComponent("data/sub-02").path)
            for case let path as String in files ?? .init() {
                let file = folder.appendingPathComponent("data/sub-02/" + path).path
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: file)
            }
            let again = try Program.run("batch", "data", "out", "participant", "--no-reports", "--dry-run", in: folder)
            #expect(try again.column("state") == ["pending", "done"])
            let none = try Program.run(
                "batch", "data", "out", "participant", "--participant-label", "09", in: folder)
            #expect(none.status == 3)
            #expect(none.messages.contains("09"))
        }
    }

    @Test func whatNeedsMoreMemoryThanAllowedFailsWithThatReason() throws {
        try withTemporaryFolder { folder in
            try Self.dataset(1, in: folder)
            // Long enough to be seen at work: a short recording can be done before the first look at the memory.
            try Program.run(
                "simulate", "data/sub-01/ecg/sub-01_task-rest_ecg.edf", "--duration", "1200", "--seed", "1",
                "--streams",
                "ecg", in: folder)
            let outcome = try Program.run(
                "batch", "data", "out", "participant", "--n-cpus", "1", "--mem-gb", "0.005", in: folder)
            #expect(outcome.status == 3)
            #expect(outcome.messages.contains("memory"), "\(outcome.messages)")
            let less = try Program.run(
                "batch", "data", "out", "participant", "--n-cpus", "1", "--mem-gb", "0.004", in: folder)
            #expect(less.status == 3, "what needs more than it could have is not tried with less")
            let more = try Program.run(
                "batch", "data", "out", "participant", "--n-cpus", "1", "--mem-gb", "1", in: folder)
            #expect(more.status == 0, "\(more.messages)")
        }
    }

    @Test func memoryIsSharedByTheWorkersThatThereAre() throws {
        try withTemporaryFolder { folder in
            try Self.dataset(1, in: folder)
            let outcome = try Program.run(
                "batch", "data", "out", "participant", "--n-cpus", "64", "--mem-gb", "0.32", "--no-reports", in: folder)
            #expect(outcome.status == 0, "\(outcome.messages)")
        }
    }

    @Test func whatFailsForMemoryTakesNoOtherRecordingWithIt() throws {
        try withTemporaryFolder { folder in
            try Self.dataset(3, in: folder)
            for number in 1...3 {
                try Program.run(
                    "simulate", "data/sub-0\(number)/ecg/sub-0\(number)_task-rest_ecg.edf", "--duration", "900",
                    "--seed", "1", "--streams", "ecg", in: folder)
            }
            let outcome = try Program.run(
                "batch", "data", "out", "participant", "--n-cpus", "1", "--mem-gb", "0.005", "--then-group",
                in: folder)
            #expect(outcome.status == 3)
            let status = try Program.run("batch", "status", "out", in: folder)
            #expect(try status.column("class") == ["memory", "memory", "memory"])
            for number in 1...3 {
                #expect(outcome.messages.contains("sub-0\(number)_task-rest: memory"), "\(outcome.messages)")
            }
        }
    }

    @Test func aFolderThatIsNoDatasetIsRefusedUnlessAMappingOrFlagSaysOtherwise() throws {
        try withTemporaryFolder { folder in
            try Self.dataset(1, in: folder)
            let root = folder.appendingPathComponent("data")
            try FileManager.default.removeItem(at: root.appendingPathComponent("dataset_description.json"))
            let refused = try Program.run("batch", "data", "out", "participant", in: folder)
            #expect(refused.status == 3)
            #expect(refused.messages.contains("study.yaml"))
            let skipped = try Program.run(
                "batch", "data", "out", "participant", "--skip-bids-validation", "--dry-run", in: folder)
            #expect(skipped.status == 0)
            try Data("cohort:\n  recordings: \"*/ecg/sub-{subject}_task-{task}_ecg.edf\"\nhrv:\n  window: 20\n".utf8)
                .write(to: root.appendingPathComponent("study.yaml"))
            let mapped = try Program.run("batch", "data", "out", "participant", "--no-reports", in: folder)
            #expect(mapped.status == 0, "\(mapped.messages)")
            #expect(try Program.run("batch", "status", "out", in: folder).column("task") == ["rest"])
        }
    }

    /// Ten ways in which a recording can be broken: what its file is called and holds.
    private static let broken: [(name: String, content: [UInt8]?)] = [
        ("p01.edf", []),
        ("p02.edf", Array("this is no recording".utf8)),
        ("p03.edf", Array("0       X X X X".utf8)),
        ("p04.hea", Array("p04 1 250 1000\np04.dat 16 200 16 0 0 0 0 ECG\n".utf8)),
        ("p05.zip", [0x50, 0x4B, 3, 4] + Array(repeating: 7, count: 300)),
        ("p06.csv", Array("name,city\na,b\nc,d\n".utf8)),
        ("p07.rr", Array("nan\ninf\n-inf\n".utf8)),
        ("p08.hea", Array("p08 1 0 1000\np08.dat 16 200 16 0 0 0 0 ECG\n".utf8)),
        ("p09.gz", [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 2, 3]),
        ("p10.edf", nil),
    ]

    @Test func tenKindsOfBrokenParticipantFailAloneAndAreListed() throws {
        try withTemporaryFolder { folder in
            for (name, content) in Self.broken {
                let url = folder.appendingPathComponent(name)
                if let content {
                    try Data(content).write(to: url)
                } else {
                    try FileManager.default.createSymbolicLink(
                        at: url, withDestinationURL: folder.appendingPathComponent("gone"))
                }
            }
            for name in ["p11.edf", "p12.edf"] {
                try Program.run("simulate", name, "--duration", "40", "--streams", "ecg", in: folder)
            }
            try Data("cohort:\n  recordings: \"p{subject}.*\"\n".utf8)
                .write(to: folder.appendingPathComponent("study.yaml"))
            for name in ["p11", "p12"] {
                for ending in ["_truth.tsv", "_truth.json", "_faults.tsv", "_faults.json", "_simulation.json"] {
                    try? FileManager.default.removeItem(at: folder.appendingPathComponent(name + ending))
                }
            }
            let outcome = try Program.run(
                "batch", ".", "out", "participant", "--no-reports", "--then-group", "--n-cpus", "2", in: folder)
            #expect(outcome.status == 1)
            let status = try Program.run("batch", "status", "out", in: folder)
            #expect(try status.column("state") == Array(repeating: "failed", count: 10) + ["done", "done"])
            for (name, message) in zip(Self.broken.map(\.name), try status.column("message")) {
                #expect(message.contains(name.prefix(3)), "\(name): \(message)")
            }
            let group = folder.appendingPathComponent("out/group")
            func rows(_ name: String) throws -> Int {
                let text = try String(contentsOf: group.appendingPathComponent(name), encoding: .utf8)
                return text.split(separator: "\n").count - 1
            }
            #expect(try rows("failures.tsv") == 10)
            #expect(try rows("indexes_wide.tsv") == 2)
            #expect(try rows("missingness.tsv") > 10)
        }
    }

    @Test func theGroupRefusesWhileRecordingsHaveNoResults() throws {
        try withTemporaryFolder { folder in
            try Self.dataset(2, in: folder)
            _ = try Program.run(
                "batch", "data", "out", "participant", "--participant-label", "01", "--no-reports", in: folder)
            let refused = try Program.run("batch", "data", "out", "group", in: folder)
            #expect(refused.status == 3)
            #expect(refused.messages.contains("sub-02"))
            let allowed = try Program.run(
                "batch", "data", "out", "group", "--allow-missing", in: folder)
            #expect(allowed.status == 0, "\(allowed.messages)")
            let table = folder.appendingPathComponent("out/group/indexes_long.tsv")
            let lines = try String(contentsOf: table, encoding: .utf8).split(separator: "\n")
            #expect(
                lines[0]
                    == "participant\tsession\ttask\tacquisition\trun\twindow\tonset\tduration\tsignal\tindex\tvalue\tunit\tcoverage\tquality\tn"
            )
            #expect(lines.contains { $0.contains("\tmeanNN\t") })
        }
    }
}

/// Public recordings as cohorts.
struct RealCohortTests {
    @Test(.enabled(if: RealData.has("e4_stress_predict/S01"))) func wristbandSessionsAreACohort() throws {
        try withTemporaryFolder { folder in
            let config = folder.appendingPathComponent("study.yaml")
            try Data("cohort:\n  recordings: [\"S{subject}.zip\", \"S{subject}\"]\n  task: stress\n".utf8).write(
                to: config)
            let outcome = try Program.run(
                "batch", RealData.url("e4_stress_predict").path, "out", "participant", "--config", config.path,
                "--participant-label", "01", "05", "--no-reports", "--then-group", in: folder)
            #expect(outcome.status == 0, "\(outcome.messages)")
            let table = try String(
                contentsOf: folder.appendingPathComponent("out/group/indexes_wide.tsv"), encoding: .utf8)
            #expect(table.split(separator: "\n").count == 3)
            #expect(table.contains("bvp_meanHR"))
        }
    }

    @Test(.enabled(if: RealData.has("mitdb/100.hea"))) func annotatedRecordsAreACohort() throws {
        try withTemporaryFolder { folder in
            let config = folder.appendingPathComponent("study.yaml")
            try Data("cohort:\n  recordings: \"{subject}.hea\"\n".utf8).write(to: config)
            let outcome = try Program.run(
                "batch", RealData.url("mitdb").path, "out", "participant", "--config", config.path,
                "--participant-label", "100", "101", "--no-reports", in: folder)
            #expect(outcome.status == 0, "\(outcome.messages)")
            #expect(outcome.output.contains("2 done"))
        }
    }
}
