import FlyingFox
import Signals
import Synchronization

/// The WebSockets of the relay that are open: those of a key that was taken back are ended also where nothing comes, and
/// all of one key together send so many messages a second.
final class RelaySockets: Sendable {
    private struct Place {
        /// Gone with its connection.
        weak var reader: RelayReader?
    }

    private struct State {
        var places: [Place] = []
        var limiter: RateLimiter
    }

    private let state: Mutex<State>

    init(_ limits: ServiceLimits) {
        state = Mutex(State(limiter: RateLimiter(rate: limits.messageRate, burst: limits.messageBurst)))
    }

    /// A socket is open.
    func insert(_ reader: RelayReader) {
        state.withLock { state in
            state.places.removeAll { $0.reader == nil }
            state.places.append(Place(reader: reader))
        }
    }

    /// Takes a message into account.
    /// - Returns: false when there were too many of this key.
    func admitsMessage(of key: Int64?, at moment: Seconds) -> Bool {
        state.withLock { $0.limiter.wait(key.map(String.init) ?? "owner", at: moment) == nil }
    }

    /// Ends the sockets whose key is none of these; whoever started the service needs none.
    func keep(keys: Set<Int64>) {
        let readers = state.withLock { state in state.places.compactMap(\.reader) }
        for reader in readers {
            if let key = reader.key, !keys.contains(key) { reader.takeBack() }
        }
    }
}

/// Pulls frames one at a time; used by the one task that answers them. Anybody may tell it that the key was taken back.
final class RelayReader: @unchecked Sendable {
    private struct State {
        var reading: Task<WSFrame?, Never>?
        var isTakenBack = false
    }

    /// The number of the sender's key; nil: that of who started the service.
    let key: Int64?
    private var iterator: AsyncThrowingStream<WSFrame, any Error>.AsyncIterator
    private let state = Mutex(State())
    /// Whether nothing is read any more: for the task that answers alone.
    var isEnded = false

    init(_ frames: AsyncThrowingStream<WSFrame, any Error>, key: Int64?) {
        self.key = key
        iterator = frames.makeAsyncIterator()
    }

    /// Whether the key was taken back.
    var isTakenBack: Bool { state.withLock(\.isTakenBack) }

    /// The next frame; nil at the end.
    func next() async -> WSFrame? {
        guard !isEnded else { return nil }
        // A task of its own, so that it can be ended while nothing comes.
        let reading = Task { await self.pull() }
        let isOver = state.withLock { state in
            state.reading = reading
            return state.isTakenBack
        }
        if isOver { reading.cancel() }
        return await withTaskCancellationHandler {
            await reading.value
        } onCancel: {
            reading.cancel()
        }
    }

    /// The key was taken back: nothing more is read.
    func takeBack() {
        let reading = state.withLock { state in
            state.isTakenBack = true
            return state.reading
        }
        reading?.cancel()
    }

    private func pull() async -> WSFrame? { try? await iterator.next() }
}

extension ServiceResponse {
    /// The answer, known to these where it is a WebSocket.
    func watched(by sockets: RelaySockets) -> ServiceResponse {
        guard case .relay(var socket) = body else { return self }
        socket.sockets = sockets
        var response = self
        response.body = .relay(socket)
        return response
    }
}
