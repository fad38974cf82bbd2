import Devices
import Signals
import Synchronization

/// A link whose other end the test plays.
final class ScriptedLink: Link {
    private let events: AsyncStream<LinkEvent>
    private let incoming: AsyncStream<LinkEvent>.Continuation
    let sent = Mutex<[[UInt8]]>([])
    /// Called for each send, on the writer's task.
    let onSend: @Sendable (ScriptedLink, [UInt8]) async throws -> Void

    init(onSend: @escaping @Sendable (ScriptedLink, [UInt8]) async throws -> Void = { _, _ in }) {
        (events, incoming) = AsyncStream.makeStream(of: LinkEvent.self)
        self.onSend = onSend
    }

    func deliver(_ bytes: [UInt8], from endpoint: Endpoint = .stream, at moment: Seconds = 0) {
        incoming.yield(.received(bytes, from: endpoint, at: moment))
    }

    func end(_ error: LinkError?) {
        incoming.yield(.closed(error, at: 0))
        incoming.finish()
    }

    func next() async -> LinkEvent? {
        for await event in events { return event }
        return nil
    }

    let hasWaiting = false

    func send(_ bytes: [UInt8], to endpoint: Endpoint, acknowledged: Bool) async throws {
        sent.withLock { $0.append(bytes) }
        try await onSend(self, bytes)
    }

    func subscribe(_ characteristic: BluetoothUUID) async throws { throw LinkError.missing(characteristic) }
    func read(_ characteristic: BluetoothUUID) async throws {}
    func close() async { end(nil) }
}

/// Hands out prepared links, then fails.
final class ScriptedConnector: Connector {
    let place = "the test"
    private let results: Mutex<[Result<ScriptedLink, LinkError>]>

    init(_ results: [Result<ScriptedLink, LinkError>]) {
        self.results = Mutex(results)
    }

    func connect() async throws -> any Link {
        try results.withLock { $0.isEmpty ? .failure(.unreachable("nothing left")) : $0.removeFirst() }.get()
    }
}

/// Says hello, repeats what it hears as log lines, stops with a goodbye.
struct ParrotConversation: Conversation {
    mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        actions.append(.subscribe(BluetoothUUID(0x2A19), isRequired: false))
        actions.append(.send(Array("hello".utf8), to: .stream, acknowledged: true))
    }

    mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        actions.emit(.log(String(decoding: bytes, as: UTF8.self)))
    }

    mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {}

    mutating func perform(_ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]) {
        actions.append(.send(Array("bye".utf8), to: .stream, acknowledged: true))
        actions.append(.close)
    }

    mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) { actions.emit(.log("closed")) }
}

/// A clock that never waits: sleeping sets it forward.
final class LeapingClock: HostClock {
    private let time = Mutex<Seconds>(100)
    let slept = Mutex<[Seconds]>([])

    var now: Seconds { time.withLock { $0 } }
    var wallClock: Timestamp { Timestamp(secondsSince1970: 1_700_000_000 + now) }

    func sleep(until moment: Seconds) async throws {
        try Task.checkCancellation()
        let wait = time.withLock { time in
            defer { time = max(time, moment) }
            return moment - time
        }
        slept.withLock { $0.append(wait) }
    }
}
