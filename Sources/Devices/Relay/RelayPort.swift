public import Signals
import Synchronization

/// Where a service hands on what one sender of its ECG relay sends, to the session that records it. Each board that
/// comes is a link, which ends when the board is gone.
public final class RelayPort: Connector {
    /// What is said of it in messages.
    public let place: String
    private let clock: any HostClock
    private let links: AsyncStream<RelayLink>
    private let offer: AsyncStream<RelayLink>.Continuation
    private let current = Mutex<RelayLink?>(nil)
    /// Boards that came and went before anybody looked, at most.
    private static let mostWaiting = 16

    /// A port that nothing was handed to yet.
    public init(place: String, clock: any HostClock = SystemClock()) {
        (self.place, self.clock) = (place, clock)
        (links, offer) = AsyncStream.makeStream(of: RelayLink.self, bufferingPolicy: .bufferingNewest(Self.mostWaiting))
    }

    /// Hands on a sample.
    public func take(_ sample: RelaySample) {
        current.withLock { current in
            let link: RelayLink
            if let current, current.isOpen {
                link = current
            } else {
                link = RelayLink(clock)
                current = link
                offer.yield(link)
            }
            link.put(.event(name: "message", payload: sample.json))
        }
    }

    /// The board is gone.
    public func disconnect() {
        current.withLock { current in
            current?.put(.event(name: "/BLEDisconnect", payload: ""))
            current?.end()
            current = nil
        }
    }

    /// Waits for a board.
    /// - Throws: `CancellationError`.
    public func connect() async throws -> any Link {
        var iterator = links.makeAsyncIterator()
        guard let link = await iterator.next() else { throw CancellationError() }
        return link
    }
}

/// The samples of one board, as frames of the relay.
private final class RelayLink: Link {
    private let queue = LinkQueue()
    private let clock: any HostClock
    private let hasEnded = Atomic(false)

    init(_ clock: any HostClock) { self.clock = clock }

    var isOpen: Bool { !hasEnded.load(ordering: .relaxed) }

    func put(_ frame: SocketIOFrame) {
        queue.put(.received(Array(frame.text.utf8), from: .stream, at: clock.now))
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

    func close() async { end() }
}
