public import Signals

/// The server's side of the Kardia relay for one phone: takes its samples, answers heart rate and status to each.
///
/// Each sample is answered at once, by what was handed on so far. It is handed on at once where it follows the one before
/// it; where one is missing between them it waits for that, 0.25 s at most (`RelayOrder`). Samples that come twice, too
/// late or with a stamp that no calendar has are told as malformed and left out.
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
    private var memory = RelayMemory()
    private var order = RelayOrder()
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
        (memory, order) = (RelayMemory(), RelayOrder())
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
                handOn(order.release(at: .infinity), &actions)
                actions.emit(.finished)
                actions.append(.close)
            case .open, .pong, .connect, .other: break
            }
        } catch {
            actions.emit(.malformed(error))
        }
    }

    /// Hands on what waited long enough; ends the connection of a phone that is silent for too long.
    public mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        guard isOpen else { return }
        handOn(order.release(at: moment), &actions)
        guard moment >= silentUntil else { return actions.append(.wake(at: min(silentUntil, order.due))) }
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
            handOn(order.release(at: .infinity), &actions)
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
        handOn(order.release(at: .infinity), &actions)
        (memory, order) = (RelayMemory(), RelayOrder())
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
            return report("amplitude", "no number", sample.amplitude, &actions)
        }
        if let problem = sample.timeProblem { return report("time", problem, sample.time, &actions) }
        if sample.amplitude.utf8.count > 5 { stacked += 1 }
        begin(&actions)
        if let stamp = sample.moment {
            take(RelayOrder.Sample(value: value, stamp: stamp), sample, at: moment, &actions)
        } else {
            handOn(order.release(at: .infinity), &actions)
            actions.emit(.values(stream: "ecg", [DeviceValue([value])]))
            rhythm.add(value, at: moment)
        }
        answer(at: start + moment, &actions)
    }

    private mutating func take(
        _ stamped: RelayOrder.Sample, _ sample: RelaySample, at moment: Seconds, _ actions: inout [ConversationAction]
    ) {
        guard memory.isNew(stamped.stamp, sample.amplitude) else {
            return report("message event", "the sample came twice", sample.json, &actions)
        }
        let wasDue = order.due
        let taken = order.take(stamped, at: moment)
        if let problem = taken.problem { report("message event", problem, sample.json, &actions) }
        handOn(taken.before, &actions)
        if let jump = taken.jump { actions.emit(.status(.clockJump(stream: "ecg", by: jump))) }
        handOn(taken.ready, &actions)
        if order.due < wasDue { actions.append(.wake(at: order.due)) }
    }

    private mutating func handOn(_ samples: [RelayOrder.Sample], _ actions: inout [ConversationAction]) {
        guard !samples.isEmpty else { return }
        actions.emit(.values(stream: "ecg", samples.map { DeviceValue([$0.value], deviceTime: $0.stamp) }))
        for sample in samples { rhythm.add(sample.value, at: sample.stamp) }
    }

    private func report(
        _ place: String, _ problem: String, _ text: String, _ actions: inout [ConversationAction]
    ) {
        actions.emit(.malformed(MalformedMessage(place: place, problem: problem, bytes: Array(text.utf8))))
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
