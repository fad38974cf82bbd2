import DBus
import Devices
import Foundation
import Synchronization
import Testing

/// Connections on a real dbus-daemon.
@Suite(.enabled(if: PrivateBus.isPresent, "dbus-daemon is not installed"), .timeLimit(.minutes(1)))
struct DBusConnectionTests {
    static let door = "org.example.Door"

    /// Runs `body` with two connections to a bus, one of which calls what the other serves.
    func withPair(_ body: (_ server: DBusConnection, _ client: DBusConnection) async throws -> Void) async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let server = try DBusConnection.bus(at: bus.address)
        let client = try DBusConnection.bus(at: bus.address)
        try await body(server, client)
        client.close()
        server.close()
    }

    @Test func aCallInFlightFailsWhenItsConnectionIsClosed() async throws {
        try await withPair { server, client in
            try await server.serve(Self.door) { _ in client.close() }
            await #expect(throws: DBusError.ended) {
                _ = try await client.call(Self.door, "/", Self.door, "Open")
            }
            await #expect(throws: DBusError.ended) {
                _ = try await client.call(Self.door, "/", Self.door, "Open")
            }
        }
    }

    @Test func whoNoLongerWantsToKnowIsNotToldOfTheEnd() async throws {
        try await withPair { _, client in
            let told = Mutex(0)
            let (ended, hasEnded) = AsyncStream.makeStream(of: Void.self)
            let (first, second) = (
                client.whenEnded { told.withLock { $0 += 1 } }, client.whenEnded { hasEnded.finish() }
            )
            first.cancel()
            client.close()
            for await _ in ended {}
            second.cancel()
            #expect(told.withLock { $0 } == 0)
        }
    }

    @Test func aDescriptorThatIsHandedOverIsNotInherited() async throws {
        try await withPair { server, client in
            try await server.serve(Self.door) { call in
                let own = open("/dev/null", O_RDONLY | O_CLOEXEC)
                call.reply([.descriptor(own)]) { close(own) }
            }
            let reply = try await client.call(Self.door, "/", Self.door, "Open")
            guard case .descriptor(let handed)? = reply.first else {
                Issue.record("the answer is \(reply)")
                return
            }
            #expect(fcntl(handed, F_GETFD) & FD_CLOEXEC != 0)
            close(handed)
        }
    }

    @Test func aDescriptorThatNobodyWaitsForAnyMoreIsClosed() async throws {
        try await withPair { server, client in
            let (calls, called) = AsyncStream.makeStream(of: DBusCall.self)
            try await server.serve(Self.door) { call in called.yield(call) }
            let calling = Task { try await client.call(Self.door, "/", Self.door, "Open", isCancellable: true) }
            var incoming = calls.makeAsyncIterator()
            let call = await incoming.next()
            calling.cancel()
            await #expect(throws: CancellationError.self) { _ = try await calling.value }

            // The near end hears when the last copy of the far end is closed.
            var ends: [Int32] = [-1, -1]
            let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            let isMade = socketpair(AF_UNIX, kind, 0, &ends) == 0
            try #require(isMade)
            let (near, far) = (ends[0], ends[1])
            let (hangUp, hungUp) = AsyncStream.makeStream(of: Void.self)
            let source = DispatchSource.makeReadSource(fileDescriptor: near)
            source.setEventHandler { hungUp.finish() }
            source.setCancelHandler { close(near) }
            source.resume()
            call?.reply([.descriptor(far)]) { close(far) }
            for await _ in hangUp {}
            source.cancel()
        }
    }
}
