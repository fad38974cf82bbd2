import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Programs that are ended, or that nobody listens to any more.
@Suite(.timeLimit(.minutes(2))) struct InterruptionTests {
    /// What stands in for rclone: knows no file elsewhere, and copies without end, by itself or through a program of its
    /// own, whose number goes to a file.
    private func endlessCopier(_ folder: URL, how: String) throws -> URL {
        let script = folder.appendingPathComponent("rclone")
        let copy =
            switch how {
            case "a program": "echo $$ > pid.new; mv pid.new pid; exec sleep 600"
            case "a script": "sleep 600 & echo $! > pid.new; mv pid.new pid; wait"
            default: "trap '' TERM; echo $$ > pid.new; mv pid.new pid; while :; do sleep 600; done"
            }
        try Data(
            """
            #!/bin/sh
            case "$1" in
            hashsum) sha256sum "$3" ;;
            lsjson) exit 3 ;;
            copyto) cd '\(folder.path)'; \(copy) ;;
            esac
            """.utf8
        ).write(to: script)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        return script
    }

    /// Whether a program runs: one that has ended and that nobody asked for does not.
    private func isRunning(_ number: pid_t) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8),
            let end = status.lastIndex(of: ")")
        else { return false }
        return !["Z", "X"].contains(status[end...].dropFirst(2).prefix(1))
    }

    @Test(arguments: ["a program", "a script", "one that does not listen"])
    func anUploadThatIsEndedLeavesNothingRunningAndWaitsInTheOutbox(how: String) throws {
        try withTemporaryFolder { folder in
            try Program.run("study", "init", "study", in: folder)
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            #expect(try Program.run("study", "add", "study", "s.edf", "--subject", "01", in: folder).status == 0)
            let copier = try endlessCopier(folder, how: how)
            let upload = try Beside(
                ["upload", "study", "--to", folder.appendingPathComponent("there").path], in: folder,
                environment: ["MAREY_RCLONE": copier.path])
            defer { kill(upload.process.processIdentifier, SIGKILL) }
            let note = folder.appendingPathComponent("pid")
            while upload.process.isRunning, !FileManager.default.fileExists(atPath: note.path) { usleep(20_000) }
            let text = try String(contentsOf: note, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
            let copying = try #require(pid_t(text))
            defer { kill(copying, SIGKILL) }
            #expect(isRunning(copying))
            upload.process.terminate()
            upload.process.waitUntilExit()
            #expect(upload.process.terminationReason == .exit && upload.process.terminationStatus != 0)
            #expect(!isRunning(copying))
            let waiting = try Program.run("upload", "study", "--list", in: folder)
            #expect(try waiting.column("status") == ["queued"])
        }
    }

    @Test func aSecondUploadLeavesAloneWhatARunningOneSends() throws {
        try withTemporaryFolder { folder in
            try Program.run("study", "init", "study", in: folder)
            try Program.run("simulate", "s.edf", "--duration", "20", in: folder)
            #expect(try Program.run("study", "add", "study", "s.edf", "--subject", "01", in: folder).status == 0)
            let copier = try endlessCopier(folder, how: "a program")
            let words = ["upload", "study", "--to", folder.appendingPathComponent("there").path]
            let first = try Beside(words, in: folder, environment: ["MAREY_RCLONE": copier.path])
            let note = folder.appendingPathComponent("pid")
            while first.process.isRunning, !FileManager.default.fileExists(atPath: note.path) { usleep(20_000) }
            // Asked to end, it ends its copier, too.
            defer {
                first.process.terminate()
                first.process.waitUntilExit()
            }
            let second = try Beside(words, in: folder, environment: ["MAREY_RCLONE": copier.path])
            defer { kill(second.process.processIdentifier, SIGKILL) }
            second.process.waitUntilExit()
            #expect(second.process.terminationReason == .exit && second.process.terminationStatus == 3)
            let waiting = try Program.run("upload", "study", "--list", in: folder)
            #expect(try waiting.column("status") == ["uploading"])
            #expect(first.process.isRunning)
        }
    }

    @Test func aSessionWhoseReaderGoesAwayIsRecordedToItsEnd() throws {
        try withTemporaryFolder { folder in
            let served = try Beside(["simulate", "--serve", "empatica-e4"], in: folder)
            defer { served.process.terminate() }
            let place = try #require(served.line(with: "empatica-e4@"))
            let session = try Beside(
                ["acquire", "s.xdf", "wrist=" + place, "--json", "--commands", "--verify", "--duration", "8"],
                in: folder)
            defer { session.process.terminate() }
            #expect(session.line(with: #""event":"stream""#, "wrist-bvp") != nil)
            try session.stopReading()
            session.process.waitUntilExit()
            // It ends well, and what was shown is what the file gives: of beats, which come later, nothing.
            #expect(session.process.terminationReason == .exit && session.process.terminationStatus == 0)
            let recording = try Recording(reading: XDFReader(folder.appendingPathComponent("s.xdf")))
            #expect(recording.header.notes.isEmpty)
            let pulse = try #require(recording.streams.first { $0.header.name == "wrist-bvp" })
            #expect(pulse.segments.reduce(0) { $0 + $1.block.frameCount } > 5 * 64)
        }
    }
}
