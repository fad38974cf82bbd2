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
            var request = URLRequest(url: try #require(URL(string: address + "/api/participants")))
            request.httpMethod = "POST"
            request.httpBody = Data(repeating: 0x20, count: 3 << 20)
            request.setValue("Bearer \(test.service.token.text)", forHTTPHeaderField: "Authorization")
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            let (_, response) = try await URLSession.shared.data(for: request)
            #expect((response as? HTTPURLResponse)?.statusCode == 413)
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
