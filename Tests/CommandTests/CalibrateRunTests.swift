import Foundation
import TestSupport
import Testing

/// `calibrate run` with a service and without a headband, as somebody meets it who gives up.
@Suite(.timeLimit(.minutes(2))) struct CalibrateRunTests {
    /// Nobody answers at this address.
    private static let device = "empatica-e4@127.0.0.1:1"

    /// Runs `body` with the link of a service of the study `s`.
    private func served(_ body: (URL, String) throws -> Void) throws {
        try withTemporaryFolder { folder in
            #expect(try Program.run("study", "init", "s", in: folder).status == 0)
            let service = try Beside(["serve", "s", "--port", "0"], in: folder)
            defer {
                service.process.terminate()
                service.process.waitUntilExit()
            }
            try body(folder, try #require(service.line(with: "#marey_")))
        }
    }

    private func options(_ link: String, patience: String) -> [String] {
        [
            "calibrate", "run", link, "--subject", "01", "--prediction", "visualAttention", "--device", Self.device,
            "--patience", patience,
        ]
    }

    /// Where the study's sessions stand.
    private func sessions(in folder: URL) throws -> [String] {
        try Program.run("study", "status", "s", in: folder).column("status")
    }

    /// Where they stand when none is recorded any more: that a recording is closed is noted a moment after it is.
    private func ended(in folder: URL) throws -> [String] {
        for _ in 0..<200 {
            let found = try sessions(in: folder)
            if !found.contains("running") { return found }
            usleep(50_000)
        }
        return try sessions(in: folder)
    }

    @Test("a session begun for a task is finished when no EEG comes in time")
    func noEEG() throws {
        try served { folder, link in
            let outcome = try Program.run(options(link, patience: "2"), in: folder)
            #expect(outcome.status == 3 && outcome.messages.contains("until a device sends EEG"), "\(outcome.messages)")
            let found = try ended(in: folder)
            #expect(found.count == 1 && !found.contains("running"), "\(found)")
        }
    }

    @Test(
        "a session begun for a task is finished when the program is told to stop", arguments: [SIGINT, SIGTERM, SIGHUP])
    func stopped(signal: Int32) throws {
        try served { folder, link in
            let task = try Beside(options(link, patience: "90"), in: folder)
            defer { task.process.terminate() }
            while try sessions(in: folder) != ["running"], task.process.isRunning { usleep(50_000) }
            #expect(kill(task.process.processIdentifier, signal) == 0)
            // A closed terminal and the shell in it say the same; so does `timeout`, to the program and to its group.
            for _ in 0..<10 where task.process.isRunning {
                usleep(20_000)
                kill(task.process.processIdentifier, signal)
            }
            task.process.waitUntilExit()
            #expect(task.process.terminationReason == .exit && task.process.terminationStatus == 1)
            let found = try ended(in: folder)
            #expect(found.count == 1 && !found.contains("running"), "\(found)")
        }
    }
}
