import Signals
import Synchronization

/// Where a service hands on what one sender of its ECG relay sends, to the session that records it. Each board that
/// comes is a link, which ends when the board is gone.
public final class RelayPort: Connector {
    private struct State {
        /// The board that sends.
        var link: RelayLink?
        /// Boards that came before anybody looked.
        var waiting: [RelayLink] = []
        /// Where the next board is handed to whoever waits for one.
        var offer: AsyncStream<RelayLink>.Continuation?
        /// Whether nobody wants what comes, before somebody looks again.
        var isLeft = false
    }

    /// What is said of it in messages.
    public let place: String
    private let clock: any HostClock
    private let state = Mutex(State())
    /// Boards that came and went before anybody looked, at most.
    private static let mostWaiting = 16

    /// A port that nothing was handed to yet.
    public init(place: String, clock: any HostClock = SystemClock()) {
        (self.place, self.clock) = (place, clock)
    }

    /// Hands on a sample.
    public func take(_ sample: RelaySample) {
        state.withLock { state in
            guard !state.isLeft else { return }
            let open = state.link.flatMap { $0.isOpen ? $0 : nil }
            (open ?? begin(&state)).put(.event("message", sample.json))
        }
    }

    private func begin(_ state: inout State) -> RelayLink {
        let link = RelayLink(clock) { [weak self] in self?.leave($0) }
        state.link = link
        if let offer = state.offer {
            offer.yield(link)
            state.offer = nil
        } else {
            state.waiting = (state.waiting + [link]).suffix(Self.mostWaiting)
        }
        return link
    }

    /// The board is gone.
    public func disconnect() {
        state.withLock { state in
            state.link?.put(.event("/BLEDisconnect"))
            state.link?.end()
            state.link = nil
        }
    }

    /// Waits for a board.
    /// - Throws: `CancellationError`.
    public func connect() async throws -> any Link {
        let (links, offer) = AsyncStream.makeStream(of: RelayLink.self)
        state.withLock { state in
            state.isLeft = false
            if state.waiting.isEmpty { state.offer = offer } else { offer.yield(state.waiting.removeFirst()) }
        }
        var iterator = links.makeAsyncIterator()
        guard let link = await iterator.next() else {
            leave(nil)
            throw CancellationError()
        }
        return link
    }

    /// Nobody wants what a board sends, or (nil) any board.
    private func leave(_ link: RelayLink?) {
        state.withLock { state in
            guard link == nil || state.link === link else { return }
            state = State()
            state.isLeft = true
        }
    }
}

/// The samples of one board, as frames of the relay.
private final class RelayLink: Link {
    private let queue = LinkQueue()
    private let clock: any HostClock
    private let hasEnded = Atomic(false)
    private let left: @Sendable (RelayLink) -> Void

    init(_ clock: any HostClock, left: @escaping @Sendable (RelayLink) -> Void) {
        (self.clock, self.left) = (clock, left)
    }

    var isOpen: Bool { !hasEnded.load(ordering: .relaxed) }

    func put(_ packet: SocketIOPacket) {
        queue.put(.received(Array(EngineIOPacket(packet).encoded.utf8), from: .stream, at: clock.now))
    }

    func end() {
        hasEnded.store(true, ordering: .relaxed)
        queue.put(.closed(nil, at: clock.now))
    }

    func next() async -> LinkEvent? { await queue.next() }

    var hasWaiting: Bool { queue.hasWaiting }

    /// Whoever handed the sample on has answered it already.
    func send(_ bytes: [UInt8], to endpoint: Endpoint, acknowledged: Bool) async throws {}

    func subscribe(_ characteristic: BluetoothUUID) async throws { throw LinkError.missing(characteristic) }

    func read(_ characteristic: BluetoothUUID) async throws { throw LinkError.missing(characteristic) }

    func close() async {
        // Whoever learns of the end may rely on it that nothing is taken any more.
        left(self)
        end()
    }
}
