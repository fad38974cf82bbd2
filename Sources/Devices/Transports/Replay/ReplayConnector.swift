public import Foundation
import Signals
import Synchronization

/// Connects to a recorded byte log instead of a device: a connection per connection of the log.
public final class ReplayConnector: Connector {
    /// How fast a log is replayed.
    public enum Pace: Hashable, Sendable {
        /// As it happened, times `speed`. Moments are on the host's clock, from the first connection on.
        case realTime(speed: Double = 1)
        /// As fast as the messages are taken. Moments are those of the log, so that what is decoded from them is what
        /// was decoded then.
        case unpaced
    }

    /// The log.
    public let url: URL
    /// What it says of its device.
    public let header: ByteLogHeader
    private let pace: Pace
    private let clock: any HostClock
    private let source: Mutex<Source>

    private struct Source {
        var reader: ByteLogReader
        var pending: ByteLogEntry?
        var connections = ByteLogConnections()

        mutating func next() throws -> ByteLogEntry? {
            if let pending {
                self.pending = nil
                return pending
            }
            guard let entry = try reader.next() else { return nil }
            connections.pass(entry)
            return entry
        }
    }

    private let origin = Mutex<(log: Seconds, host: Seconds)?>(nil)

    /// A replay of the log at `url`.
    /// - Throws: `FormatError` when it is none.
    public init(_ url: URL, pace: Pace = .realTime(), clock: any HostClock = SystemClock()) throws {
        self.url = url
        self.pace = pace
        self.clock = clock
        let reader = try ByteLogReader(url)
        header = reader.header
        source = Mutex(Source(reader: reader))
    }

    /// The log's path.
    public var place: String { url.relativePath }

    /// Bytes of the log that could not be read so far.
    public var lostBytes: Int { source.withLock { $0.reader.lostBytes } }

    /// Goes to the log's next connection.
    /// - Throws: `LinkError.unreachable` at its end.
    public func connect() async throws -> any Link { try await open() }

    func open() async throws -> ReplayLink {
        let (opening, number) = try source.withLock { source -> (ByteLogEntry?, Int) in
            while let entry = try source.next() {
                switch entry.content {
                case .sent, .subscribed, .asked, .refused, .closed: continue
                case .opened: break
                case .received, .overrun: source.pending = entry
                }
                return (entry, source.connections.count)
            }
            return (nil, 0)
        }
        guard let opening else { throw LinkError.unreachable("The log \(place) ends here.") }
        let start = moment(of: opening.moment)
        if case .realTime = pace { try await clock.sleep(until: start) }
        return ReplayLink(self, connection: number)
    }

    /// The next message of the connection as a link tells it; nil at the end of the log.
    fileprivate func next() throws -> LinkEvent? {
        let entry = try source.withLock { source -> ByteLogEntry? in
            while let entry = try source.next() {
                switch entry.content {
                case .sent, .subscribed, .asked, .refused: continue
                case .opened:
                    // The log lacks the end of the connection before: it was cut there.
                    source.pending = entry
                    return ByteLogEntry(.closed("The log has no end of this connection."), at: entry.moment)
                default: return entry
                }
            }
            return nil
        }
        guard let entry else { return nil }
        let moment = moment(of: entry.moment)
        return switch entry.content {
        case .received(let bytes, let endpoint): .received(bytes, from: endpoint, at: moment)
        case .overrun(let count): .overrun(count: count, at: moment)
        case .closed(let reason): .closed(reason.map { .lost($0) }, at: moment)
        case .opened, .sent, .subscribed, .asked, .refused: nil
        }
    }

    private func moment(of logged: Seconds) -> Seconds {
        guard case .realTime(let speed) = pace else { return logged }
        let origin = origin.withLock { origin in
            let value = origin ?? (logged, clock.now)
            origin = value
            return value
        }
        return origin.host + (logged - origin.log) / max(speed, 1e-9)
    }

    /// Whether what was logged at a moment is to be handed out by now.
    fileprivate func isDue(_ moment: Seconds) -> Bool {
        if case .realTime = pace { moment <= clock.now } else { moment < .infinity }
    }

    fileprivate func wait(until moment: Seconds) async throws {
        guard case .realTime = pace else { return try Task.checkCancellation() }
        try await clock.sleep(until: moment)
    }
}

/// One connection of a log.
final class ReplayLink: Link {
    /// Its number among the log's connections.
    let connection: Int
    private let replay: ReplayConnector
    private let hasEnded = Atomic(false)
    private let isClosed = Atomic(false)
    /// When the next message is due; before it was looked at, it may be any time.
    private let upcoming = Mutex(-Seconds.infinity)

    init(_ replay: ReplayConnector, connection: Int) {
        (self.replay, self.connection) = (replay, connection)
    }

    func next() async -> LinkEvent? {
        if hasEnded.load(ordering: .relaxed) || Task.isCancelled { return nil }
        if isClosed.load(ordering: .relaxed) { return end(nil, at: 0) }
        do {
            guard let event = try replay.next() else { return end(nil, at: 0) }
            upcoming.withLock { $0 = event.moment }
            defer { upcoming.withLock { $0 = hasEnded.load(ordering: .relaxed) ? .infinity : -.infinity } }
            try await replay.wait(until: event.moment)
            if case .closed(let error, let moment) = event { return end(error, at: moment) }
            return event
        } catch is CancellationError {
            return nil
        } catch {
            return end(.lost("The log \(replay.place) cannot be read on: \(error)"), at: 0)
        }
    }

    var hasWaiting: Bool { replay.isDue(upcoming.withLock { $0 }) }

    private func end(_ error: LinkError?, at moment: Seconds) -> LinkEvent {
        upcoming.withLock { $0 = .infinity }
        hasEnded.store(true, ordering: .relaxed)
        return .closed(error, at: moment)
    }

    /// The log has what the device answered, whatever is asked now.
    func send(_ bytes: [UInt8], to endpoint: Endpoint, acknowledged: Bool) async throws {
        try Task.checkCancellation()
    }

    func subscribe(_ characteristic: BluetoothUUID) async throws {}

    func read(_ characteristic: BluetoothUUID) async throws {}

    func close() async { isClosed.store(true, ordering: .relaxed) }
}
