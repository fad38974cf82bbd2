import Foundation
import TestSupport
import Testing

/// Batches on a real Slurm cluster of two emulated nodes.
@Suite(.serialized) struct SlurmBatchTests {
    /// `scripts/slurm-test-cluster` in the repository.
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../scripts/slurm-test-cluster").standardizedFileURL.path

    /// A cluster in `folder`; nil, with the reason printed, where there can be none.
    private static func cluster(_ folder: URL, _ settings: [String: String] = [:]) throws -> ((String) throws -> Void)?
    {
        let place = folder.appendingPathComponent("slurm").path
        func script(_ verb: String) throws -> (status: Int32, words: String) {
            let process = Process()
            let messages = folder.appendingPathComponent("cluster.messages")
            _ = FileManager.default.createFile(atPath: messages.path, contents: nil)
            process.executableURL = URL(fileURLWithPath: Self.script)
            process.arguments = [verb, place]
            process.environment = ProcessInfo.processInfo.environment.merging(settings) { _, new in new }
            process.standardOutput = FileHandle.nullDevice
            process.standardError = try FileHandle(forWritingTo: messages)
            try process.run()
            process.waitUntilExit()
            let words = String(decoding: try Data(contentsOf: messages), as: UTF8.self)
            return (process.terminationStatus, words)
        }
        let started = try script("start")
        if started.status == 69 {
            print("skipped: \(started.words)")
            return nil
        }
        try #require(started.status == 0, "\(started.words)")
        setenv("SLURM_CONF", place + "/slurm.conf", 1)
        return { verb in
            if verb == "stop" { unsetenv("SLURM_CONF") }
            _ = try script(verb)
        }
    }

    private static func dataset(_ seconds: [Int], in folder: URL) throws {
        for (number, length) in seconds.enumerated() {
            try Program.run(
                "simulate", "p\(number + 1).edf", "--duration", "\(length)", "--seed", "\(number + 1)", "--streams",
                "ecg",
                in: folder)
        }
        try Data("cohort:\n  recordings: \"p{subject}.edf\"\n".utf8)
            .write(to: folder.appendingPathComponent("study.yaml"))
    }

    private static func results(_ folder: URL) throws -> [String: Data] {
        var found: [String: Data] = [:]
        let paths = FileManager.default.enumerator(atPath: folder.path)
        while let path = paths?.nextObject() as? String {
            guard !path.hasPrefix("."), !path.hasPrefix("logs"),
                let data = FileManager.default.contents(atPath: folder.appendingPathComponent(path).path)
            else { continue }
            found[path] = data
        }
        return found
    }

    /// Stops whoever begins to compute a recording.
    private static func stopWorker(of stem: String, in output: URL) throws -> pid_t {
        let lock = output.appendingPathComponent(".marey/batch/locks/\(stem).lock")
        for _ in 0..<20_000 where !FileManager.default.fileExists(atPath: lock.path) { usleep(500) }
        let fields = try JSONSerialization.jsonObject(with: Data(contentsOf: lock)) as? [String: Any]
        let worker = try pid_t(#require(fields?["pid"] as? Int))
        kill(worker, SIGSTOP)
        return worker
    }

    private static func waitForEmptyQueue() throws {
        for _ in 0..<600 {
            let queue = Process()
            let output = Pipe()
            queue.executableURL = URL(fileURLWithPath: "/usr/bin/squeue")
            queue.arguments = ["--noheader"]
            queue.standardOutput = output
            try queue.run()
            let left = try output.fileHandleForReading.readToEnd() ?? Data()
            queue.waitUntilExit()
            if queue.terminationStatus == 0, left.isEmpty { return }
            usleep(100_000)
        }
        Issue.record("the queue does not become empty")
    }

    @Test func aControllerThatForgotHowTasksEndedDoesNotHoldABatchUp() throws {
        try withTemporaryFolder { folder in
            // With the usual time the controller would miss tasks at once that began longer ago than that.
            guard let control = try Self.cluster(folder, ["BATCH_START_TIMEOUT": "3600"]) else { return }
            defer { try? control("stop") }
            try Self.dataset([14_400, 14_400, 40], in: folder)
            let batch = ["batch", ".", "cluster", "participant", "--no-reports", "--executor", "slurm"]
            let submitted = try Program.run(batch + ["--no-wait"], in: folder)
            #expect(submitted.status == 0, "\(submitted.messages)")
            let output = folder.appendingPathComponent("cluster")
            let workers = try ["sub-1", "sub-2"].map { try Self.stopWorker(of: $0, in: output) }
            try control("keep-state")
            for worker in workers { kill(worker, SIGCONT) }
            try Self.waitForEmptyQueue()
            // For the controller two tasks run again, and the third waits for their nodes.
            let third = output.appendingPathComponent(".marey/batch/done/sub-3.json")
            try FileManager.default.removeItem(at: third)
            try control("lose-state")
            let resumed = try Program.run(batch + ["--then-group"], in: folder)
            #expect(resumed.status == 0, "\(resumed.messages)")
            #expect(resumed.messages.contains("lost word"), "\(resumed.messages)")
            #expect(resumed.output.contains("3 done"))
        }
    }

    @Test func aBatchOnTheClusterGivesTheSameBytesThroughLossAndRestart() throws {
        try withTemporaryFolder { folder in
            guard let control = try Self.cluster(folder) else { return }
            defer { try? control("stop") }
            try Self.dataset([40, 60, 2_400, 50], in: folder)
            let local = try Program.run(
                "batch", ".", "local", "participant", "--no-reports", "--then-group", in: folder)
            #expect(local.status == 0, "\(local.messages)")

            // While the longest recording is computed its worker is killed, and the controller too.
            let submitted = try Program.run(
                "batch", ".", "cluster", "participant", "--no-reports", "--executor", "slurm", "--no-wait", in: folder)
            #expect(submitted.output.hasPrefix("submitted "), "\(submitted.messages)")
            let lock = folder.appendingPathComponent("cluster/.marey/batch/locks/sub-3.lock")
            for _ in 0..<2_000 where !FileManager.default.fileExists(atPath: lock.path) { usleep(5_000) }
            if let data = FileManager.default.contents(atPath: lock.path),
                let fields = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
                let pid = fields["pid"] as? Int
            {
                #expect(fields["job"] is String)
                kill(pid_t(pid), SIGKILL)
            }
            try control("restart-controller")
            let resumed = try Program.run(
                "batch", ".", "cluster", "participant", "--no-reports", "--executor", "slurm", "--then-group",
                in: folder)
            #expect(resumed.status == 0, "\(resumed.messages)")
            #expect(resumed.output.contains("4 done"))
            #expect(
                try Self.results(folder.appendingPathComponent("cluster"))
                    == Self.results(folder.appendingPathComponent("local")))
        }
    }
}
