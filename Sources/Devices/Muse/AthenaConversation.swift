public import Signals

/// Talks to a Muse S Athena, whose sensors share two characteristics and whose entries are counted per sensor.
///
/// Streams: `eeg` (µV, 0…1450; the ends are the rails), `optics` (arbitrary units), `acceleration` (g), `gyroscope`
/// (deg/s), by their counters; `battery`. `deviceTime` is the headband's stamp of the packet, which several entries
/// share and which is no finer than some ten milliseconds. The first half-second of each sensor comes at once, with the
/// moments it was sampled at (`AthenaOpening`).
public struct AthenaConversation: Conversation {
    private let preset: String
    private var control = MuseControlPart()
    private var counters: [AthenaTag: Track] = [:]
    private var announced: [String: AthenaTag] = [:]
    private var heard: Set<AthenaTag> = []
    private var opening = AthenaOpening()
    private var ticks: Int64 = 0
    private var lastTicks: UInt32?
    private var phase = Phase.closed
    private var lastArrival: Seconds = 0
    private var nextKeepAlive: Seconds = 0
    private var silence = SilenceWatch()

    private enum Phase {
        case closed, starting, streaming, paused
    }

    /// Where a sensor's entries stand.
    private struct Track: Sendable {
        var counter: PacketCounter
        var index = 0
        var ticks: Int64
        var isResumed: Bool
    }

    /// The characteristics samples come from.
    public static let data = [Muse.characteristic(0x0013), Muse.characteristic(0x0014)]
    private static let keepAlivePeriod: Seconds = 10

    /// A conversation that asks for `preset`, such as p1041: eight electrodes and sixteen optical channels.
    public init(preset: String = "p1041") {
        self.preset = preset
    }

    /// Subscribes and starts the headband; the start command is sent twice, as it is known to need.
    public mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        for tag in counters.keys { counters[tag] = nil }
        opening = AthenaOpening()
        lastTicks = nil
        ticks = 0
        control.reset()
        silence.reset()
        actions.append(.subscribe(Muse.control, isRequired: true))
        actions.append(.subscribe(Self.data[0], isRequired: true))
        actions.append(.subscribe(Self.data[1], isRequired: false))
        for command in ["v6", "s", "h", preset, "s", "dc001", "dc001", "L1"] { control.send(command, into: &actions) }
        phase = .starting
        lastArrival = moment
        nextKeepAlive = moment + Self.keepAlivePeriod
        actions.append(.wake(at: moment + MuseConversation.longestSilence))
    }

    /// Takes a notification.
    public mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        guard case .characteristic(let uuid) = endpoint else { return }
        if uuid == Muse.control { return control.take(bytes, preset: preset, into: &actions) }
        guard Self.data.contains(uuid) else { return }
        let message = AthenaMessage(bytes)
        for problem in message.problems {
            actions.emit(.malformed(MalformedMessage(place: "Athena packet", problem: problem, bytes: bytes)))
        }
        guard !message.entries.isEmpty else { return }
        lastArrival = moment
        if phase != .paused { silence.hear(uuid, at: moment) }
        if phase == .starting {
            phase = .streaming
            actions.emit(.ready)
            // Declared before anything else is sampled: pulse and EEG are judged by the motion beside them.
            for stream in ["acceleration", "gyroscope"] { _ = announce(stream, .motion, into: &actions) }
        }
        for entry in message.entries { take(entry, at: moment, into: &actions) }
        if opening.isOver(at: moment) { release(into: &actions) }
    }

    private mutating func take(
        _ entry: AthenaMessage.Entry, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        // Stamps go back a little now and then, and wrap after 4.7 hours.
        if let last = lastTicks {
            ticks += Int64(Int32(bitPattern: entry.ticks &- last))
        } else {
            ticks = Int64(entry.ticks)
        }
        lastTicks = entry.ticks
        switch entry.tag {
        case .other: return
        case .battery, .report: takeBattery(entry, into: &actions)
        case .motion: takeSamples(entry, "acceleration", at: moment, into: &actions)
        case .eeg4, .eeg8: takeSamples(entry, "eeg", at: moment, into: &actions)
        case .optics4, .optics8, .optics16: takeSamples(entry, "optics", at: moment, into: &actions)
        }
    }

    private mutating func takeSamples(
        _ entry: AthenaMessage.Entry, _ stream: String, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        let begins = counters[entry.tag] == nil
        guard let place = place(entry, stream, at: moment, into: &actions) else { return }
        let held = AthenaOpening.Held(
            tag: entry.tag, samples: entry.samples, index: place.index, restarted: place.restarted, ticks: ticks,
            arrival: moment)
        guard begins || place.restarted || opening.holds(entry.tag) else {
            return emit(held, arrival: nil, into: &actions)
        }
        let isFirst = opening.due == .infinity
        opening.hold(held)
        // Where nothing comes any more it is handed out all the same.
        if isFirst { actions.append(.wake(at: nextWake)) }
    }

    /// Hands out what is held.
    private mutating func release(into actions: inout [ConversationAction]) {
        for held in opening.release() { emit(held, arrival: held.arrival, into: &actions) }
    }

    private func emit(
        _ held: AthenaOpening.Held, arrival: Seconds?, into actions: inout [ConversationAction]
    ) {
        guard held.tag == .motion else {
            let stream = held.tag == .eeg4 || held.tag == .eeg8 ? "eeg" : "optics"
            return emit(stream, held.samples, held.tag.channelCount, held, arrival, into: &actions)
        }
        emit("acceleration", Array(held.samples[..<9]), 3, held, arrival, into: &actions)
        emit("gyroscope", Array(held.samples[9...]), 3, held, arrival, into: &actions)
    }

    private func emit(
        _ stream: String, _ samples: [Float], _ channels: Int, _ held: AthenaOpening.Held, _ arrival: Seconds?,
        into actions: inout [ConversationAction]
    ) {
        actions.emit(
            .samples(
                DeviceSamples(
                    stream: stream, index: held.index,
                    block: SampleBlock(channelCount: channels, samples: samples),
                    deviceTime: Double(held.ticks) / AthenaMessage.ticksPerSecond, arrival: arrival,
                    restarted: held.restarted)))
    }

    private mutating func place(
        _ entry: AthenaMessage.Entry, _ stream: String, at moment: Seconds, into actions: inout [ConversationAction]
    ) -> (index: Int, restarted: Bool)? {
        func report(_ problem: String) -> (index: Int, restarted: Bool)? {
            actions.emit(
                .malformed(MalformedMessage(place: "Athena \(stream)", problem: problem, bytes: entry.content)))
            return nil
        }
        guard announce(stream, entry.tag, into: &actions) else {
            return report("another number of channels than before")
        }
        let tag = entry.tag
        let wasHeard = !heard.insert(tag).inserted
        var track =
            counters[tag]
            ?? Track(
                counter: PacketCounter(modulus: 256, period: Double(tag.frameCount) / tag.sampleRate), ticks: ticks,
                isResumed: wasHeard)
        let elapsed = Double(ticks - track.ticks) / AthenaMessage.ticksPerSecond
        defer { counters[tag] = track }
        let isFirst = counters[tag] == nil
        switch track.counter.step(Int(entry.counter), at: moment, elapsed: elapsed) {
        case .same: return report("the entry came twice")
        case .late: return report("the entry came too late")
        case .doubtful: return report("the entry's counter does not follow those before it")
        case .next(let lost):
            track.index += (lost + 1) * tag.frameCount
            track.ticks = ticks
            return (track.index, false)
        case .restarted:
            track.index = 0
            track.ticks = ticks
            return (0, !isFirst || track.isResumed)
        }
    }

    /// Says that a stream exists; false when it exists with another layout.
    private mutating func announce(
        _ stream: String, _ tag: AthenaTag, into actions: inout [ConversationAction]
    ) -> Bool {
        if let known = announced[stream] { return known == tag }
        announced[stream] = tag
        actions.emit(.stream(Self.stream(stream, tag)))
        return true
    }

    private static func stream(_ stream: String, _ tag: AthenaTag) -> DeviceStream {
        let labels: [String]
        let (kind, unit): (StreamKind, Unit)
        switch stream {
        case "eeg":
            (labels, kind, unit) = (tag.labels, .eeg, .microvolts)
        case "optics":
            (labels, kind, unit) = (tag.labels, .bvp, .dimensionless)
        case "acceleration": (labels, kind, unit) = (["X", "Y", "Z"], .acceleration, .g)
        default: (labels, kind, unit) = (["X", "Y", "Z"], .gyroscope, Unit("deg/s"))
        }
        let header = StreamHeader(
            name: stream, kind: kind, channels: labels.map { Channel(label: $0, unit: unit) },
            sampleRate: tag.sampleRate)
        return DeviceStream(id: stream, header: header, clock: .counter)
    }

    /// Those of the presets with most channels.
    public var expectedStreams: [DeviceStream]? {
        [
            Self.stream("eeg", .eeg8), Self.stream("optics", .optics16), Self.stream("acceleration", .motion),
            Self.stream("gyroscope", .motion),
        ]
    }

    private mutating func takeBattery(_ entry: AthenaMessage.Entry, into actions: inout [ConversationAction]) {
        let percent = Double(entry.samples.first ?? .nan)
        guard percent <= 110 else {
            let problem = "a charge of \(percent) %"
            return actions.emit(
                .malformed(MalformedMessage(place: "Athena battery", problem: problem, bytes: entry.content)))
        }
        if announced.updateValue(.battery, forKey: "battery") == nil {
            let channel = Channel(label: "battery", unit: .percent)
            let header = StreamHeader(name: "battery", kind: .battery, channels: [channel], sampleRate: 0)
            actions.emit(.stream(DeviceStream(id: "battery", header: header)))
        }
        actions.emit(.values(stream: "battery", [DeviceValue([percent])]))
        actions.emit(.status(.battery(Swift.min(1, percent / 100))))
    }

    /// Keeps the headband awake; takes long silence for the end of the connection.
    public mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {
        guard phase != .closed else { return }
        if opening.isOver(at: moment) { release(into: &actions) }
        if phase == .paused { lastArrival = moment }
        guard moment < lastArrival + MuseConversation.longestSilence else {
            let text = "The headband has been silent for \(Int(MuseConversation.longestSilence)) s."
            actions.emit(.failed(.silent(text)))
            return actions.append(.close)
        }
        // The sensors share two characteristics, and one of these may stop alone.
        if silence.end(at: moment, into: &actions) { return }
        if moment >= nextKeepAlive {
            control.send("k", into: &actions)
            nextKeepAlive = moment + Self.keepAlivePeriod
        }
        actions.append(.wake(at: nextWake))
    }

    private var nextWake: Seconds {
        Swift.min(nextKeepAlive, lastArrival + MuseConversation.longestSilence, opening.due)
    }

    /// Halts the headband, or lets it go on.
    public mutating func perform(
        _ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        switch request {
        case .pause:
            guard phase == .streaming else { return }
            phase = .paused
            silence.reset()
            release(into: &actions)
            control.send("h", into: &actions)
            actions.emit(.status(.paused(true)))
        case .resume:
            guard phase == .paused else { return }
            actions.emit(.status(.paused(false)))
            release(into: &actions)
            counters = [:]
            phase = .starting
            lastArrival = moment
            for _ in 0..<2 { control.send("dc001", into: &actions) }
            actions.append(.wake(at: moment + MuseConversation.longestSilence))
        case .resetEnergy: actions.emit(.failed(.countsNoEnergy))
        case .stop, .abort:
            control.send("h", into: &actions)
            release(into: &actions)
            phase = .closed
            actions.emit(.finished)
            actions.append(.close)
        }
    }

    /// Hands out what is held, and forgets what was half read.
    public mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {
        release(into: &actions)
        control.reset()
        silence.reset()
        phase = .closed
    }
}
