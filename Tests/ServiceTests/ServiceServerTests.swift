import Foundation
import FoundationNetworking
import Glibc
import Service
import Study
import TestSupport
import Testing

/// The service on a real socket.
@Suite(.timeLimit(.minutes(2))) struct ServiceServerTests {
    /// Runs `body` with the address of a served study.
    private func serving(
        limits: ServiceLimits? = nil, _ body: (TestService, String) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder, limits: limits)
            try await test.served { try await body(test, $0) }
        }
    }

    private func get(_ address: String, _ test: TestService? = nil) async throws -> (Data, HTTPURLResponse) {
        var request = URLRequest(url: try #require(URL(string: address)))
        if let test { request.setValue("Bearer \(test.service.token.text)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await URLSession.shared.data(for: request)
        return (data, try #require(response as? HTTPURLResponse))
    }

    @Test func `a port that another program has is named`() async throws {
        try await serving { test, address in
            let port = try #require(URL(string: address)?.port).magnitude
            let other = try ServiceServer(test.service, host: "127.0.0.1", port: UInt16(port))
            let error = await #expect(throws: ServiceError.self) { try await other.run { _ in } }
            #expect(error?.description.contains("port \(port) is taken") == true)
        }
    }

    @Test func answersGoOverTheNetworkWithTheirHeaders() async throws {
        try await serving { test, address in
            let (page, answer) = try await get(address + "/")
            #expect(answer.statusCode == 200)
            #expect(answer.value(forHTTPHeaderField: "X-Content-Type-Options") == "nosniff")
            #expect(String(decoding: page, as: UTF8.self).contains("<title>Marey</title>"))
            #expect(try await get(address + "/api/sessions").1.statusCode == 401)
            let (list, good) = try await get(address + "/api/sessions", test)
            #expect(good.statusCode == 200)
            #expect(try JSONValue(list) == ["items": []])
        }
    }

    @Test func aBodyThatIsTooLongIsRefusedAndTheServiceGoesOn() async throws {
        try await serving { test, address in
            // Plain bytes: URLSession may wait in vain when it is answered before it has sent all.
            let client = try RawClient(address)
            defer { client.close() }
            let head = """
                POST /api/participants HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r
                Authorization: Bearer \(test.service.token.text)\r\nContent-Length: \(3 << 20)\r\n\r\n
                """
            await client.send(Array(head.utf8) + Array(repeating: 0x20, count: 3 << 20))
            #expect(await client.answer().hasPrefix("HTTP/1.1 413 "))
            #expect(try await get(address + "/health").1.statusCode == 200)
        }
    }

    @Test func aPortThatIsTakenIsSaid() async throws {
        try await serving { test, address in
            let port = try #require(address.split(separator: ":").last.flatMap { UInt16($0) })
            let second = try ServiceServer(test.service, host: "127.0.0.1", port: port)
            await #expect(throws: ServiceError.self) { try await second.run { _ in } }
            #expect(throws: ServiceError.self) { try ServiceServer(test.service, host: "example", port: 0) }
        }
    }
}
