public import Signals

/// A client of a Kardia relay that listens to its answers: heart rate and status, and the list of changes to abnormal.
public struct RelayListener: Conversation {
    /// The last status code; `RelayStatus.label` has its words.
    public private(set) var statusCode = RelayStatus.none
    /// Changes to an abnormal status.
    public var events = RelayEventList()

    private let start: Timestamp
    private var handshake: SocketIOHandshake?
    private var hasStream = false

    /// A listener; the wall clock shows `start` at moment 0 of the host's monotonic clock.
    public init(start: Timestamp = Timestamp(secondsSince1970: 0)) {
        self.start = start
    }

    /// Waits for the server's greeting.
    public mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        handshake = nil
        actions.append(.wake(at: moment + 10))
    }

    /// Takes one frame.
    public mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        do throws(MalformedMessage) {
            switch try SocketIOFrame(bytes) {
            case .open(let handshake):
                self.handshake = handshake
                actions.append(.wake(at: moment + Double(handshake.pingInterval) / 1_000))
            case .connect: actions.emit(.ready)
            case .ping(let payload): send(.pong(payload), &actions)
            case .event(let name, let payload) where name == "node.js" || name == "/node.js":
                take(payload, bytes, at: moment, &actions)
            case .event(let name, _) where name == "disconnected" || name == "disconnect": deviceGone(&actions)
            case .close, .disconnect:
                actions.emit(.finished)
                actions.append(.close)
            case .event, .pong, .other: break
            }
        } catch {
            actions.emit(.malformed(error))
        }
    }

    /// Keeps the connection alive, or gives up when no greeting came.
    public mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        guard let handshake else {
            actions.emit(
                .failed(
                    DeviceFailure(code: "timeout", description: "The relay does not greet: is it a Socket.IO server?")))
            return actions.append(.close)
        }
        send(.ping(""), &actions)
        actions.append(.wake(at: moment + Double(handshake.pingInterval) / 1_000))
    }

    /// Leaves the relay.
    public mutating func perform(
        _ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        switch request {
        case .stop, .abort:
            send(.close, &actions)
            actions.emit(.finished)
            actions.append(.close)
        case .pause, .resume: break
        case .resetEnergy: actions.emit(.failed(.countsNoEnergy))
        }
    }

    /// The relay is gone.
    public mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
        deviceGone(&actions)
        handshake = nil
    }

    private func send(_ frame: SocketIOFrame, _ actions: inout [ConversationAction]) {
        actions.append(.send(Array(frame.text.utf8), to: .stream, acknowledged: false))
    }

    private mutating func deviceGone(_ actions: inout [ConversationAction]) {
        guard statusCode != RelayStatus.none else { return }
        statusCode = RelayStatus.none
        events.disconnect()
        actions.emit(.status(.deviceBehindServer(connected: false)))
    }

    private mutating func take(
        _ payload: String, _ bytes: [UInt8], at moment: Seconds, _ actions: inout [ConversationAction]
    ) {
        guard let reply = RelayReply(json: payload), let rate = Double(reply.heartRate), rate.isFinite, rate > 0 else {
            return actions.emit(
                .malformed(
                    MalformedMessage(
                        place: "node.js event", problem: "expected heartRate and statusCode as texts", bytes: bytes)))
        }
        if !hasStream {
            hasStream = true
            let channel = Channel(label: "HR", unit: .beatsPerMinute)
            let header = StreamHeader(name: "heartRate", kind: .heartRate, channels: [channel], sampleRate: 0)
            actions.emit(.stream(DeviceStream(id: "heartRate", header: header)))
        }
        if statusCode == RelayStatus.none { actions.emit(.status(.deviceBehindServer(connected: true))) }
        statusCode = reply.statusCode
        actions.emit(.values(stream: "heartRate", [DeviceValue([rate])]))
        if events.receive(reply.statusCode, at: start + moment) {
            actions.emit(.marker(label: "relay status \(RelayStatus.label(reply.statusCode))", deviceTime: nil))
        }
    }
}
