import Foundation
import TestSupport
import Testing

/// Workers of a batch that is gone.
struct AbandonedWorkTests {
    private static let stem = "sub-01_task-rest"

    /// The files below a folder, by their names.
    private static func files(_ folder: URL) throws -> [String: Data] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) })
    }

    /// A worker that computes the recording, and the pipe that it is told so with.
    private static func worker(_ output: URL) throws -> (process: Process, input: Pipe) {
        let (process, input) = (Process(), Pipe())
        process.executableURL = Program.url
        process.arguments = ["batch", "work", output.path]
        process.currentDirectoryURL = output.deletingLastPathComponent()
        (process.standardInput, process.standardOutput) = (input, FileHandle.nullDevice)
        process.standardError = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("\(stem)\n".utf8))
        return (process, input)
    }

    /// Adds a thousand files to those that a worker is writing, which makes their end a long one: they are hashed, or
    /// deleted, one by one.
    /// - Returns: how many were added before the worker was done, which should be all.
    private static func swell(_ folder: String, with file: URL, while isAtWork: () -> Bool) -> Int {
        while isAtWork(), access(folder, F_OK) != 0 { sched_yield() }
        for number in 0..<1_000 where link(file.path, "\(folder)/extra-\(number)") != 0 { return number }
        return 1_000
    }

    @Test("of a worker whose batch ends while it publishes there are all results or none, and no failure")
    func allOrNothing() throws {
        try withTemporaryFolder { folder in
            let (data, output) = (folder.appendingPathComponent("data"), folder.appendingPathComponent("out"))
            let place = data.appendingPathComponent("sub-01/ecg")
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Program.run(
                "simulate", "\(Self.stem)_ecg.edf", "--duration", "1800", "--seed", "1", "--streams", "ecg", in: place)
            try Data("{\"Name\": \"n\", \"BIDSVersion\": \"1.10.0\"}".utf8)
                .write(to: data.appendingPathComponent("dataset_description.json"))
            let whole = try Program.run("batch", "data", "out", "participant", "--no-reports", in: folder)
            #expect(whole.status == 0, "\(whole.messages)")
            let state = output.appendingPathComponent(".marey/batch")
            let results = output.appendingPathComponent("sub-01")
            let marker = state.appendingPathComponent("done/\(Self.stem).json")
            let failure = state.appendingPathComponent("failed/\(Self.stem).json")
            let expected = try Self.files(results)
            #expect(expected.count > 10)
            let extra = folder.appendingPathComponent("extra")
            try Data("extra".utf8).write(to: extra)

            var finished = 0
            for round in 0..<30 {
                try? FileManager.default.removeItem(at: marker)
                try? FileManager.default.removeItem(at: results)
                let (process, input) = try Self.worker(output)
                func isAtWork() -> Bool { process.isRunning && access(marker.path, F_OK) != 0 }
                let partial = state.appendingPathComponent("partial/\(Self.stem).\(process.processIdentifier)")
                let added = Self.swell(partial.path, with: extra, while: isAtWork)
                // What is written last.
                let last = partial.appendingPathComponent("\(Self.stem)_provenance.json").path
                while isAtWork(), access(last, F_OK) != 0 { sched_yield() }
                // At another moment of the publication each time.
                usleep(UInt32(round % 6) * 300)
                try input.fileHandleForWriting.close()
                process.waitUntilExit()

                #expect(access(failure.path, F_OK) != 0, "\((try? String(contentsOf: failure, encoding: .utf8)) ?? "")")
                guard access(marker.path, F_OK) == 0 else { continue }
                finished += 1
                let found = try Self.files(results)
                #expect(found.filter { !$0.key.hasPrefix("extra") } == expected)
                #expect(added < 1_000 || found.count == expected.count + added)
                let told = try JSONSerialization.jsonObject(with: Data(contentsOf: marker)) as? [String: Any]
                #expect((told?["outputs"] as? [Any])?.count == found.count)
            }
            #expect(finished > 0)
        }
    }
}
