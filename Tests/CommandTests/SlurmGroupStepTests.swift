import Foundation
import TestSupport
import Testing

/// What a batch makes of a cluster's group step, with commands in the place of Slurm's that run what they are given.
struct SlurmGroupStepTests {
    /// Runs a job at once, but the group's only where it may.
    private static let commands = [
        "sbatch": """
        n=$(( $(cat "$FAKE/n" 2>/dev/null || echo 100) + 1 ))
        echo $n > "$FAKE/n"
        cat > "$FAKE/script.$n"
        case " $* " in
        *--array=*) SLURM_JOB_ID=$n SLURM_ARRAY_TASK_ID=0 sh "$FAKE/script.$n" > /dev/null 2>&1 ;;
        *) if [ -z "$FAILGROUP" ]; then SLURM_JOB_ID=$n sh "$FAKE/script.$n" > /dev/null 2>&1; fi ;;
        esac
        echo $n
        """,
        "scontrol": "echo 'MaxArraySize            = 3'", "squeue": "exit 0", "scancel": "exit 0",
    ]

    private static func batch(_ variables: [String: String], in folder: URL) throws -> (status: Int32, messages: String)
    {
        let process = Process()
        let fake = folder.appendingPathComponent("fake").path
        var environment = ProcessInfo.processInfo.environment.merging(variables) { _, new in new }
        environment["FAKE"] = fake
        environment["PATH"] = fake + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
        let messages = folder.appendingPathComponent("messages")
        _ = FileManager.default.createFile(atPath: messages.path, contents: nil)
        process.executableURL = Program.url
        process.arguments = [
            "batch", "data", "out", "participant", "--no-reports", "--executor", "slurm", "--then-group",
        ]
        process.environment = environment
        process.currentDirectoryURL = folder
        (process.standardInput, process.standardOutput) = (FileHandle.nullDevice, FileHandle.nullDevice)
        process.standardError = try FileHandle(forWritingTo: messages)
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: try Data(contentsOf: messages), as: UTF8.self))
    }

    @Test func tablesThatAreNotOfThisRunAreNoSuccess() throws {
        try withTemporaryFolder { folder in
            for name in ["fake", "data"] {
                try FileManager.default.createDirectory(
                    at: folder.appendingPathComponent(name), withIntermediateDirectories: true)
            }
            for (name, text) in Self.commands {
                let file = folder.appendingPathComponent("fake/" + name)
                try Data("#!/bin/sh\n\(text)\n".utf8).write(to: file)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
            }
            try Program.run(
                "simulate", "data/p1.edf", "--duration", "40", "--seed", "1", "--streams", "ecg", in: folder)
            try Data("cohort:\n  recordings: \"p{subject}.edf\"\n".utf8)
                .write(to: folder.appendingPathComponent("data/study.yaml"))
            let lost = try Self.batch(["FAILGROUP": "1"], in: folder)
            #expect(lost.status == 1 && lost.messages.contains("out/logs/slurm/group_102.log"), "\(lost.messages)")
            let table = folder.appendingPathComponent("out/group/indexes_long.tsv").path
            #expect(!FileManager.default.fileExists(atPath: table))
            let made = try Self.batch([:], in: folder)
            #expect(made.status == 0, "\(made.messages)")
            #expect(FileManager.default.fileExists(atPath: table))
            // Those of an earlier run are there; this one's were not written.
            #expect(try Self.batch(["FAILGROUP": "1"], in: folder).status == 1)
        }
    }
}
