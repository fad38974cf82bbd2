import Devices
import Foundation
import Signals
import Synchronization

/// The relay over Socket.IO for one phone: `message` events in, a `node.js` event back for each, `/BLEDisconnect` when the
/// board has disconnected, which `disconnected` answers. What is not taken is answered by a `problem` event.
///
/// A session begins by polling or over a WebSocket, and may go on from the first to the second. It ends when the phone says so,
/// is silent for too long, does not read its answers, sends more than the limits allow, or when its key was taken back.
final class SocketIOSession: Sendable {
    /// The way on which packets come and go.
    enum Transport: String, Hashable, Sendable { case polling, websocket }

    /// The end of a session.
    enum End: Hashable, Sendable {
        /// The phone ended it.
        case left
        /// The service did, for this reason.
        case refused(String)

        var reason: String? {
            switch self {
            case .left: nil
            case .refused(let reason): reason
            }
        }
    }

    /// A frame of the WebSocket.
    enum Outgoing: Hashable, Sendable {
        case packet(EngineIOPacket)
        /// The answer to a ping of the WebSocket itself.
        case pong(Data)
    }

    /// The parts of the service that a session uses.
    struct Edges: Sendable {
        var desk: RelayDesk
        var sockets: RelaySockets
        var limits: ServiceLimits
        /// The wall clock.
        var now: @Sendable () -> Timestamp
        /// True while the sender's key is valid.
        var isAllowed: @Sendable () -> Bool
        /// Called when the session is over.
        var ended: @Sendable (String) -> Void
    }

    private struct State {
        var transport: Transport
        /// A WebSocket asked to take over, and did not yet.
        var isProbed = false
        var outgoing: [EngineIOPacket] = []
        var outgoingBytes = 0
        /// Answers that go over the WebSocket before it has taken over, too.
        var direct: [Outgoing] = []
        var waiters: [Transport: CheckedContinuation<Void, Never>] = [:]
        var isPolled = false
        var hasSocket = false
        var hasJoined: Bool
        var heard: Seconds
        /// When the next ping goes out, and when the answer to the last must have come; nil: none is awaited.
        var pingDue: Seconds
        var pongDue: Seconds?
        var end: End?
    }

    let id: String
    let version: EngineIOVersion
    let sender: RelaySender
    private let edges: Edges
    private let state: Mutex<State>

    private static let maxText = 1 << 16
    /// Packets of one answer to a poll: python-engineio refuses more.
    private static let maxPackets = 16

    init(
        _ id: String, _ version: EngineIOVersion, _ transport: Transport, sender: RelaySender, at moment: Seconds,
        _ edges: Edges
    ) {
        (self.id, self.version, self.sender, self.edges) = (id, version, sender, edges)
        // Before revision 5 of Socket.IO (Engine.IO 4) the server joins its clients by itself.
        state = Mutex(
            State(
                transport: transport, hasJoined: version != .four, heard: moment,
                pingDue: moment + edges.limits.pingInterval))
        let upgrades: [JSONValue] = transport == .polling ? [.text(Transport.websocket.rawValue)] : []
        let handshake: JSONValue = [
            "sid": .text(id), "upgrades": .list(upgrades),
            "pingInterval": .integer(Int(edges.limits.pingInterval * 1_000)),
            "pingTimeout": .integer(Int(edges.limits.pingTimeout * 1_000)), "maxPayload": .integer(edges.limits.body),
        ]
        state.withLock { state in
            put(EngineIOPacket(.open, Self.text(handshake)), &state)
            if version != .four { send(SocketIOPacket(.connect), &state) }
        }
    }

    /// Why it ended; nil while it lasts.
    var end: End? { state.withLock(\.end) }

    /// True while packets travel by polling.
    var isPolling: Bool { state.withLock { $0.transport == .polling } }

    // MARK: - What comes

    /// Takes the body of a request.
    /// - Throws: `Problem` where it is no payload, or the session is on another way or over.
    func take(payload: [UInt8], at moment: Seconds) throws(Problem) {
        guard isPolling else { throw .invalid("this session is on a WebSocket") }
        let decoded: (packets: [EngineIOPacket], binaryCount: Int)
        do { decoded = try EngineIOPayload.decode(payload, version) } catch {
            throw .invalid("\(error.place): \(error.problem)")
        }
        for packet in decoded.packets { take(packet, over: .polling, at: moment) }
        if decoded.binaryCount > 0 { refuseBinary() }
    }

    /// Takes the text of a WebSocket's frame.
    func take(frame: Data, at moment: Seconds) {
        guard frame.count <= Self.maxText else { return finish(.refused("a frame may have 64 KiB")) }
        do throws(MalformedMessage) {
            take(try EngineIOPacket(frame), over: .websocket, at: moment)
        } catch {
            tell(problem: "\(error.place): \(error.problem)")
        }
    }

    /// Answers binary packets, which the relay's protocol does not use.
    func refuseBinary() { tell(problem: "samples are sent as JSON, not as binary packets") }

    private func take(_ packet: EngineIOPacket, over transport: Transport, at moment: Seconds) {
        if packet.kind == .message, !edges.sockets.admitsMessage(of: sender.key, at: moment) {
            return finish(.refused("too many messages a second"))
        }
        guard edges.isAllowed() else { return finish(.refused(RelaySocket.revoked)) }
        var isOver = false
        state.withLock { state in
            guard state.end == nil else { return }
            state.heard = moment
            switch packet.kind {
            case .close: isOver = true
            case .ping where transport == .websocket && state.transport == .polling:
                state.isProbed = true
                state.direct.append(.packet(EngineIOPacket(.pong, packet.text)))
                signal(&state)
            case .ping where !version.isServerPinging: put(EngineIOPacket(.pong, packet.text), &state)
            case .pong: state.pongDue = nil
            case .upgrade where transport == .websocket && state.isProbed:
                (state.transport, state.isProbed) = (.websocket, false)
                signal(&state)
            // A WebSocket that has not taken over yet is not heard on.
            case .message where transport == state.transport: take(message: packet.text, &state)
            case .open, .ping, .message, .upgrade, .noop: break
            }
        }
        if isOver { finish(.left) }
    }

    private func take(message: String, _ state: inout State) {
        let packet: SocketIOPacket
        do throws(MalformedMessage) { packet = try SocketIOPacket(message) } catch {
            return send(problem: "\(error.place): \(error.problem)", &state)
        }
        guard packet.namespace == "/" else {
            guard packet.kind == .connect else { return }
            let reason: JSONValue = version == .four ? ["message": "Invalid namespace"] : "Invalid namespace"
            return send(SocketIOPacket(.error, namespace: packet.namespace, json: Self.text(reason)), &state)
        }
        switch packet.kind {
        case .connect:
            guard version == .four else { return }
            state.hasJoined = true
            send(
                SocketIOPacket(.connect, json: Self.text(["sid": .text(String(AccessToken(id).hash.prefix(20)))])),
                &state)
        case .disconnect:
            state.hasJoined = version != .four
            edges.desk.disconnect(sender)
        case .event where state.hasJoined: take(event: packet, &state)
        case .event: send(problem: "join first: send the connect packet 40", &state)
        case .binaryEvent: send(problem: "samples are sent as JSON, not as binary packets", &state)
        case .acknowledgement, .error, .binaryAcknowledgement: break
        }
    }

    private func take(event packet: SocketIOPacket, _ state: inout State) {
        guard let (name, payload) = try? packet.event else {
            return send(problem: #"an event is a list with a name: ["message",{"amplitude":…,"time":…}]"#, &state)
        }
        let answer: JSONValue
        switch name {
        case "message":
            switch reply(to: payload) {
            case .success(let reply):
                send(.event("node.js", reply.json), &state)
                answer = ["heartRate": .text(reply.heartRate), "statusCode": .text(reply.statusCode)]
            case .failure(let problem):
                send(problem: problem.detail, &state)
                answer = ["error": .text(problem.detail)]
            }
        case "/BLEDisconnect":
            edges.desk.disconnect(sender)
            send(.event("disconnected"), &state)
            answer = ["event": "disconnected"]
        default:
            let detail = "unknown event \(name.prefix(40)): the relay takes message and /BLEDisconnect"
            send(problem: detail, &state)
            answer = ["error": .text(detail)]
        }
        guard let number = packet.number else { return }
        send(SocketIOPacket(.acknowledgement, number: number, json: Self.text(.list([answer]))), &state)
    }

    private func reply(to json: String) -> Result<RelayReply, Problem> {
        guard let sample = RelaySample(json: json) else {
            return .failure(.invalid("expected amplitude and time as texts"))
        }
        do throws(Problem) {
            guard let reply = try edges.desk.take(sample, from: sender, at: edges.now()) else {
                return .failure(.invalid("amplitude is no number"))
            }
            return .success(reply)
        } catch {
            return .failure(error)
        }
    }

    // MARK: - What goes

    private func send(_ packet: SocketIOPacket, _ state: inout State) {
        put(EngineIOPacket(.message, packet.encoded), &state)
    }

    private func send(problem detail: String, _ state: inout State) {
        guard state.hasJoined else { return }
        send(.event("problem", Self.text(["error": .text(detail)])), &state)
    }

    private func tell(problem detail: String) { state.withLock { send(problem: detail, &$0) } }

    private func put(_ packet: EngineIOPacket, _ state: inout State) {
        guard state.end == nil else { return }
        state.outgoing.append(packet)
        state.outgoingBytes += Self.size(of: packet)
        if state.outgoingBytes > edges.limits.queue {
            state.end = .refused("the phone does not read its answers")
        }
        signal(&state)
    }

    /// Waits for packets of a poll.
    /// - Throws: `Problem` where another poll waits already, which ends the session, or it is on a WebSocket.
    func poll() async throws(Problem) -> [EngineIOPacket] {
        let isTwice = try state.withLock { state throws(Problem) in
            guard state.transport == .polling else { throw .invalid("this session is on a WebSocket") }
            defer { state.isPolled = true }
            return state.isPolled
        }
        guard !isTwice else {
            finish(.refused("two polls at once"))
            throw .invalid("a poll of this session waits already")
        }
        defer { state.withLock { $0.isPolled = false } }
        await wait(on: .polling) { !$0.outgoing.isEmpty || $0.isProbed || $0.transport != .polling || $0.end != nil }
        let packets = state.withLock { state -> [EngineIOPacket] in
            // The other packets go out by the WebSocket that takes over.
            guard state.transport == .polling, !state.isProbed else { return [EngineIOPacket(.noop)] }
            let packets = Self.drain(&state, atMost: Self.maxPackets)
            return state.end == nil || !state.outgoing.isEmpty ? packets : packets + [EngineIOPacket(.close)]
        }
        concludeIfOver()
        return packets.isEmpty ? [EngineIOPacket(.noop)] : packets
    }

    /// Answers a ping of the WebSocket itself.
    func pong(_ payload: Data) {
        state.withLock { state in
            // More pings than this come from no real client, and would fill the memory.
            if state.direct.count < 64 { state.direct.append(.pong(payload)) }
            signal(&state)
        }
    }

    /// Waits for frames of the WebSocket.
    /// - Returns: nil when the session is over and all is sent.
    func socketFrames() async -> [Outgoing]? {
        await wait(on: .websocket) {
            !$0.direct.isEmpty || $0.transport == .websocket && !$0.outgoing.isEmpty || $0.end != nil || !$0.hasSocket
        }
        let frames = state.withLock { state -> [Outgoing] in
            defer { state.direct = [] }
            return state.direct + (state.transport == .websocket ? Self.drain(&state).map { .packet($0) } : [])
        }
        concludeIfOver()
        return frames.isEmpty ? nil : frames
    }

    private static func drain(_ state: inout State, atMost count: Int = .max) -> [EngineIOPacket] {
        let packets = Array(state.outgoing.prefix(count))
        state.outgoing.removeFirst(packets.count)
        state.outgoingBytes -= packets.reduce(0) { $0 + size(of: $1) }
        return packets
    }

    private static func size(of packet: EngineIOPacket) -> Int { packet.text.utf8.count + 1 }

    private func wait(on transport: Transport, until isReady: @escaping @Sendable (State) -> Bool) async {
        while !Task.isCancelled, !state.withLock({ isReady($0) }) {
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let isOver = state.withLock { state in
                        if Task.isCancelled || isReady(state) { return true }
                        state.waiters[transport] = continuation
                        return false
                    }
                    if isOver { continuation.resume() }
                }
            } onCancel: {
                state.withLock { signal(&$0) }
            }
        }
    }

    /// Wakes the waiting calls.
    private func signal(_ state: inout State) {
        for waiter in state.waiters.values { waiter.resume() }
        state.waiters = [:]
    }

    // MARK: - WebSocket

    /// A WebSocket begins to carry the session, or asks to take over.
    /// - Throws: `Problem` where another does.
    func attachSocket() throws(Problem) {
        try state.withLock { state throws(Problem) in
            guard !state.hasSocket, state.end == nil else { throw .invalid("this session has a WebSocket already") }
            state.hasSocket = true
        }
    }

    /// The WebSocket has closed. The session ends with it, unless it had not taken over.
    func detachSocket() {
        let isOver = state.withLock { state in
            (state.hasSocket, state.isProbed, state.direct) = (false, false, [])
            signal(&state)
            return state.transport == .websocket
        }
        if isOver { finish(.left) }
    }

    // MARK: - Time and end

    /// Does what is due: pings, or ends a session whose phone is silent.
    /// - Returns: when it wants to be woken next; nil: not any more.
    func wake(at moment: Seconds) -> Seconds? {
        let (interval, timeout) = (edges.limits.pingInterval, edges.limits.pingTimeout)
        let next = state.withLock { state -> Seconds? in
            guard state.end == nil else { return nil }
            guard version.isServerPinging else {
                let due = state.heard + interval + timeout
                return due > moment ? due : nil
            }
            if let pongDue = state.pongDue { return pongDue > moment ? pongDue : nil }
            guard state.pingDue <= moment else { return state.pingDue }
            put(EngineIOPacket(.ping), &state)
            (state.pingDue, state.pongDue) = (moment + interval, moment + timeout)
            return state.pongDue
        }
        if next == nil { finish(.refused("the phone was silent for too long")) }
        return next
    }

    /// Ends it.
    func finish(_ end: End) {
        state.withLock { state in
            if state.end == nil { state.end = end }
            signal(&state)
        }
        concludeIfOver()
    }

    /// A board that comes again is a new sender.
    private func concludeIfOver() {
        guard end != nil else { return }
        edges.desk.disconnect(sender)
        edges.ended(id)
    }

    private static func text(_ value: JSONValue) -> String { String(decoding: value.data, as: UTF8.self) }
}
