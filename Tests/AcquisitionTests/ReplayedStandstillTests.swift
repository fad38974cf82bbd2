import Acquisition
import Devices
import Foundation
import Signals
import Synchronization
import TestSupport
import Testing

/// Gives a device up that says nothing for three seconds.
private struct ImpatientConversation: Conversation {
    private var lastArrival: Seconds = 0

    mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        lastArrival = moment
        actions.append(.wake(at: lastArrival + 3))
    }

    mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        lastArrival = moment
    }

    mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        guard moment >= lastArrival + 3 else { return actions.append(.wake(at: lastArrival + 3)) }
        actions.emit(.failed(DeviceFailure(code: "silent", description: "It is silent.")))
        actions.append(.close)
    }

    mutating func perform(_ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]) {}

    mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {}
}

/// A log of a session in which the computer stood still has a hole that nobody noticed then.
@Suite(.timeLimit(.minutes(1))) struct ReplayedStandstillTests {
    private struct Told {
        var heard = 0
        var failures: [String] = []
        var losses = 0
    }

    /// Replays a connection in which something came at `moments`, and that ended at `end`.
    private static func replay(_ moments: [Seconds], until end: Seconds) async throws -> Told {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("s.bytes")
            let writer = try ByteLogWriter(
                url, header: ByteLogHeader(device: "headband", place: "x", clock: SystemClock()))
            try writer.append(ByteLogEntry(.opened, at: 0))
            for moment in moments { try writer.append(ByteLogEntry(.received([1], from: .stream), at: moment)) }
            try writer.append(ByteLogEntry(.closed(nil), at: end))
            try writer.close()
            let clock = ReplayClock()
            let told = Mutex(Told())
            let connection = DeviceConnection(
                name: "headband", connector: try ReplayConnector(url, clock: clock),
                conversation: ImpatientConversation(), clock: clock, reconnection: .replay
            ) { report in
                told.withLock { told in
                    switch report.content {
                    case .bytes(_, _, isIncoming: true): told.heard += 1
                    case .event(.failed(let failure)): told.failures.append(failure.code)
                    case .connection(.connected, _, _): told.losses += 1
                    default: break
                    }
                }
            }
            await connection.run()
            return told.withLock { $0 }
        }
    }

    @Test func whatGoesOnIsNotGivenUp() async throws {
        let told = try await Self.replay([0.5, 1, 2, 22, 23], until: 24)
        #expect(told.failures == [] && told.heard == 5 && told.losses == 1)
    }

    @Test func whatWasGivenUpThenIsGivenUpAgain() async throws {
        let told = try await Self.replay([0.5, 1, 2], until: 5.1)
        #expect(told.failures == ["silent"] && told.heard == 3 && told.losses == 1)
    }
}
