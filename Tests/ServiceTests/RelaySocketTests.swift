import Foundation
import Service
import Study
import TestSupport
import Testing

/// When a WebSocket of the relay ends.
@Suite(.timeLimit(.minutes(2))) struct RelaySocketTests {
    private static let sample = #"{"amplitude":"4.995","time":"2015-01-16T15:30:23.050Z"}"#
    private static let pingFrame: [UInt8] = [0x89, 0x80, 0, 0, 0, 0]

    /// Runs `body` with a socket of a key named `board` that has answered once.
    private func connected(
        _ limits: ServiceLimits? = nil, _ body: (TestService, RawClient) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let test = try TestService(in: folder, limits: limits)
            let key = try test.key("board", [.relay])
            try await test.served { address in
                let client = try await RawClient.relay(address, key)
                defer { client.close() }
                await client.send(RawClient.frame(Self.sample))
                #expect(await client.answer(until: "}").contains("statusCode"))
                try await body(test, client)
            }
        }
    }

    @Test("a ping after its key was taken back ends it")
    func ping() async throws {
        try await connected { test, client in
            let isRevoked = try test.bookkeeping.revokeKey("board", at: TestService.now())
            #expect(isRevoked)
            await client.send(Self.pingFrame)
            #expect(await client.answer().contains("this key was taken back"))
        }
    }

    @Test("it ends also where nothing comes, soon after its key was taken back, and no sooner")
    func silence() async throws {
        try await connected { test, client in
            test.service.keepAlive()
            await client.send(RawClient.frame(Self.sample))
            #expect(await client.answer(until: "}").contains("statusCode"))
            let isRevoked = try test.bookkeeping.revokeKey("board", at: TestService.now())
            #expect(isRevoked)
            test.service.keepAlive()
            #expect(await client.answer().contains("this key was taken back"))
        }
    }

    @Test("more messages than the limits allow end it, with the reason")
    func flood() async throws {
        var limits = ServiceLimits()
        (limits.messageRate, limits.messageBurst) = (0.001, 3)
        try await connected(limits) { _, client in
            for _ in 0..<3 { await client.send(RawClient.frame(Self.sample)) }
            let answer = await client.answer()
            #expect(answer.contains("too many messages a second"))
            #expect(answer.components(separatedBy: "statusCode").count == 3)
        }
    }

    @Test("messages that come at once, such as those that waited while there was no network, are all answered")
    func burst() async throws {
        try await connected { _, client in
            let count = 500
            await client.send(Array(repeatElement(RawClient.frame(Self.sample), count: count).joined()))
            await client.send(RawClient.frame(#"{"event":"disconnect"}"#))
            let answer = await client.answer(until: "disconnected")
            #expect(answer.components(separatedBy: "statusCode").count == count + 1)
        }
    }
}
