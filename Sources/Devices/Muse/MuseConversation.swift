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
    private var control = MuseControlPart()
    private var hasBattery = false
    private var silence = SilenceWatch()
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

    /// Those of a headband with PPG.
    public var expectedStreams: [DeviceStream]? { sensors.streams }

    /// Subscribes to everything the headband may have, and starts it.
    public mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        sensors.restart()
        control.reset()
        silence.reset()
        actions.append(.subscribe(Muse.control, isRequired: true))
        for characteristic in sensors.characteristics {
            actions.append(.subscribe(characteristic, isRequired: false))
        }
        actions.append(.subscribe(Muse.telemetry, isRequired: false))
        phase = .starting(isRetry: false)
        control.send("v1", into: &actions)
        start(at: moment, into: &actions)
    }

    private mutating func start(at moment: Seconds, into actions: inout [ConversationAction]) {
        for command in ["h", preset, "s", "d"] { control.send(command, into: &actions) }
        lastArrival = moment
        nextKeepAlive = moment + Self.keepAlivePeriod
        actions.append(.wake(at: moment + Self.longestSilence))
    }

    /// Takes a notification.
    public mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        guard case .characteristic(let uuid) = endpoint else { return }
        switch uuid {
        case Muse.control: control.take(bytes, preset: preset, into: &actions)
        case Muse.telemetry: takeTelemetry(bytes, at: moment, into: &actions)
        default:
            let first = actions.count
            guard sensors.take(bytes, from: uuid, at: moment, into: &actions) == true else { return }
            lastArrival = moment
            if case .paused = phase {} else { silence.hear(uuid, at: moment) }
            if case .starting = phase {
                phase = .streaming
                actions.insert(.emit(.ready), at: first)
            }
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
            guard isSilent else {
                // Each sensor has its own characteristic, and one may stop alone.
                if silence.end(at: moment, into: &actions) { return }
                break
            }
            var text = "The headband has been silent for \(Int(Self.longestSilence)) s."
            if case .starting = phase { text += " If it is a Muse S Athena, ask for it as muse-athena." }
            actions.emit(.failed(.silent(text)))
            return actions.append(.close)
        }
        if moment >= nextKeepAlive {
            control.send("k", into: &actions)
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
            silence.reset()
            control.send("h", into: &actions)
            actions.emit(.status(.paused(true)))
        case .resume:
            guard case .paused = phase else { return }
            sensors.finish(into: &actions)
            sensors.restart()
            phase = .starting(isRetry: false)
            lastArrival = moment
            control.send("d", into: &actions)
            actions.emit(.status(.paused(false)))
            actions.append(.wake(at: moment + Self.longestSilence))
        case .resetEnergy: actions.emit(.failed(.countsNoEnergy))
        case .stop, .abort:
            control.send("h", into: &actions)
            sensors.finish(into: &actions)
            phase = .closed
            actions.emit(.finished)
            actions.append(.close)
        }
    }

    /// Hands out the rounds that are not complete.
    public mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
        sensors.finish(into: &actions)
        control.reset()
        silence.reset()
        phase = .closed
    }
}
