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

    private let handshake: EngineIOHandshake
    private let start: Timestamp
    private var rhythm = RelayRhythm()
    private var silentUntil: Seconds = 0
    private var signal = EvenSignal(KardiaConversation.stream(clock: .deviceTime), KardiaConversation.subject)
    private var isDeviceThere = false
    private var isOpen = false

    /// A conversation called `id`; the wall clock shows `start` at moment 0 of the host's monotonic clock.
    public init(id: String, start: Timestamp = Timestamp(secondsSince1970: 0)) {
        handshake = EngineIOHandshake(sid: id)
        self.start = start
    }

    /// The board's ECG.
    public var expectedStreams: [DeviceStream]? { [KardiaConversation.stream(clock: .deviceTime)] }

    /// Greets the phone.
    public mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        isOpen = true
        signal.restart(into: &actions)
        send(EngineIOPacket(.open, handshake.json), &actions)
        send(SocketIOPacket(.connect), &actions)
        heard(at: moment, &actions)
        actions.emit(.ready)
    }

    /// Takes one frame.
    public mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        heard(at: moment, &actions)
        do throws(MalformedMessage) {
            let packet = try EngineIOPacket(bytes)
            switch packet.kind {
            case .ping: send(EngineIOPacket(.pong, packet.text), &actions)
            case .message: try take(SocketIOPacket(packet.text), bytes, at: moment, &actions)
            case .close: leave(&actions)
            case .open, .pong, .upgrade, .noop: break
            }
        } catch {
            actions.emit(.malformed(error))
        }
    }

    private mutating func take(
        _ packet: SocketIOPacket, _ bytes: [UInt8], at moment: Seconds, _ actions: inout [ConversationAction]
    ) throws(MalformedMessage) {
        switch packet.kind {
        case .disconnect: leave(&actions)
        case .event:
            let event = try packet.event
            switch event.name {
            case "message": take(event.payload, bytes, at: moment, &actions)
            case "/BLEDisconnect": deviceGone(&actions)
            default: actions.emit(.log("the phone sends an unknown event \(event.name.prefix(40))"))
            }
        case .connect, .acknowledgement, .error, .binaryEvent, .binaryAcknowledgement: break
        }
    }

    private func leave(_ actions: inout [ConversationAction]) {
        actions.emit(.finished)
        actions.append(.close)
    }

    /// Ends the connection of a phone that is silent for too long.
    public mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        guard isOpen else { return }
        signal.wake(at: moment, into: &actions)
        guard moment >= silentUntil else {
            return actions.append(.wake(at: Swift.min(silentUntil, signal.due ?? .infinity)))
        }
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
            send(EngineIOPacket(.close), &actions)
            leave(&actions)
        case .pause, .resume: actions.emit(.log("a relay cannot be paused"))
        case .resetEnergy: actions.emit(.failed(.countsNoEnergy))
        }
    }

    /// The phone is gone, and its board with it.
    public mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
        signal.settle(into: &actions)
        deviceGone(&actions)
        isOpen = false
    }

    private func send(_ packet: SocketIOPacket, _ actions: inout [ConversationAction]) {
        send(EngineIOPacket(packet), &actions)
    }

    private func send(_ packet: EngineIOPacket, _ actions: inout [ConversationAction]) {
        actions.append(.send(Array(packet.encoded.utf8), to: .stream, acknowledged: false))
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
        signal.take([EvenSignal.Sample(value: value, arrival: moment, stamp: sent)], at: moment, into: &actions)
        rhythm.add(value, at: sent ?? moment)
        answer(at: start + moment, &actions)
    }

    private mutating func begin(_ actions: inout [ConversationAction]) {
        if !isDeviceThere {
            isDeviceThere = true
            actions.emit(.status(.deviceBehindServer(connected: true)))
        }
    }

    private mutating func answer(at moment: Timestamp, _ actions: inout [ConversationAction]) {
        let reply = rhythm.reply
        self.reply = reply
        send(reply.packet, &actions)
        if events.receive(reply.statusCode, at: moment) {
            actions.emit(.marker(label: RelayStatus.marker + RelayStatus.label(reply.statusCode), deviceTime: nil))
        }
    }
}
