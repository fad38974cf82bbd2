public import Signals

/// The range in which an Arctop server sends its metrics; versions differ, so it is declared, never guessed.
public enum ArctopScale: Double, Hashable, Sendable, Codable, CaseIterable {
    /// 0…1, neutral 0.5.
    case one = 1
    /// 0…100, neutral 50.
    case hundred = 100
}

/// How an Arctop stream server is used.
public struct ArctopSettings: Hashable, Sendable {
    /// The key of the account.
    public var key: String
    /// The range of the metrics.
    public var scale: ArctopScale
    /// Seconds to wait for the server's consent.
    public var replyTimeout: Seconds = 10

    /// Use with `key` of a server whose metrics are in `scale`.
    public init(key: String, scale: ArctopScale) {
        self.key = key
        self.scale = scale
    }
}

/// A metric of an Arctop server: what its key means.
public struct ArctopMetric: Hashable, Sendable {
    /// The stream's name.
    public var name: String
    /// In words.
    public var label: String
    /// Its unit.
    public var unit: Unit
    /// Which kind of stream it makes.
    public var kind: StreamKind
    /// Whether it is on the server's scale, rather than in a unit of its own.
    public var isScaled: Bool

    /// The metric with this key; unknown keys make metrics of their own name.
    public init(key: String) {
        switch key {
        case "heart_rate": self.init("heartRate", "heart rate", .beatsPerMinute, .heartRate)
        case "hrv": self.init("hrv", "heart rate variability", .milliseconds)
        case "avg_motion": self.init("motion", "average motion", .unknown)
        case "sleep": self.init("sleep", "sleep (0 awake, 1 asleep)", .dimensionless)
        case "blink", "blinks": self.init("blink", "blink", .dimensionless)
        case "zone_state": self.init("flow", "flow", .dimensionless, isScaled: true)
        case "focus", "enjoyment": self.init(key, key, .dimensionless, isScaled: true)
        case "visual_attention": self.init("visualAttention", "visual attention", .dimensionless, isScaled: true)
        case "auditory_attention":
            self.init("auditoryAttention", "auditory attention", .dimensionless, isScaled: true)
        case "cognitive_workload":
            self.init("cognitiveWorkload", "cognitive workload", .dimensionless, isScaled: true)
        default: self.init(key, key, .dimensionless, isScaled: true)
        }
    }

    private init(
        _ name: String, _ label: String, _ unit: Unit, _ kind: StreamKind = .other, isScaled: Bool = false
    ) {
        self.name = name
        self.label = label
        self.unit = unit
        self.kind = kind
        self.isScaled = isScaled
    }

    /// The rate at which Arctop's heart rate stops: 120 means 120 or more.
    public static let heartRateCap = 120.0

    /// The value in the metric's unit; NaN where −1 or NaN says that none could be decoded.
    public func value(_ sent: Double, scale: ArctopScale) -> Double {
        // −1 is a mark on either scale, so it is looked for before scaling.
        if sent == -1 || sent.isNaN { return .nan }
        return isScaled ? sent / scale.rawValue : sent
    }
}

/// The client's side of an Arctop stream server on the local network: metrics that a phone computes from a headband.
///
/// Streams appear with their first value. Each row has the phone's time, and for the heart rate whether it is
/// censored at 120 bpm.
public struct ArctopConversation: Conversation {
    /// Commands of the server this program does not know, counted.
    public private(set) var unknownCommands = 0

    private let settings: ArctopSettings
    private var frames = ArctopFrames()
    private var known: Set<String> = []
    /// Metrics whose values went beyond their scale, which was told.
    private var doubted: Set<String> = []
    private var phase = Phase.closed
    private static let mostStreams = 64

    private enum Phase: Hashable, Sendable {
        case closed, authorizing, streaming, over
    }

    /// A conversation as `settings` say.
    public init(_ settings: ArctopSettings) {
        self.settings = settings
    }

    /// Shows the key.
    public mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        frames.reset()
        phase = .authorizing
        let text = "{\"command\":\"auth\",\"apiKey\":\(ArctopFrames.quoted(settings.key))}"
        guard let frame = ArctopFrames.frame(text) else {
            actions.emit(.failed(DeviceFailure(description: "The Arctop key is too long.")))
            return actions.append(.close)
        }
        actions.append(.send(frame, to: .stream, acknowledged: false))
        actions.append(.wake(at: moment + settings.replyTimeout))
    }

    /// Takes what the server says, cut anywhere.
    public mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        for frame in frames.append(bytes) where phase != .over {
            do throws(MalformedMessage) {
                take(try ArctopMessage(frame), &actions)
            } catch {
                actions.emit(.malformed(error))
            }
        }
        guard frames.isLost, phase != .over else { return }
        frames.reset()
        let text = "The Arctop server's frames are broken; connecting again."
        actions.emit(.failed(DeviceFailure(code: "framing", description: text)))
        actions.append(.close)
    }

    /// Gives up when the server did not consent in time.
    public mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        guard phase == .authorizing else { return }
        let text =
            "The Arctop server did not answer within \(settings.replyTimeout) s: is it its stream server that listens there?"
        actions.emit(.failed(DeviceFailure(code: "timeout", description: text)))
        actions.append(.close)
    }

    /// None but metrics, a few values a second.
    public var expectedStreams: [DeviceStream]? { [] }

    /// Leaves the server; it cannot be paused.
    public mutating func perform(
        _ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        switch request {
        case .stop, .abort: end(&actions)
        case .pause, .resume: actions.emit(.log("an Arctop server cannot be paused"))
        case .resetEnergy: actions.emit(.failed(.countsNoEnergy))
        }
    }

    /// Forgets what was half read.
    public mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
        if phase == .authorizing {
            let text = "The Arctop server ended the connection before it consented: is the key right?"
            actions.emit(.failed(DeviceFailure(code: "no-consent", description: text)))
        }
        frames.reset()
        phase = .closed
    }

    private mutating func end(_ actions: inout [ConversationAction]) {
        phase = .over
        actions.emit(.finished)
        actions.append(.close)
    }

    private mutating func take(_ message: ArctopMessage, _ actions: inout [ConversationAction]) {
        switch message {
        case .authorized:
            phase = .streaming
            var identity = DeviceIdentity()
            identity.name = "Arctop stream server"
            identity.manufacturer = "Arctop"
            actions.emit(.identity(identity))
            actions.emit(.ready)
        case .refused:
            phase = .over
            actions.emit(.failed(DeviceFailure(code: "auth-failed", description: "The Arctop server refused the key.")))
            actions.append(.close)
        case .challenge:
            actions.emit(
                .failed(
                    DeviceFailure(
                        code: "challenge",
                        description: "The Arctop server asks for a challenge, whose answer is not documented.")))
        case .connection(let previous, let current):
            actions.emit(.status(.connection(previous: previous, current: current)))
            if (previous == .connected) != (current == .connected) {
                actions.emit(.status(.deviceBehindServer(connected: current == .connected)))
            }
        case .value(let key, let value, let time): add(key, value, time, &actions)
        case .quality(let quality, _): actions.emit(.status(.quality(quality)))
        case .sessionComplete: end(&actions)
        case .failure(let code, let text):
            actions.emit(.failed(DeviceFailure(code: code, description: "Arctop: \(text)")))
        case .unknown: unknownCommands += 1
        }
    }

    private mutating func add(
        _ key: String, _ sent: Double, _ time: Seconds?, _ actions: inout [ConversationAction]
    ) {
        let metric = ArctopMetric(key: key)
        if !known.contains(metric.name) {
            guard known.count < Self.mostStreams else {
                return actions.emit(
                    .malformed(
                        MalformedMessage(
                            place: "valueChange", problem: "more than \(Self.mostStreams) different keys",
                            bytes: Array(key.utf8))))
            }
            known.insert(metric.name)
            var channels = [Channel(label: key, unit: metric.unit)]
            if metric.kind == .heartRate { channels.append(Channel(label: "censored", unit: .dimensionless)) }
            let header = StreamHeader(name: metric.name, kind: metric.kind, channels: channels, sampleRate: 0)
            actions.emit(
                .stream(DeviceStream(id: metric.name, header: header, clock: time == nil ? .arrival : .deviceTime)))
        }
        if metric.isScaled, sent > settings.scale.rawValue, doubted.insert(metric.name).inserted {
            let said =
                "\(key) was \(sent), but the metrics were said to go to \(Int(settings.scale.rawValue)): is it another scale?"
            actions.emit(.failed(DeviceFailure(code: "scale", description: said)))
        }
        let value = metric.value(sent, scale: settings.scale)
        var values = [value]
        if metric.kind == .heartRate {
            values.append(value.isNaN ? .nan : (value >= ArctopMetric.heartRateCap ? 1 : 0))
        }
        actions.emit(.values(stream: metric.name, [DeviceValue(values, deviceTime: time)]))
    }
}
