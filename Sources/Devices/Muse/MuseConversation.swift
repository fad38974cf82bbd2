public import Signals

/// Talks to a Muse headband of the generations before Athena (Muse 2016, Muse 2, Muse S).
///
/// Streams: `eeg` (µV; a rail, −1000 or 999.5 µV, is saturation), `ppg` (counts), `acceleration` (g), `gyroscope`
/// (deg/s), all by the headband's packet counters, so that lost packets leave gaps of their length and a channel
/// missing from a round is NaN; `battery` with charge, voltages and temperature. Silence of 3 s is taken for the end
/// of the connection.
public struct MuseConversation: Conversation {
    private let preset: String
    private var sensors: MuseSensors
    private var text = MuseControlText()
    private var identity = DeviceIdentity()
    private var hasBattery = false
    private var phase = Phase.closed
    private var lastArrival: Seconds = 0
    private var nextKeepAlive: Seconds = 0

    private enum Phase {
        case closed, starting(isRetry: Bool), streaming, paused
    }

    /// Silence after which the connection is taken for lost.
    static let longestSilence: Seconds = 3
    private static let keepAlivePeriod: Seconds = 10

    /// Presets with the auxiliary electrode.
    private static let auxiliaryPresets: Set<String> = ["p20", "p50", "p60"]

    /// A conversation that asks for `preset`: p20 and p21 without PPG, p50 and p51 (Muse 2), p60 and p61 (Muse S)
    /// with it; those that end in 0 with the auxiliary electrode.
    public init(preset: String = "p51") {
        self.preset = preset
        sensors = MuseSensors(hasAuxiliary: Self.auxiliaryPresets.contains(preset))
    }

    /// Subscribes to everything the headband may have, and starts it.
    public mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        sensors.restart()
        text.reset()
        actions.append(.subscribe(Muse.control, isRequired: true))
        for characteristic in sensors.characteristics {
            actions.append(.subscribe(characteristic, isRequired: false))
        }
        actions.append(.subscribe(Muse.telemetry, isRequired: false))
        phase = .starting(isRetry: false)
        send("v1", into: &actions)
        start(at: moment, into: &actions)
    }

    private mutating func start(at moment: Seconds, into actions: inout [ConversationAction]) {
        for command in ["h", preset, "s", "d"] { send(command, into: &actions) }
        lastArrival = moment
        nextKeepAlive = moment + Self.keepAlivePeriod
        actions.append(.wake(at: moment + Self.longestSilence))
    }

    private func send(_ command: String, into actions: inout [ConversationAction]) {
        actions.append(.send(Muse.command(command), to: .characteristic(Muse.control), acknowledged: false))
    }

    /// Takes a notification.
    public mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        guard case .characteristic(let uuid) = endpoint else { return }
        switch uuid {
        case Muse.control: takeControl(bytes, into: &actions)
        case Muse.telemetry: takeTelemetry(bytes, at: moment, into: &actions)
        default:
            let first = actions.count
            guard sensors.take(bytes, from: uuid, at: moment, into: &actions) == true else { return }
            lastArrival = moment
            if case .starting = phase {
                phase = .streaming
                actions.insert(.emit(.ready), at: first)
            }
        }
    }

    private mutating func takeControl(_ bytes: [UInt8], into actions: inout [ConversationAction]) {
        let (objects, isDamaged) = text.take(notification: bytes)
        if isDamaged {
            let problem = "expected a piece of JSON after its length"
            actions.emit(.malformed(MalformedMessage(place: "Muse control", problem: problem, bytes: bytes)))
        }
        for object in objects { take(object, into: &actions) }
    }

    private mutating func take(_ reply: MuseReply, into actions: inout [ConversationAction]) {
        if let code = reply.code, code != 0 {
            let text = "The headband refuses a command (code \(code)): does its model have preset \(preset)?"
            actions.emit(.failed(DeviceFailure(code: String(code), description: text)))
        }
        var known = identity
        let fields: [(String, WritableKeyPath<DeviceIdentity, String>)] = [
            ("hn", \.name), ("sn", \.serialNumber), ("fw", \.firmware), ("hw", \.hardware),
        ]
        for (key, path) in fields { if let value = reply.values[key] { known[keyPath: path] = value } }
        if reply.values["ma"] != nil || reply.values["fw"] != nil { known.manufacturer = "InteraXon" }
        for key in ["ma", "id", "ap", "sp", "tp", "bn", "bl", "pv", "ps"] {
            if let value = reply.values[key] { known.details[key] = value }
        }
        if known != identity {
            identity = known
            actions.emit(.identity(known))
        }
        if let percent = reply.values["bp"].flatMap(Double.init), (0...100).contains(percent) {
            actions.emit(.status(.battery(percent / 100)))
        }
    }

    private mutating func takeTelemetry(
        _ bytes: [UInt8], at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        guard let packet = MusePacket(bytes), let telemetry = MuseTelemetry(packet), telemetry.battery <= 110 else {
            let problem = "expected 20 bytes with a charge of at most 100 %"
            return actions.emit(.malformed(MalformedMessage(place: "Muse telemetry", problem: problem, bytes: bytes)))
        }
        if !hasBattery {
            hasBattery = true
            let channels = [
                Channel(label: "battery", unit: .percent), Channel(label: "fuel gauge", unit: .millivolts),
                Channel(label: "voltage", unit: .millivolts), Channel(label: "temperature", unit: .unknown),
            ]
            let header = StreamHeader(name: "battery", kind: .battery, channels: channels, sampleRate: 0)
            actions.emit(.stream(DeviceStream(id: "battery", header: header)))
        }
        let row = [
            telemetry.battery, telemetry.fuelGauge, Double(telemetry.voltage), Double(telemetry.temperature),
        ]
        actions.emit(.values(stream: "battery", [DeviceValue(row)]))
        actions.emit(.status(.battery(Swift.min(1, telemetry.battery / 100))))
    }

    /// Keeps the headband awake; takes long silence for the end of the connection.
    public mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        let isSilent = moment >= lastArrival + Self.longestSilence
        switch phase {
        case .closed: return
        case .paused: lastArrival = moment
        case .starting(isRetry: false) where isSilent:
            phase = .starting(isRetry: true)
            return start(at: moment, into: &actions)
        case .starting, .streaming:
            guard isSilent else { break }
            let text = "The headband has been silent for \(Int(Self.longestSilence)) s."
            actions.emit(.failed(DeviceFailure(code: "silent", description: text)))
            return actions.append(.close)
        }
        if moment >= nextKeepAlive {
            send("k", into: &actions)
            nextKeepAlive = moment + Self.keepAlivePeriod
        }
        actions.append(.wake(at: Swift.min(nextKeepAlive, lastArrival + Self.longestSilence)))
    }

    /// Halts the headband, or lets it go on.
    public mutating func perform(
        _ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        switch request {
        case .pause:
            guard case .streaming = phase else { return }
            phase = .paused
            send("h", into: &actions)
            actions.emit(.status(.paused(true)))
        case .resume:
            guard case .paused = phase else { return }
            sensors.finish(into: &actions)
            sensors.restart()
            phase = .starting(isRetry: false)
            lastArrival = moment
            send("d", into: &actions)
            actions.emit(.status(.paused(false)))
            actions.append(.wake(at: moment + Self.longestSilence))
        case .stop, .abort:
            send("h", into: &actions)
            sensors.finish(into: &actions)
            phase = .closed
            actions.emit(.finished)
            actions.append(.close)
        }
    }

    /// Hands out the rounds that are not complete.
    public mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
        sensors.finish(into: &actions)
        text.reset()
        phase = .closed
    }
}
