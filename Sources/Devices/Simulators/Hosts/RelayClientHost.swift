import Foundation

/// Runs a simulated phone of the ECG relay as a client: what it tells is handed to whoever posts it, one after another.
public struct RelayClientHost: Sendable {
    /// What the phone tells.
    public enum Message: Hashable, Sendable {
        /// A sample of the board.
        case sample(RelaySample)
        /// The board is gone.
        case disconnected
    }

    private let runner: SimulatorRunner
    /// Messages that wait at most; a phone drops the oldest when the network is slower than its board.
    private static let waiting = 256

    /// A host of `runner`, which runs a `RelayPhoneSimulator`.
    public init(_ runner: SimulatorRunner) {
        self.runner = runner
    }

    /// Runs the phone until the task is cancelled or `post` throws.
    public func run(_ post: @escaping @Sendable (Message) async throws -> Void) async throws {
        let (messages, tell) = AsyncStream.makeStream(of: Message.self, bufferingPolicy: .bufferingNewest(Self.waiting))
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await runner.run() }
            group.addTask { for await message in messages { try await post(message) } }
            await runner.attach { actions in
                for case .send(let bytes, _) in actions {
                    if let message = Self.message(bytes) { tell.yield(message) }
                }
            }
            await runner.take(Array(EngineIOPacket(SocketIOPacket(.connect)).encoded.utf8), at: .stream)
            defer { group.cancelAll() }
            do { try await group.next() } catch is CancellationError {}
        }
    }

    /// What a frame tells; nil for frames of the connection itself and for damaged ones.
    private static func message(_ bytes: [UInt8]) -> Message? {
        guard let packet = try? EngineIOPacket(bytes), packet.kind == .message,
            let message = try? SocketIOPacket(packet.text), message.kind == .event, let event = try? message.event
        else { return nil }
        return event.name == "message" ? RelaySample(json: event.payload).map { .sample($0) } : .disconnected
    }
}
