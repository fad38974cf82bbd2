public import Signals

/// The server's side of the Kardia relay for one phone: takes its samples, answers heart rate and status to each.
///
/// Bytes are the text frames of a WebSocket, one per call of `receive` and per `.send`.
public struct RelayConversation: Conversation {
    /// The last answer; nil before the first sample.
    public private(set) var reply: RelayReply?
    /// Changes to an abnormal status.
    public var events = RelayEventList()
    /// Samples that were several run together.
    public private(set) var stacked = 0

    private let handshake: SocketIOHandshake
    private let start: Timestamp
    private var rhythm = RelayRhythm()
    private var silentUntil: Seconds = 0
    private var hasStream = false
    private var isDeviceThere = false
    private var isOpen = false

    /// A conversation called `id`; the wall clock shows `start` at moment 0 of the host's monotonic clock.
    public init(id: String, start: Timestamp = Timestamp(secondsSince1970: 0)) {
        handshake = SocketIOHandshake(sid: id)
        self.start = start
    }

    /// The board's ECG.
    public var expectedStreams: [DeviceStream]? { [KardiaConversation.stream(clock: .deviceTime)] }

    /// Greets the phone.
    public mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        isOpen = true
        send(.open(handshake), &actions)
        send(.connect, &actions)
        heard(at: moment, &actions)
        actions.emit(.ready)
    }

    /// Takes one frame.
    public mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        heard(at: moment, &actions)
        do throws(MalformedMessage) {
            switch try SocketIOFrame(bytes) {
            case .ping(let payload): send(.pong(payload), &actions)
            case .event("message", let payload): take(payload, bytes, at: moment, &actions)
            case .event("/BLEDisconnect", _): deviceGone(&actions)
            case .event(let name, _): actions.emit(.log("the phone sends an unknown event \(name.prefix(40))"))
            case .close, .disconnect:
                actions.emit(.finished)
                actions.append(.close)
            case .open, .pong, .connect, .other: break
            }
        } catch {
            actions.emit(.malformed(error))
        }
    }

    /// Ends the connection of a phone that is silent for too long.
    public mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        guard isOpen else { return }
        guard moment >= silentUntil else { return actions.append(.wake(at: silentUntil)) }
        let text = "The phone has been silent for \(handshake.pingInterval / 1_000 + handshake.pingTimeout / 1_000) s."
        actions.emit(.failed(DeviceFailure(code: "timeout", description: text)))
        actions.append(.close)
    }

    /// Ends the connection; a phone cannot be paused.
    public mutating func perform(
        _ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        switch request {
        case .stop, .abort:
            send(.close, &actions)
            actions.emit(.finished)
            actions.append(.close)
        case .pause, .resume: actions.emit(.log("a relay cannot be paused"))
        case .resetEnergy: actions.emit(.failed(.countsNoEnergy))
        }
    }

    /// The phone is gone, and its board with it.
    public mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
        deviceGone(&actions)
        isOpen = false
    }

    private func send(_ frame: SocketIOFrame, _ actions: inout [ConversationAction]) {
        actions.append(.send(Array(frame.text.utf8), to: .stream, acknowledged: false))
    }

    private mutating func heard(at moment: Seconds, _ actions: inout [ConversationAction]) {
        let wasSet = silentUntil
        silentUntil = moment + Double(handshake.pingInterval + handshake.pingTimeout) / 1_000
        if wasSet <= moment { actions.append(.wake(at: silentUntil)) }
    }

    private mutating func deviceGone(_ actions: inout [ConversationAction]) {
        guard isDeviceThere else { return }
        isDeviceThere = false
        events.disconnect()
        rhythm.reset()
        actions.emit(.status(.deviceBehindServer(connected: false)))
    }

    private mutating func take(
        _ payload: String, _ bytes: [UInt8], at moment: Seconds, _ actions: inout [ConversationAction]
    ) {
        guard let sample = RelaySample(json: payload) else {
            return actions.emit(
                .malformed(
                    MalformedMessage(
                        place: "message event", problem: "expected amplitude and time as texts", bytes: bytes)))
        }
        guard let value = sample.value else {
            return actions.emit(
                .malformed(
                    MalformedMessage(place: "amplitude", problem: "no number", bytes: Array(sample.amplitude.utf8))))
        }
        if sample.amplitude.utf8.count > 5 { stacked += 1 }
        begin(&actions)
        let sent = sample.moment
        actions.emit(.values(stream: "ecg", [DeviceValue([value], deviceTime: sent)]))
        rhythm.add(value, at: sent ?? moment)
        answer(at: start + moment, &actions)
    }

    private mutating func begin(_ actions: inout [ConversationAction]) {
        if !hasStream {
            hasStream = true
            actions.emit(.stream(KardiaConversation.stream(clock: .deviceTime)))
        }
        if !isDeviceThere {
            isDeviceThere = true
            actions.emit(.status(.deviceBehindServer(connected: true)))
        }
    }

    private mutating func answer(at moment: Timestamp, _ actions: inout [ConversationAction]) {
        let reply = rhythm.reply
        self.reply = reply
        send(reply.frame, &actions)
        if events.receive(reply.statusCode, at: moment) {
            actions.emit(.marker(label: RelayStatus.marker + RelayStatus.label(reply.statusCode), deviceTime: nil))
        }
    }
}
