public import Signals

/// The client's side of the E4 streaming server's TCP protocol: finds the device, connects, subscribes, and hands
/// out its signals with the server's time stamps.
///
/// The server stamps samples by the first packet's arrival plus index over rate, so stamps have no jitter but their
/// own drift. After the device was lost its frames count anew.
public struct EmpaticaServerConversation: Conversation {
    /// The radio of the server.
    public private(set) var radio = RadioStatus.notAvailable
    /// The device behind the server.
    public private(set) var device = ServedDeviceStatus.disconnected
    /// The device in use; nil until one was chosen.
    public private(set) var deviceID: String?

    private let settings: EmpaticaServerSettings
    private var lines = LineBuffer(limit: 4096)
    private var values: EmpaticaValues
    private var phase = Phase.closed
    /// Requests not yet sent, and the one whose answer is awaited.
    private var queue: [String] = []
    private var awaited: String?
    private var replyDue: Seconds?
    private var searchDue: Seconds?
    private var beatDue: Seconds?
    private var wakeSet: Seconds?
    private var hasToldSearch = false
    private var refused: [String] = []

    private enum Phase: Hashable, Sendable {
        case closed, searching, connectingBluetooth, connecting, subscribing, streaming, leaving
    }

    /// A conversation that asks for what `settings` say.
    public init(_ settings: EmpaticaServerSettings = EmpaticaServerSettings()) {
        self.settings = settings
        values = EmpaticaValues(settings.subscriptions)
    }

    /// Those of the subscriptions.
    public var expectedStreams: [DeviceStream]? { settings.subscriptions.flatMap(\.signals).compactMap(\.stream) }

    /// Unless only the button and the charge are wanted.
    public var speaksUnasked: Bool { settings.subscriptions.contains { $0 != .tag && $0 != .bat } }

    /// Asks for the server's devices.
    public mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        reset()
        values.restart()
        search(at: moment, &actions)
        schedule(&actions)
    }

    /// Takes lines of the server.
    public mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        for line in lines.append(bytes) {
            switch line {
            case .complete(let line): take(line, at: moment, &actions)
            case .tooLong(let start):
                actions.emit(
                    .malformed(
                        MalformedMessage(place: "E4 server line", problem: "longer than 4096 bytes", bytes: start)))
            }
        }
        values.flush(&actions)
        schedule(&actions)
    }

    /// Looks again for the device, or gives up waiting for an answer.
    public mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        wakeSet = nil
        if let due = replyDue, moment >= due { giveUp(&actions) }
        if let due = searchDue, moment >= due {
            searchDue = nil
            search(at: moment, &actions)
        }
        if let due = beatDue, moment >= due {
            beatDue = nil
            actions.emit(
                .log("no inter-beat interval since the start: is the wristband worn, tight and at rest?"))
        }
        schedule(&actions)
    }

    /// Pauses and resumes the server's sending; stopping and aborting leave the device and the server.
    public mutating func perform(
        _ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        switch request {
        case .pause, .resume:
            // Before it streams the server takes this for no answer to what it was asked.
            guard phase == .streaming else { return actions.emit(.log("the E4 does not stream yet")) }
            ask(request == .pause ? "pause ON" : "pause OFF", at: moment, &actions)
        case .stop, .abort: leave(at: moment, &actions)
        case .resetEnergy: actions.emit(.failed(.countsNoEnergy))
        }
        schedule(&actions)
    }

    /// Hands out what was gathered; a line that was torn by the end is told.
    public mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
        values.flush(&actions)
        if phase != .leaving, let torn = lines.torn(at: "E4 server line") { actions.emit(.malformed(torn)) }
        set(.disconnected, &actions)
        reset()
    }

    private mutating func reset() {
        lines.reset()
        phase = .closed
        queue = []
        awaited = nil
        (replyDue, searchDue, beatDue, wakeSet) = (nil, nil, nil, nil)
        refused = []
        radio = .notAvailable
    }
}

/// Requests and time-outs.
extension EmpaticaServerConversation {
    private mutating func ask(_ request: String, at moment: Seconds, _ actions: inout [ConversationAction]) {
        if awaited != nil {
            // Nobody needs more than a few requests at once; the limit keeps a stuck server from growing the queue.
            if queue.count < 32 { queue.append(request) }
            return
        }
        awaited = request
        replyDue = moment + settings.replyTimeout
        actions.append(.send(Array((request + "\r\n").utf8), to: .stream, acknowledged: false))
    }

    private mutating func search(at moment: Seconds, _ actions: inout [ConversationAction]) {
        phase = .searching
        set(.scanning, &actions)
        ask(settings.connectsBluetooth ? "device_discover_list" : "device_list", at: moment, &actions)
    }

    private mutating func leave(at moment: Seconds, _ actions: inout [ConversationAction]) {
        searchDue = nil
        queue = []
        guard device == .connected else {
            actions.emit(.finished)
            actions.append(.close)
            return
        }
        phase = .leaving
        set(.disconnecting, &actions)
        ask("device_disconnect", at: moment, &actions)
    }

    private mutating func giveUp(_ actions: inout [ConversationAction]) {
        let request = awaited ?? ""
        replyDue = nil
        awaited = nil
        if phase == .leaving {
            actions.emit(.finished)
        } else {
            actions.emit(
                .failed(
                    DeviceFailure(
                        code: "timeout",
                        description: "The E4 server did not answer \"\(request)\" within \(settings.replyTimeout) s: "
                            + "is it Empatica's streaming server that listens at this port?")))
        }
        actions.append(.close)
    }

    /// Asks to be woken at the earliest moment anything is due.
    private mutating func schedule(_ actions: inout [ConversationAction]) {
        guard let due = [replyDue, searchDue, beatDue].compactMap({ $0 }).min(), due != wakeSet else { return }
        wakeSet = due
        actions.append(.wake(at: due))
    }

    private mutating func set(_ status: RadioStatus, _ actions: inout [ConversationAction]) {
        guard radio != status else { return }
        radio = status
        actions.emit(.status(.radio(status)))
    }

    private mutating func set(_ status: ServedDeviceStatus, _ actions: inout [ConversationAction]) {
        guard device != status else { return }
        device = status
        actions.emit(.status(.servedDevice(status)))
    }
}

/// What the server says.
extension EmpaticaServerConversation {
    private mutating func take(_ bytes: [UInt8], at moment: Seconds, _ actions: inout [ConversationAction]) {
        do throws(MalformedMessage) {
            switch try EmpaticaServerLine(bytes) {
            case .empty: break
            case .value(let signal, let time, let numbers):
                if signal == .ibi { beatDue = nil }
                values.add(signal, numbers, at: time, bytes, &actions)
            case .reply(let reply): take(reply, at: moment, &actions)
            case .notice(let notice): take(notice, &actions)
            }
        } catch {
            actions.emit(.malformed(error))
        }
    }

    private mutating func take(_ notice: EmpaticaNotice, _ actions: inout [ConversationAction]) {
        values.flush(&actions)
        switch notice {
        case .lost(let id):
            actions.emit(.log("the server lost its connection to \(id)"))
            deviceGone(&actions)
        case .turnedOff(let id):
            actions.emit(.log("\(id) was turned off by its button"))
            deviceGone(&actions)
        case .reestablished(let id):
            actions.emit(.log("the server is connected to \(id) again"))
            values.restart()
            set(.connected, &actions)
            actions.emit(.status(.deviceBehindServer(connected: true)))
        }
    }

    private mutating func deviceGone(_ actions: inout [ConversationAction]) {
        guard device == .connected else { return }
        set(.disconnected, &actions)
        actions.emit(.status(.deviceBehindServer(connected: false)))
    }

    private mutating func take(_ reply: EmpaticaReply, at moment: Seconds, _ actions: inout [ConversationAction]) {
        guard let request = awaited, Self.isAnswered(request, by: reply) else {
            // Whoever asked: it holds, as in a replay of a session that was paused.
            if phase == .streaming, reply.request.hasPrefix("pause "), reply.outcome == .done {
                return actions.emit(.status(.paused(reply.request == "pause ON")))
            }
            return actions.emit(.log("the server answered \(reply.request) unasked"))
        }
        awaited = nil
        replyDue = nil
        act(on: reply.outcome, of: request, at: moment, &actions)
        if awaited == nil, !queue.isEmpty { ask(queue.removeFirst(), at: moment, &actions) }
    }

    /// The server's manual itself answers `device_discover_list` with `device_list`.
    private static func isAnswered(_ request: String, by reply: EmpaticaReply) -> Bool {
        let words = request.split(separator: " ")
        guard let command = words.first else { return false }
        switch command {
        case "device_list", "device_discover_list":
            return reply.request == "device_list" || reply.request == "device_discover_list"
        case "device_subscribe": return reply.request == words.prefix(2).joined(separator: " ")
        case "pause": return reply.request.hasPrefix("pause")
        default: return reply.request == command
        }
    }

    private mutating func act(
        on outcome: EmpaticaReply.Outcome, of request: String, at moment: Seconds,
        _ actions: inout [ConversationAction]
    ) {
        switch (phase, outcome) {
        case (.searching, .devices(let devices)): choose(among: devices, at: moment, &actions)
        case (.connectingBluetooth, .done): connect(at: moment, &actions)
        case (.connecting, .done): connected(at: moment, &actions)
        case (.subscribing, _) where request.hasPrefix("device_subscribe"):
            subscribed(outcome, request, at: moment, &actions)
        case (.leaving, _) where request != "device_disconnect": break
        case (.leaving, .done):
            // The server closes the connection itself after this.
            set(.disconnected, &actions)
            actions.emit(.finished)
            actions.append(.close)
        case (.streaming, .done):
            if request.hasPrefix("pause") { actions.emit(.status(.paused(request == "pause ON"))) }
        case (.streaming, .refused(let reason)):
            actions.emit(.failed(DeviceFailure(code: "ERR", description: "\(request): \(reason)")))
        case (_, .refused(let reason)): refuse(request, reason, &actions)
        default: actions.emit(.log("the server's answer to \(request) has no meaning now"))
        }
    }

    private mutating func refuse(_ request: String, _ reason: String, _ actions: inout [ConversationAction]) {
        set(.disconnected, &actions)
        set(.ready, &actions)
        actions.emit(
            .failed(DeviceFailure(code: "ERR", description: "The E4 server refused \"\(request)\": \(reason)")))
        actions.append(.close)
    }
}

/// From the list of devices to streams.
extension EmpaticaServerConversation {
    private mutating func choose(
        among devices: [FoundDevice], at moment: Seconds, _ actions: inout [ConversationAction]
    ) {
        set(.ready, &actions)
        actions.emit(.status(.found(devices)))
        let usable = devices.filter(\.isAllowed)
        if let wanted = settings.device {
            if let found = usable.first(where: { $0.id.lowercased() == wanted.lowercased() }) {
                return begin(found.id, at: moment, &actions)
            }
        } else if usable.count == 1 {
            return begin(usable[0].id, at: moment, &actions)
        } else if usable.count > 1 {
            let ids = usable.map(\.id).joined(separator: ", ")
            actions.emit(.failed(DeviceFailure(description: "The E4 server has several devices; choose one of \(ids)")))
            return actions.append(.close)
        }
        if !hasToldSearch {
            hasToldSearch = true
            let wanted = settings.device.map { "device \($0)" } ?? "device"
            actions.emit(.log("the E4 server has no \(wanted) yet; waiting for it"))
        }
        searchDue = moment + settings.searchInterval
    }

    private mutating func begin(_ id: String, at moment: Seconds, _ actions: inout [ConversationAction]) {
        deviceID = id
        set(.connecting, &actions)
        guard settings.connectsBluetooth else { return connect(at: moment, &actions) }
        phase = .connectingBluetooth
        let minutes = settings.bluetoothTimeout == 0 ? "" : " \(min(max(settings.bluetoothTimeout, 0), 254))"
        ask("device_connect_btle \(id)\(minutes)", at: moment, &actions)
    }

    private mutating func connect(at moment: Seconds, _ actions: inout [ConversationAction]) {
        phase = .connecting
        ask("device_connect \(deviceID ?? "")", at: moment, &actions)
    }

    private mutating func connected(at moment: Seconds, _ actions: inout [ConversationAction]) {
        set(.connected, &actions)
        actions.emit(.status(.deviceBehindServer(connected: true)))
        var identity = DeviceIdentity()
        identity.name = "Empatica E4 \(deviceID ?? "")"
        identity.manufacturer = "Empatica"
        identity.model = "E4"
        identity.serialNumber = deviceID ?? ""
        actions.emit(.identity(identity))
        phase = .subscribing
        // What tells motion from pulses first: by the time that those come it is known to be there.
        let motion = settings.subscriptions.filter { $0 == .acc }
        for subscription in motion + settings.subscriptions.filter({ $0 != .acc }) {
            ask("device_subscribe \(subscription.rawValue) ON", at: moment, &actions)
        }
        if settings.subscriptions.isEmpty { ready(at: moment, &actions) }
    }

    private mutating func subscribed(
        _ outcome: EmpaticaReply.Outcome, _ request: String, at moment: Seconds,
        _ actions: inout [ConversationAction]
    ) {
        let word = request.split(separator: " ").dropFirst().first ?? ""
        if case .refused(let reason) = outcome {
            refused.append("\(word) (\(reason))")
            actions.emit(.log("the server refused the stream \(word): \(reason)"))
        } else if let subscription = EmpaticaSubscription(rawValue: String(word)) {
            values.declare(subscription, &actions)
        }
        if queue.contains(where: { $0.hasPrefix("device_subscribe") }) { return }
        if refused.count == settings.subscriptions.count {
            refuse("device_subscribe", refused.joined(separator: ", "), &actions)
        } else {
            ready(at: moment, &actions)
        }
    }

    private mutating func ready(at moment: Seconds, _ actions: inout [ConversationAction]) {
        phase = .streaming
        // An E4 shows no interval for about 20 s after it was put on.
        if settings.subscriptions.contains(.ibi) { beatDue = moment + 60 }
        actions.emit(.ready)
    }
}
