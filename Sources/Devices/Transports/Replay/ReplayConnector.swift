public import Foundation
import Signals
import Synchronization

/// Connects to a recorded byte log instead of a device: a connection per connection of the log.
public final class ReplayConnector: Connector {
    /// How fast a log is replayed.
    public enum Pace: Hashable, Sendable {
        /// As it happened, times `speed`. Moments are on the host's clock, from the first connection on, of all logs
        /// of one session that are replayed together. A `ReplayClock` follows the logs that are replayed on it.
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
    /// What the clock knows of this log, where it follows logs.
    private let player: ReplayPlayer?
    private let source: Mutex<Source>

    private struct Source {
        var reader: ByteLogReader
        var pending: ByteLogEntry?
        var connections = ByteLogConnections()
        /// How much was sent in the present connection up to where the log is read.
        var sent = 0

        mutating func next() throws -> ByteLogEntry? {
            if let pending {
                self.pending = nil
                return pending
            }
            guard let entry = try reader.next() else { return nil }
            connections.pass(entry)
            return entry
        }

        /// What the next connection begins with; nil at the end.
        mutating func opening() throws -> ByteLogEntry? {
            while let entry = try next() {
                switch entry.content {
                case .sent, .subscribed, .asked, .refused, .closed: continue
                case .opened, .received, .overrun: return entry
                }
            }
            return nil
        }
    }

    private let origin: ReplayOrigin

    /// A replay of the log at `url`.
    /// - Parameter logs: those it is replayed together with.
    /// - Throws: `FormatError` when it is none.
    public init(
        _ url: URL, pace: Pace = .realTime(), clock: any HostClock = SystemClock(), logs: ReplayedLogs = ReplayedLogs()
    ) throws {
        self.url = url
        self.pace = pace
        self.clock = clock
        let reader = try ByteLogReader(url)
        header = reader.header
        var beginning = Source(reader: reader)
        beginning.pending = try beginning.opening()
        // Where there is no connection nothing is ever placed.
        origin = logs.origin(of: reader.header, connected: beginning.pending?.moment ?? .infinity)
        source = Mutex(beginning)
        if case .realTime = pace { player = (clock as? ReplayClock)?.join() } else { player = nil }
    }

    deinit {
        player?.leave()
    }

    /// The log's path.
    public var place: String { url.relativePath }

    /// Bytes of the log that could not be read so far.
    public var lostBytes: Int { source.withLock { $0.reader.lostBytes } }

    /// Goes to the log's next connection.
    /// - Throws: `LinkError.unreachable` at its end.
    public func connect() async throws -> any Link { try await open(patience: Self.patience) }

    /// Seconds that what was answered waits for what it answers, by this computer's time unless the clock follows the
    /// log.
    private static let patience = 1.0

    /// - Parameter patience: seconds that a link waits until as much is asked as was before its next message; nil: it does
    ///   not wait.
    func open(patience: Double? = nil) async throws -> ReplayLink {
        player?.resume()
        do {
            return try await begin(patience)
        } catch {
            player?.rest()
            throw error
        }
    }

    private func begin(_ patience: Double?) async throws -> ReplayLink {
        let (opening, number) = try source.withLock { source -> (ByteLogEntry?, Int) in
            let entry = try source.opening()
            if let entry, entry.content != .opened { source.pending = entry }
            source.sent = 0
            return (entry, source.connections.count)
        }
        guard let opening else { throw LinkError.unreachable("The log \(place) ends here.") }
        let start = moment(of: opening.moment)
        try await wait(until: start)
        return ReplayLink(self, connection: number, patience: patience)
    }

    /// The next message of the connection as a link tells it, and how much was sent before it; nil at the end of the log.
    fileprivate func next() throws -> (event: LinkEvent, sent: Int)? {
        let found = try source.withLock { source -> (ByteLogEntry, Int)? in
            while let entry = try source.next() {
                switch entry.content {
                case .sent: source.sent += 1
                case .subscribed, .asked, .refused: continue
                case .opened:
                    // The log lacks the end of the connection before: it was cut there.
                    source.pending = entry
                    return (ByteLogEntry(.closed("The log has no end of this connection."), at: entry.moment), 0)
                default: return (entry, source.sent)
                }
            }
            return nil
        }
        guard let (entry, sent) = found else { return nil }
        let moment = moment(of: entry.moment)
        return switch entry.content {
        case .received(let bytes, let endpoint): (.received(bytes, from: endpoint, at: moment), sent)
        case .overrun(let count): (.overrun(count: count, at: moment), 0)
        case .closed(let reason): (.closed(reason.map { .lost($0) }, at: moment), 0)
        case .opened, .sent, .subscribed, .asked, .refused: nil
        }
    }

    private func moment(of logged: Seconds) -> Seconds {
        guard case .realTime(let speed) = pace else { return logged }
        let origin = origin.begin(by: clock)
        return origin.host + (logged - origin.log) / max(speed, 1e-9)
    }

    /// Whether moments are those of the host's clock.
    fileprivate var isPaced: Bool { if case .realTime = pace { true } else { false } }

    /// Whether what was logged at a moment is to be handed out by now.
    fileprivate func isDue(_ moment: Seconds) -> Bool {
        if case .realTime = pace { moment <= clock.now } else { moment < .infinity }
    }

    fileprivate func wait(until moment: Seconds) async throws {
        guard case .realTime = pace else { return try Task.checkCancellation() }
        if let player { return try await player.wait(until: moment) }
        try await clock.sleep(until: moment)
    }

    /// What `body` gives within a time; nil when it is over.
    fileprivate func within<Result: Sendable>(
        _ patience: Double, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result? {
        guard let player else { return try await withDeadline(patience, body) }
        return try await withThrowingTaskGroup(of: Result?.self) { group in
            group.addTask { try await body() }
            group.addTask {
                try await player.linger(patience)
                return nil
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }

    /// A connection of the log is over.
    fileprivate func rest() { player?.rest() }
}

extension LinkEvent {
    fileprivate var isEnd: Bool { if case .closed = self { true } else { false } }
}

/// One connection of a log.
final class ReplayLink: Link {
    /// Its number among the log's connections.
    let connection: Int
    private let replay: ReplayConnector
    private let hasEnded = Atomic(false)
    private let isClosed = Atomic(false)
    private let isBegun = Atomic(false)
    /// When the next message is due; before it was looked at, it may be any time.
    private let upcoming = Mutex(-Seconds.infinity)
    /// When the message comes that is waited for, by the host's clock; nil where it is the connection's end.
    private let following = Mutex<Seconds?>(nil)
    /// The wait for the next message, which `close` ends.
    private let pause = Mutex<Task<Void, any Error>?>(nil)
    private let patience: Double?
    private let asked = Mutex(Asked())

    /// What was sent to the device that the log is of.
    private struct Asked {
        var count = 0
        /// How much of what was sent then was not sent now: it is not waited for again.
        var lacking = 0
        var news: AsyncStream<Void>.Continuation?
    }

    init(_ replay: ReplayConnector, connection: Int, patience: Double?) {
        (self.replay, self.connection, self.patience) = (replay, connection, patience)
    }

    func next() async -> LinkEvent? {
        isBegun.store(true, ordering: .relaxed)
        let event = await advance()
        if event == nil || hasEnded.load(ordering: .relaxed) { replay.rest() }
        return event
    }

    private func advance() async -> LinkEvent? {
        if hasEnded.load(ordering: .relaxed) || Task.isCancelled { return nil }
        if isClosed.load(ordering: .relaxed) { return end(nil, at: 0) }
        do {
            guard let (event, sent) = try replay.next() else { return end(nil, at: 0) }
            upcoming.withLock { $0 = event.moment }
            defer { upcoming.withLock { $0 = hasEnded.load(ordering: .relaxed) ? .infinity : -.infinity } }
            if replay.isPaced { following.withLock { $0 = event.isEnd ? nil : event.moment } }
            defer { following.withLock { $0 = nil } }
            try await rest(until: event.moment)
            if let patience, sent > 0 {
                // Nothing waits here that could be handled.
                upcoming.withLock { $0 = .infinity }
                await wait(until: sent, patience)
            }
            // What comes after the end is not of this connection.
            if isClosed.load(ordering: .relaxed) { return end(nil, at: 0) }
            if case .closed(let error, let moment) = event { return end(error, at: moment) }
            return event
        } catch is CancellationError {
            return isClosed.load(ordering: .relaxed) ? end(nil, at: 0) : nil
        } catch {
            return end(.lost("The log \(replay.place) cannot be read on: \(error)"), at: 0)
        }
    }

    /// - Throws: `CancellationError`, also when the link is closed meanwhile.
    private func rest(until moment: Seconds) async throws {
        if replay.isDue(moment) { return try Task.checkCancellation() }
        let waiting = Task { [replay] in try await replay.wait(until: moment) }
        pause.withLock { $0 = waiting }
        defer { pause.withLock { $0 = nil } }
        if isClosed.load(ordering: .relaxed) { waiting.cancel() }
        try await withTaskCancellationHandler {
            try await waiting.value
        } onCancel: {
            waiting.cancel()
        }
    }

    var hasWaiting: Bool { replay.isDue(upcoming.withLock { $0 }) }

    var isReplayed: Bool { true }

    var resumption: Seconds? { following.withLock { $0 } }

    private func end(_ error: LinkError?, at moment: Seconds) -> LinkEvent {
        upcoming.withLock { $0 = .infinity }
        hasEnded.store(true, ordering: .relaxed)
        return .closed(error, at: moment)
    }

    /// The log has what the device answered, whatever is asked now; but not before something is.
    func send(_ bytes: [UInt8], to endpoint: Endpoint, acknowledged: Bool) async throws {
        try Task.checkCancellation()
        asked.withLock { asked in
            asked.count += 1
            return asked.news
        }?.yield()
    }

    /// An answer must not come before its question, which is late by as many times as the log is replayed faster.
    private func wait(until sent: Int, _ patience: Double) async {
        @Sendable func isAsked(_ asked: Asked) -> Bool { asked.count + asked.lacking >= sent }
        if asked.withLock({ isAsked($0) }) { return }
        let (changes, news) = AsyncStream.makeStream(of: Void.self)
        let isLate = asked.withLock { asked in
            asked.news = news
            return !isAsked(asked) && !isClosed.load(ordering: .relaxed)
        }
        if isLate {
            _ = try? await within(patience) { [self] in
                for await _ in changes where asked.withLock({ isAsked($0) }) { return }
            }
        }
        asked.withLock { asked in
            asked.news = nil
            if !Task.isCancelled { asked.lacking = max(asked.lacking, sent - asked.count) }
        }
    }

    /// What `body` gives within a time; nil when it is over.
    func within<Result: Sendable>(
        _ patience: Double, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result? {
        try await replay.within(patience, body)
    }

    func subscribe(_ characteristic: BluetoothUUID) async throws {}

    func read(_ characteristic: BluetoothUUID) async throws {}

    func close() async {
        isClosed.store(true, ordering: .relaxed)
        pause.withLock { $0 }?.cancel()
        asked.withLock { $0.news }?.finish()
        // Whoever closes it at once does not read that it is over.
        if !isBegun.load(ordering: .relaxed) { replay.rest() }
    }
}
