import Acquisition
public import Foundation
import Pipeline
import Signals
import Synchronization

/// Hands what a running session tells and measures to everybody who looks. The session calls `show` and `watch`, which
/// never wait; nothing is encoded, thinned or sent while nobody looks.
final class LiveFeed: Sendable {
    private struct Client {
        let queue: ClientQueue
        let detail: Detail
        /// The predictions it may see; nil: all.
        let predictions: Set<String>?
    }

    private struct State {
        var clients: [Int: Client] = [:]
        var nextClient = 0
        var picture = LivePicture()
        var streams: [StreamRelay] = []
        var dropped = 0
    }

    private let state = Mutex(State())
    private let capacity: Int
    private let mostClients: Int

    /// A feed for so many clients, each with a queue of so many bytes.
    init(mostClients: Int, queueCapacity: Int) {
        (self.mostClients, capacity) = (mostClients, queueCapacity)
    }

    // MARK: - Clients

    /// Somebody begins to look: first the state as it is, then what happens.
    /// - Parameter predictions: those that may be seen; nil: all.
    /// - Returns: nil when too many look already.
    func subscribe(_ detail: Detail, predictions: Set<String>?) -> Subscription? {
        let queue = ClientQueue(capacity: capacity)
        let id = state.withLock { state -> Int? in
            guard state.clients.count < mostClients else { return nil }
            state.nextClient += 1
            queue.offer(Self.message(state.picture, for: predictions))
            state.clients[state.nextClient] = Client(queue: queue, detail: detail, predictions: predictions)
            return state.nextClient
        }
        return id.map { id in Subscription(queue) { [weak self] in self?.unsubscribe(id) } }
    }

    private func unsubscribe(_ id: Int) {
        state.withLock { state in _ = state.clients.removeValue(forKey: id) }
    }

    /// How many look, and how many were let go because they did not keep up.
    var audience: (clients: Int, dropped: Int) { state.withLock { ($0.clients.count, $0.dropped) } }

    /// Sends something without meaning to everybody, so that those who are gone are noticed.
    func keepAlive() {
        state.withLock { Self.send(ServerSentEvent.comment, to: nil, &$0) }
    }

    /// Nobody will be told anything any more.
    func close() {
        let clients = state.withLock { state in
            defer { state.clients = [:] }
            return state.clients
        }
        for client in clients.values { client.queue.end() }
    }

    // MARK: - What the session tells

    /// A session begins, goes on to its next phase, or there is none.
    func change(_ session: LivePicture.Session?) {
        state.withLock { state in
            if session?.id != state.picture.session?.id { (state.picture, state.streams) = (LivePicture(), []) }
            state.picture.session = session
            for (id, client) in state.clients {
                Self.offer(Self.message(state.picture, for: client.predictions), to: id, client, &state)
            }
        }
    }

    /// A session is over; nothing when another one began meanwhile.
    func changeUnlessAnother(than id: Int?) {
        if picture.session?.id == id { change(nil) }
    }

    /// Something happened.
    func show(_ event: SessionEvent) {
        state.withLock { state in
            if case .stream(let index, _, let header, _) = event {
                state.streams.append(StreamRelay(index, header))
            }
            state.picture.take(event)
            guard !state.clients.isEmpty else { return }
            let line = SessionLine(streams: state.streams.map(\.header.name)).text(event)
            let message = ServerSentEvent.text(Self.name(event), line)
            if case .update(let update) = event, case .prediction(_, let value) = update {
                for (id, client) in state.clients where client.predictions?.contains(value.prediction) ?? true {
                    Self.offer(message, to: id, client, &state)
                }
            } else {
                Self.send(message, to: nil, &state)
            }
        }
    }

    /// Something was recorded.
    func watch(_ event: RecordingEvent) {
        state.withLock { state in
            let wanted = Set(state.clients.values.map(\.detail))
            var messages: [(Detail, Data)] = []
            switch event {
            case .segment(let stream, let start):
                guard state.streams.indices.contains(stream) else { return }
                state.streams[stream].begin(start, wanted, into: &messages)
            case .samples(let stream, let block):
                guard state.streams.indices.contains(stream) else { return }
                state.streams[stream].push(block, wanted, into: &messages)
            case .values(let stream, let values):
                guard !wanted.isSubset(of: [.none]) else { return }
                let message = Self.message(stream, values)
                messages = [(.display, message), (.full, message)]
            case .marker: return
            }
            for (detail, message) in messages { Self.send(message, to: detail, &state) }
        }
    }

    /// Asks whoever has the page open to begin a task.
    /// - Returns: how many have it open.
    func ask(_ task: JSONValue) -> Int {
        state.withLock { state in
            Self.send(ServerSentEvent.text("task", String(decoding: task.data, as: UTF8.self)), to: .display, &state)
            return state.clients.values.count { $0.detail == .display }
        }
    }

    /// An abnormal rhythm is taken off the list.
    /// - Returns: whether there was one of this number.
    func deleteRhythm(_ id: Int) -> Bool {
        state.withLock { state in
            guard state.picture.deleteRhythm(id) else { return false }
            Self.send(ServerSentEvent.text("rhythmDeleted", "{\"id\":\(id)}"), to: nil, &state)
            return true
        }
    }

    /// The state as it is.
    var picture: LivePicture { state.withLock(\.picture) }

    private static func send(_ message: Data, to detail: Detail?, _ state: inout State) {
        for (id, client) in state.clients where detail == nil || client.detail == detail {
            offer(message, to: id, client, &state)
        }
    }

    /// Lets a client go that does not keep up.
    private static func offer(_ message: Data, to id: Int, _ client: Client, _ state: inout State) {
        guard !client.queue.offer(message) else { return }
        state.clients[id] = nil
        state.dropped += 1
    }

    private static func message(_ picture: LivePicture, for predictions: Set<String>?) -> Data {
        ServerSentEvent.text("state", String(decoding: picture.json(for: predictions).data, as: UTF8.self))
    }

    private static func message(_ stream: Int, _ values: [TimedValue]) -> Data {
        let rows = values.map { row in
            JSONValue.list([.number(row.onset)] + row.values.map { JSONValue.optional($0) })
        }
        let json: JSONValue = ["stream": .integer(stream), "rows": .list(rows)]
        return ServerSentEvent.text("values", String(decoding: json.data, as: UTF8.self))
    }

    private static func name(_ event: SessionEvent) -> String {
        switch event {
        case .connection: "connection"
        case .retrying: "retrying"
        case .stream: "stream"
        case .status: "status"
        case .identity: "identity"
        case .remark: "remark"
        case .script: "script"
        case .update: "update"
        case .verdict: "qa"
        case .marker: "marker"
        case .pulse: "pulse"
        case .finished: "finished"
        }
    }
}

/// Somebody's place in the audience; given up when the last reference goes.
public final class Subscription: Sendable {
    let queue: ClientQueue
    private let leave: @Sendable () -> Void

    init(_ queue: ClientQueue, leave: @escaping @Sendable () -> Void) {
        (self.queue, self.leave) = (queue, leave)
    }

    deinit { leave() }

    /// The next events as they go over the wire, waited for; nil at the end.
    public func next() async -> Data? { await queue.next() }
}
