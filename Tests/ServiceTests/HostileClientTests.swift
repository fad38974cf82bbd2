import Foundation
import Service
import Study
import TestSupport
import Testing

/// What the service does about clients that mean it ill: with a real socket.
@Suite(.timeLimit(.minutes(2))) struct HostileClientTests {
    private func serving(
        _ limits: ServiceLimits = ServiceLimits(), _ body: (TestService, String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder, limits: limits)
            try await test.served { address in
                try await body(test, address)
                // It goes on for others.
                _ = try await insist(address)
            }
        }
    }

    private static let health = "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n"

    /// Asks until there is an answer: a computer that is busy enough makes anybody look silent.
    private func insist(_ address: String) async throws -> String {
        var answer = ""
        while !answer.hasPrefix("HTTP/1.1 ") || answer.hasPrefix("HTTP/1.1 408") {
            answer = try await RawClient.exchange(address, Self.health)
        }
        return answer
    }

    @Test("a head without end is refused, in one line or in many", arguments: ["x", "x: y\r\n"])
    func endlessHead(piece: String) async throws {
        try await serving { _, address in
            let head = "GET / HTTP/1.1\r\n" + String(repeating: piece, count: 4_000_000 / piece.count)
            let answer = try await RawClient.exchange(address, head)
            #expect(answer.hasPrefix("HTTP/1.1 431"))
        }
    }

    @Test("a head or a body that dribbles is given up")
    func slow() async throws {
        try await serving(ServiceLimits.changed { ($0.headPatience, $0.bodyPatience) = (0.2, 0.2) }) { _, address in
            for head in ["GET / HTTP/1.1\r\nHost:", ""] {
                let answer = try await RawClient.exchange(address, head)
                #expect(answer.hasPrefix("HTTP/1.1 408"))
            }
            let none = try await RawClient.exchange(address, "POST /api/tasks HTTP/1.1\r\nContent-Length: 900\r\n\r\n{")
            #expect(none == "")
        }
    }

    @Test("a silent connection is given up, one whose requests come in time is not")
    func silence() async throws {
        try await serving(ServiceLimits.changed { ($0.patience, $0.answer) = (4, 4) }) { _, address in
            let client = try RawClient(address)
            defer { client.close() }
            var last = ContinuousClock.now
            for _ in 0..<3 {
                await client.send("GET /health HTTP/1.1\r\n\r\n".utf8)
                let isAnswered = await client.answer(until: "}").hasPrefix("HTTP/1.1 200")
                // On a computer this busy the request may not have come in time.
                #expect(isAnswered || ContinuousClock.now - last > .seconds(2))
                last = ContinuousClock.now
            }
            #expect(await client.answer() == "")
        }
    }

    @Test("whoever connects and says nothing keeps nobody out")
    func many() async throws {
        try await serving(ServiceLimits.changed { $0.connections = 4 }) { _, address in
            let idle = try (0..<8).map { _ in try RawClient(address) }
            defer { idle.forEach { $0.close() } }
            #expect(try await insist(address).hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test(
        "a body without its length, or with two, and lines with two readings are refused",
        arguments: [
            ("Transfer-Encoding: chunked", 411), ("Content-Length: 2\r\nContent-Length: 2", 400),
            ("Content-Length: -2", 400), ("Content-Length : 2", 400), (":Content-Length: 2", 400), (" folded: 2", 400),
            ("Content-Length: 99999999999999999999999", 413), ("Upgrade: websocket\r\nContent-Length: 2", 400),
        ])
    func framing(line: String, status: Int) async throws {
        try await serving { _, address in
            let answer = try await RawClient.exchange(address, "POST /api/tasks HTTP/1.1\r\n\(line)\r\n\r\n{}")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && answer.contains("\"status\":\(status)"))
        }
    }

    @Test(
        "a body that is too long is refused before it is read, whoever sends it, and nothing in it is taken for a request",
        arguments: [(1 << 20) + 1, 3_000_000, 60_000_000])
    func longBody(size: Int) async throws {
        try await serving { _, address in
            let clients = try (0..<4).map { _ in try RawClient(address) }
            defer { clients.forEach { $0.close() } }
            let head = "POST /api/tasks HTTP/1.1\r\nContent-Length: \(size)\r\n\r\nGET /health HTTP/1.1\r\n\r\n"
            for client in clients {
                await client.send(head.utf8 + Array(repeating: UInt8(ascii: "x"), count: min(size, 3_000_000)))
                let answer = await client.answer()
                #expect(answer.hasPrefix("HTTP/1.1 413 ") && answer.contains("tooLarge"))
                #expect(answer.components(separatedBy: "HTTP/1.1 ").count == 2)
            }
            // While they are still there, others are answered.
            #expect(try await RawClient.exchange(address, Self.health).hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test("requests that come together are answered in turn, and nobody can say to be somebody else")
    func pipelined() async throws {
        try await serving(ServiceLimits.changed { ($0.rate, $0.burst) = (0.001, 3) }) { _, address in
            let requests =
                (0..<3).map { "GET /health HTTP/1.1\r\nX-Marey-Peer: 10.0.0.\($0)\r\n\r\n" }.joined()
                + "GET /api/sessions HTTP/1.1\r\nX-Marey-Peer: 10.0.0.9\r\nConnection: close\r\n\r\n"
            let answers = try await RawClient.exchange(address, requests).components(separatedBy: "HTTP/1.1 ").map {
                $0.prefix(3)
            }
            #expect(answers == ["", "200", "200", "200", "429"])
        }
    }

    @Test("a WebSocket carries messages, and a frame that is too long ends it")
    func socket() async throws {
        try await serving { test, address in
            let key = try test.key("board", [.relay])
            let client = try await RawClient.relay(address, key)
            defer { client.close() }
            func send(_ text: String) async -> String {
                await client.send(RawClient.frame(text))
                return await client.answer(until: "}")
            }
            #expect(await send(Self.sample).contains("statusCode"))
            // What came over the socket is told to whoever asks with the same key.
            #expect(await test.ask("GET", "/api/relay", key: key).json["connected"] == true)
            #expect(await test.ask("GET", "/api/relay").json["connected"] == false)
            #expect(await send(#"{"event":"disconnect"}"#).contains(#"{"event":"disconnected"}"#))
            #expect(await test.ask("GET", "/api/relay", key: key).json["connected"] == false)
            await client.send([0x81, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
            #expect(await client.answer() == "")
        }
    }

    @Test("a WebSocket ends with the first message after its key was taken back, which is not counted")
    func socketOfRevokedKey() async throws {
        try await serving { test, address in
            let key = try test.key("board", [.relay])
            let client = try await RawClient.relay(address, key)
            defer { client.close() }
            await client.send(RawClient.frame(Self.sample))
            #expect(await client.answer(until: "}").contains("statusCode"))
            #expect(try test.bookkeeping.revokeKey("board", at: TestService.now()))
            await client.send(RawClient.frame(Self.sample))
            let end = await client.answer()
            #expect(end.contains("this key was taken back") && !end.contains("statusCode"))
        }
    }

    private static let sample = #"{"amplitude":"4.995","time":"2015-01-16T15:30:23.050Z"}"#

    @Test("a handshake that is not agreed to leaves an ordinary connection")
    func noSocket() async throws {
        try await serving { _, address in
            let client = try RawClient(address)
            defer { client.close() }
            await client.send(
                "GET /api/relay/socket HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n".utf8)
            #expect(await client.answer(until: "}").hasPrefix("HTTP/1.1 401"))
            await client.send("GET /health HTTP/1.1\r\nConnection: close\r\n\r\n".utf8)
            #expect(await client.answer().hasPrefix("HTTP/1.1 200"))
        }
    }
}
