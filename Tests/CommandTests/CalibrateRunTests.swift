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
            try body(folder, try #require(service.line(with: "#code_")))
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

    @Test("the key does not follow a redirect, which is told", arguments: [301, 307])
    func redirected(status: Int) throws {
        try withTemporaryFolder { folder in
            let elsewhere = try SameAnswer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}")
            defer { elsewhere.stop() }
            let moved = try SameAnswer(
                "HTTP/1.1 \(status) Moved\r\nLocation: http://127.0.0.1:\(elsewhere.port)/api/live\r\nContent-Length: 0\r\n"
                    + "Connection: close\r\n\r\n")
            defer { moved.stop() }
            let link = "http://127.0.0.1:\(moved.port)/#marey_secret"
            let outcome = try Program.run(options(link, patience: "2"), in: folder)
            #expect(outcome.status == 3 && outcome.messages.contains("sends the request on"), "\(outcome.messages)")
            #expect(!outcome.messages.contains("marey_secret"))
            #expect(moved.requests.count == 1 && moved.requests.allSatisfy { $0.contains("Bearer marey_secret") })
            #expect(elsewhere.requests.isEmpty)
        }
    }

    @Test("the key comes from a file or the environment as well as from the link", arguments: ["file", "environment"])
    func keyBesideTheLink(source: String) throws {
        try withTemporaryFolder { folder in
            let answer = "HTTP/1.1 401 Key\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
            let server = try SameAnswer(answer)
            defer { server.stop() }
            var arguments = options("http://127.0.0.1:\(server.port)/", patience: "2")
            try Data("http://127.0.0.1:1/#marey_secret\n".utf8).write(to: folder.appendingPathComponent("key"))
            if source == "file" { arguments += ["--key-file", "key"] }
            let task = try Beside(
                arguments, in: folder, environment: source == "file" ? [:] : ["MAREY_KEY": "marey_secret"])
            task.process.waitUntilExit()
            #expect(server.requests.count == 1 && server.requests.allSatisfy { $0.contains("Bearer marey_secret\r\n") })
        }
    }

    @Test("a link without its key says where to give it, and a file without one is told")
    func noKey() throws {
        try withTemporaryFolder { folder in
            let link = "http://127.0.0.1:1/"
            let without = try Program.run(options(link, patience: "2"), in: folder)
            #expect(without.status == 2 && without.messages.contains("MAREY_KEY"), "\(without.messages)")
            try Data("secret\n".utf8).write(to: folder.appendingPathComponent("key"))
            let wrong = try Program.run(options(link, patience: "2") + ["--key-file", "key"], in: folder)
            #expect(wrong.status == 2 && wrong.messages.contains("no key"), "\(wrong.messages)")
            #expect(!wrong.messages.contains("secret"))
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
