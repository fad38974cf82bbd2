import Acquisition
public import Foundation
import Pipeline
import Signals
import Study
import Synchronization

/// Hands what a running session tells and measures to everybody who looks. The session calls `show` and `watch`, which
/// never wait; nothing is encoded, thinned or sent while nobody looks.
final class LiveFeed: Sendable {
    private struct Client {
        let queue: ClientQueue
        let detail: Detail
        let caller: Caller
    }

    private struct State {
        var clients: [Int: Client] = [:]
        var nextClient = 0
        var picture: LivePicture
        var streams: [StreamRelay] = []
        var dropped = 0
        /// Seconds since the start of the recording that runs; nil where none does.
        var clock: (@Sendable () -> Seconds)?
    }

    private let state: Mutex<State>
    private let limits: ServiceLimits

    /// A feed for so many clients with such queues as the limits allow.
    init(_ limits: ServiceLimits) {
        self.limits = limits
        state = Mutex(State(picture: LivePicture(absence: limits.pageAbsence)))
    }

    // MARK: - Clients

    /// Somebody begins to look: first the state as it is, then what happens.
    /// - Returns: nil when too many look already.
    func subscribe(_ detail: Detail, _ caller: Caller) -> Subscription? {
        let queue = ClientQueue(capacity: limits.queue)
        let id = state.withLock { state -> Int? in
            guard state.clients.count < limits.clients else { return nil }
            state.nextClient += 1
            queue.offer(Self.message(state, for: caller.predictions))
            state.clients[state.nextClient] = Client(queue: queue, detail: detail, caller: caller)
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

    /// Lets everybody go whose key is none of these; whoever started the service needs none.
    func keep(keys: Set<Int64>) {
        let gone = state.withLock { state in
            let gone = state.clients.filter { client in client.value.caller.key.map { !keys.contains($0) } ?? false }
            for id in gone.keys { state.clients[id] = nil }
            return gone.values
        }
        for client in gone { client.queue.end() }
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
    /// - Parameters:
    ///   - notes: what is left to do after one that is over.
    ///   - clock: of a session that begins: seconds since its recording's start.
    func change(
        _ session: LivePicture.Session?, notes: [String] = [], clock: (@Sendable () -> Seconds)? = nil
    ) {
        state.withLock { state in
            if session?.id != state.picture.session?.id {
                (state.picture, state.streams) = (LivePicture(absence: limits.pageAbsence), [])
            }
            state.clock = session?.phase == .analyzing ? nil : clock ?? (session == nil ? nil : state.clock)
            (state.picture.session, state.picture.notes) = (session, notes)
            for (id, client) in state.clients {
                Self.offer(Self.message(state, for: client.caller.predictions), to: id, client, &state)
            }
        }
    }

    /// A session is over; nothing when another one began meanwhile.
    /// - Parameter notes: what is left to do.
    func changeUnlessAnother(than id: Int?, notes: [String]) {
        if picture.session?.id == id { change(nil, notes: notes) }
    }

    /// The page of a calibration task says that it is there.
    /// - Returns: whether the task goes on: not when it is over, or another was begun since.
    func attend(_ task: String, seed: Int, at moment: Seconds) -> Bool {
        state.withLock { $0.picture.attend(task, seed: seed, at: moment) }
    }

    /// Something happened.
    func show(_ event: SessionEvent) {
        state.withLock { state in
            if case .stream(let index, _, let header, _, _) = event {
                state.streams.append(StreamRelay(index, header))
            }
            state.picture.take(event)
            guard !state.clients.isEmpty else { return }
            let headers = state.streams.map(\.header)
            let (lines, moment) = (SessionLine(streams: headers.map(\.name)), state.clock?())
            // One message for all who may see the same.
            var messages: [Set<String>?: Data?] = [:]
            for (id, client) in state.clients {
                let allowed = client.caller.predictions
                let message =
                    messages[allowed]
                    ?? event.seen(by: allowed, headers).map {
                        ServerSentEvent.text(Self.name(event), lines.text($0, at: moment))
                    }
                messages[allowed] = .some(message)
                if let message { Self.offer(message, to: id, client, &state) }
            }
        }
    }

    /// Something was recorded.
    func watch(_ event: RecordingEvent) {
        state.withLock { state in
            let wanted = Set(state.clients.values.map(\.detail))
            var messages: [(Detail, Data)] = []
            var prediction: String?
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
                if state.streams.indices.contains(stream) { prediction = state.streams[stream].header.prediction }
            case .marker: return
            }
            for (detail, message) in messages { Self.send(message, to: detail, of: prediction, &state) }
        }
    }

    /// Asks one page to begin a task: the one that was opened last with a key that may write it into the recording. Two
    /// would write their blocks under the same numbers.
    /// - Returns: whether there is one.
    func ask(task: String) -> Bool {
        let json: JSONValue = ["task": .text(task)]
        let message = ServerSentEvent.text("task", String(decoding: json.data, as: UTF8.self))
        return state.withLock { state in
            let pages = state.clients.filter {
                $0.value.detail == .display && $0.value.caller.rights.contains(.record) && $0.value.caller.allows(task)
            }
            for (id, client) in pages.sorted(by: { $0.key > $1.key }) {
                Self.offer(message, to: id, client, &state)
                if state.clients[id] != nil { return true }
            }
            return false
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

    /// The state as it is, with the age of every value, and the predictions that may be seen; nil: all of them.
    func json(for predictions: Set<String>?) -> JSONValue {
        state.withLock { $0.picture.json(for: predictions, at: $0.clock?()) }
    }

    /// - Parameter prediction: what is sent is of it, and only for those who may see it.
    private static func send(
        _ message: Data, to detail: Detail?, of prediction: String? = nil, _ state: inout State
    ) {
        for (id, client) in state.clients where detail == nil || client.detail == detail {
            if let prediction, !client.caller.allows(prediction) { continue }
            offer(message, to: id, client, &state)
        }
    }

    /// Lets a client go that does not keep up.
    private static func offer(_ message: Data, to id: Int, _ client: Client, _ state: inout State) {
        guard !client.queue.offer(message) else { return }
        state.clients[id] = nil
        state.dropped += 1
    }

    private static func message(_ state: State, for predictions: Set<String>?) -> Data {
        let json = state.picture.json(for: predictions, at: state.clock?())
        return ServerSentEvent.text("state", String(decoding: json.data, as: UTF8.self))
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
        // A value that ended has the event name of the value.
        case .update, .lapse: "update"
        case .signal: "signal"
        case .verdict: "qa"
        case .gap: "gap"
        case .marker: "marker"
        case .disk: "disk"
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
