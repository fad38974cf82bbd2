import Foundation
import TestSupport
import Testing

/// Compressed recordings, of a program that is killed while it reads them.
struct UnpackedLeftoversTests {
    /// Whether a process has anything open in a folder, whose content may have no name any more.
    private static func holds(_ process: Process, in folder: URL) -> Bool {
        let files = "/proc/\(process.processIdentifier)/fd"
        let open = (try? FileManager.default.contentsOfDirectory(atPath: files)) ?? []
        return open.contains { file in
            var status = stat()
            let path = "\(files)/\(file)"
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: path)
            return target?.hasPrefix(folder.path) == true && stat(path, &status) == 0 && status.st_size > 0
        }
    }

    @Test func aKilledProgramLeavesNothingOfACompressedRecordingBehind() throws {
        try withTemporaryFolder { folder in
            let temporary = folder.appendingPathComponent("temporary")
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
            let rows = String(repeating: "0.125\n", count: 20_000_000)
            let file = folder.appendingPathComponent("ecg.csv")
            try Data(rows.utf8).write(to: file)
            let gzip = try Process.run(URL(fileURLWithPath: "/bin/gzip"), arguments: ["-1n", file.path])
            gzip.waitUntilExit()

            let process = Process()
            process.executableURL = Program.url
            process.arguments = ["info", file.path + ".gz", "--text-rate", "250"]
            process.environment = ProcessInfo.processInfo.environment.merging(["TMPDIR": temporary.path]) { $1 }
            (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
            try process.run()
            while process.isRunning, !Self.holds(process, in: temporary) { usleep(500) }
            let wasAtWork = process.isRunning
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            #expect(wasAtWork, "it was done before it could be killed")
            let left = FileManager.default.enumerator(atPath: temporary.path)?.allObjects ?? []
            #expect(left.isEmpty, "\(left)")
        }
    }
}
