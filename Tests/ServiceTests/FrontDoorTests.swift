import Foundation
import Service
import Study
import TestSupport
import Testing

/// What the service's door says by itself, and whom it lets in: with a real socket.
@Suite(.timeLimit(.minutes(2))) struct FrontDoorTests {
    private func serving(
        _ limits: ServiceLimits = ServiceLimits(), _ body: (TestService, String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder, limits: limits)
            try await test.served { address in try await body(test, address) }
        }
    }

    /// The head of a request with the key of whoever started the service.
    private func head(_ line: String, _ test: TestService, _ more: String...) -> String {
        let lines = ["\(line) HTTP/1.1", "Authorization: Bearer \(test.service.token.text)"] + more
        return lines.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    private static let json = "Content-Type: application/json"
    private static let long = "Content-Length: \(1 << 20)"

    // MARK: - Bodies

    @Test(
        "a long body is refused before it is sent without a valid key, or where none is needed",
        arguments: [
            ("POST /health", false, 405), ("POST /nothing", false, 404), ("POST /api/participants", false, 401),
            ("GET /health", true, 413), ("POST /api/sessions/1/finish", true, 413), ("HEAD /health", true, 413),
        ])
    func longBodyInVain(line: String, hasKey: Bool, status: Int) async throws {
        try await serving { test, address in
            let request = hasKey ? head(line, test, Self.long) : "\(line) HTTP/1.1\r\n\(Self.long)\r\n\r\n"
            let answer = try await RawClient.exchange(address, request)
            #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && answer.contains("X-Content-Type-Options: nosniff"))
            #expect(answer.contains("\"status\":\(status)") != line.hasPrefix("HEAD"))
        }
    }

    @Test("long bodies wait for as much memory as is set apart for them, and short ones come through")
    func bodyBudget() async throws {
        try await serving(ServiceLimits.changed { $0.bodies = 1 << 20 }) { test, address in
            let long = head("POST /api/participants", test, Self.json, Self.long, "Expect: 100-continue")
            let first = try RawClient(address)
            await first.send(long.utf8)
            #expect(await first.answer(until: "\r\n\r\n") == "HTTP/1.1 100 Continue\r\n\r\n")
            let refusal = try await RawClient.exchange(address, long)
            #expect(refusal.hasPrefix("HTTP/1.1 503 ") && refusal.contains("\"busy\""))
            #expect(refusal.contains("Retry-After: "))
            let body = #"{"participant": "07"}"#
            let short = head(
                "POST /api/participants", test, Self.json, "Content-Length: \(body.utf8.count)", "Connection: close")
            #expect(try await RawClient.exchange(address, short + body).hasPrefix("HTTP/1.1 201 "))
            first.close()
            // It is noticed in a moment that the first is gone.
            var answer = refusal
            while answer.hasPrefix("HTTP/1.1 503 ") {
                let next = try RawClient(address)
                await next.send(long.utf8)
                answer = await next.answer(until: "\r\n\r\n")
                next.close()
            }
            #expect(answer.hasPrefix("HTTP/1.1 100 "))
        }
    }

    @Test("what a long body took is there again when it was answered, on a connection that goes on")
    func bodyBudgetOfOneConnection() async throws {
        try await serving(ServiceLimits.changed { $0.bodies = 1 << 20 }) { test, address in
            let client = try RawClient(address)
            defer { client.close() }
            for _ in 0..<3 {
                await client.send(head("POST /api/participants", test, Self.json, Self.long).utf8)
                await client.send(Array(repeating: UInt8(ascii: "x"), count: 1 << 20))
                #expect(await client.answer(until: "}").hasPrefix("HTTP/1.1 400 "))
            }
        }
    }

    // MARK: - Room

    @Test("when the door is full who has been idle longest makes room; events go on")
    func room() async throws {
        try await serving(ServiceLimits.changed { $0.connections = 3 }) { test, address in
            let events = try RawClient(address)
            defer { events.close() }
            await events.send(head("GET /api/live/events", test).utf8)
            #expect(await events.answer(until: "event: state").hasPrefix("HTTP/1.1 200"))
            let idle = try [RawClient(address), RawClient(address)]
            defer { idle.forEach { $0.close() } }
            for client in idle + idle {
                await client.send("GET /health HTTP/1.1\r\n\r\n".utf8)
                #expect(await client.answer(until: "}").hasPrefix("HTTP/1.1 200"))
            }
            let answer = try await RawClient.exchange(address, "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 200"))
            #expect(await idle[0].answer() == "")
            await idle[1].send("GET /health HTTP/1.1\r\n\r\n".utf8)
            #expect(await idle[1].answer(until: "}").hasPrefix("HTTP/1.1 200"))
            test.service.keepAlive()
            #expect(await events.answer(until: ":\n\n").contains(":\n\n"))
        }
    }

    @Test("bodies that do not come keep nobody out")
    func roomAmongBodies() async throws {
        try await serving(ServiceLimits.changed { $0.connections = 2 }) { _, address in
            var slow: [RawClient] = []
            defer { slow.forEach { $0.close() } }
            for _ in 0..<3 {
                let client = try RawClient(address)
                slow.append(client)
                await client.send(
                    "POST /api/tasks HTTP/1.1\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n".utf8)
                #expect(await client.answer(until: "\r\n\r\n").hasPrefix("HTTP/1.1 100 "))
            }
            let answer = try await RawClient.exchange(address, "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 200"))
        }
    }

    // MARK: - Heads

    @Test("a head that is not UTF-8 is refused", arguments: ["GET /", "GET / HTTP/1.1\r\nAuthorization: Bearer "])
    func bytesThatAreNoText(begin: String) async throws {
        try await serving { _, address in
            let client = try RawClient(address)
            defer { client.close() }
            let end = begin.contains("HTTP") ? "\r\n\r\n" : " HTTP/1.1\r\n\r\n"
            await client.send(Array(begin.utf8) + [0xE4] + Array(end.utf8))
            let answer = await client.answer()
            #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("UTF-8"))
        }
    }

    @Test(
        "methods that HTTP does not know, and other versions of it, are refused with a problem",
        arguments: [("BREW /health HTTP/1.1", 501), ("GET /health HTTP/2.0", 505), ("PROPFIND /health HTTP/1.1", 405)])
    func unknown(line: String, status: Int) async throws {
        try await serving { _, address in
            let answer = try await RawClient.exchange(address, "\(line)\r\nConnection: close\r\n\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && answer.contains("\"status\":\(status)"))
            #expect(answer.contains("application/problem+json") && answer.contains("X-Frame-Options: DENY"))
        }
    }

    @Test("HTTP/1.0 is answered, but gets no events, whose pieces it could not read")
    func oldVersion() async throws {
        try await serving { test, address in
            #expect(try await RawClient.exchange(address, "GET /health HTTP/1.0\r\n\r\n").hasPrefix("HTTP/1.1 200 "))
            let events = head("GET /api/live/events", test).replacing("HTTP/1.1", with: "HTTP/1.0")
            let answer = try await RawClient.exchange(address, events)
            #expect(answer.hasPrefix("HTTP/1.1 505 ") && !answer.contains("chunked"))
        }
    }

    @Test(
        "HEAD is answered as GET is, without the body, also where it is refused",
        arguments: [
            ("/openapi.json", 200), ("/", 200), ("/health", 200), ("/nothing", 404), ("/api/sessions", 200),
            ("/api/live/events", 405),
        ])
    func headOnly(path: String, status: Int) async throws {
        try await serving { test, address in
            let answer = try await RawClient.exchange(address, head("HEAD \(path)", test, "Connection: close"))
            #expect(answer.hasPrefix("HTTP/1.1 \(status) ") && answer.hasSuffix("\r\n\r\n"))
            #expect(answer.components(separatedBy: "\r\n\r\n").count == 2)
            guard status != 405 else { return }
            let full = try await RawClient.exchange(address, head("GET \(path)", test, "Connection: close"))
            #expect(full.hasPrefix(answer) && full.utf8.count > answer.utf8.count)
        }
    }

    @Test("a connection goes on after HEAD, and what the door refuses has no body either")
    func afterHeadOnly() async throws {
        try await serving { _, address in
            let answers = try await RawClient.exchange(
                address, "HEAD /health HTTP/1.1\r\n\r\nGET /health HTTP/1.1\r\nConnection: close\r\n\r\n")
            #expect(answers.components(separatedBy: "HTTP/1.1 200 ").count == 3 && answers.hasSuffix("}"))
            let refusal = try await RawClient.exchange(address, "HEAD / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
            #expect(refusal.hasPrefix("HTTP/1.1 411 ") && refusal.hasSuffix("\r\n\r\n"))
        }
    }
}
