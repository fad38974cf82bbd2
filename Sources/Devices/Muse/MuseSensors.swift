import Signals

/// The streams of a Muse headband and the packets each is made of.
struct MuseSensors: Sendable {
    private var groups: [Group]
    private var places: [BluetoothUUID: (group: Int, channel: Int)]
    private var announced: Set<String> = []
    private var heard: Set<String> = []

    /// Channels that share a counter.
    private struct Group: Sendable {
        var header: StreamHeader
        var format: Format
        var rounds: RoundAssembler
        var framesPerPacket: Int

        /// Whether it tells how the head moves.
        var isMotion: Bool { if case .motion = format { true } else { false } }
    }

    private enum Format: Sendable {
        case eeg, ppg
        /// Three axes in one packet, `scale` per step.
        case motion(scale: Double)
    }

    /// The sensors of a headband, with or without the auxiliary electrode.
    init(hasAuxiliary: Bool) {
        let electrodes = hasAuxiliary ? Muse.electrodes : Array(Muse.electrodes.dropLast())
        groups = []
        places = [:]
        add("eeg", .eeg, .eeg, rate: 256, perPacket: 12, electrodes, unit: .microvolts)
        add("ppg", .bvp, .ppg, rate: 64, perPacket: 6, Muse.optics, unit: .dimensionless)
        add(
            "acceleration", .acceleration, .motion(scale: Muse.g), rate: 52, perPacket: 3,
            [("X", Muse.acceleration), ("Y", Muse.acceleration), ("Z", Muse.acceleration)], unit: .g)
        add(
            "gyroscope", .gyroscope, .motion(scale: Muse.degreesPerSecond), rate: 52, perPacket: 3,
            [("X", Muse.gyroscope), ("Y", Muse.gyroscope), ("Z", Muse.gyroscope)], unit: Unit("deg/s"))
    }

    private mutating func add(
        _ id: String, _ kind: StreamKind, _ format: Format, rate: Double, perPacket: Int,
        _ channels: [(label: String, characteristic: BluetoothUUID)], unit: Unit
    ) {
        for (index, channel) in channels.enumerated() where places[channel.characteristic] == nil {
            places[channel.characteristic] = (groups.count, index)
        }
        let header = StreamHeader(
            name: id, kind: kind, channels: channels.map { Channel(label: $0.label, unit: unit) }, sampleRate: rate)
        groups.append(
            Group(
                header: header, format: format, rounds: Self.rounds(header, format, perPacket, isResumed: false),
                framesPerPacket: perPacket))
    }

    private static func rounds(
        _ header: StreamHeader, _ format: Format, _ perPacket: Int, isResumed: Bool
    ) -> RoundAssembler {
        let period = Double(perPacket) / header.sampleRate
        // All axes of a motion packet come together: one channel for the assembly.
        if case .motion = format {
            return RoundAssembler(
                stream: header.name, channelCount: 1, frameCount: perPacket * 3, period: period, isResumed: isResumed)
        }
        return RoundAssembler(
            stream: header.name, channelCount: header.channels.count, frameCount: perPacket, period: period,
            isResumed: isResumed)
    }

    /// All streams it may have.
    var streams: [DeviceStream] {
        groups.map { DeviceStream(id: $0.header.name, header: $0.header, clock: .counter) }
    }

    /// The characteristics samples come from, in the order of their handles.
    var characteristics: [BluetoothUUID] { places.keys.sorted { $0.high < $1.high } }

    /// The counters will start anew.
    mutating func restart() {
        for index in groups.indices {
            let group = groups[index]
            groups[index].rounds = Self.rounds(
                group.header, group.format, group.framesPerPacket, isResumed: heard.contains(group.header.name))
        }
    }

    /// Takes a notification; returns nil when the characteristic is none of theirs, else whether it was a packet.
    mutating func take(
        _ bytes: [UInt8], from characteristic: BluetoothUUID, at moment: Seconds,
        into actions: inout [ConversationAction]
    ) -> Bool? {
        guard let place = places[characteristic] else { return nil }
        let name = groups[place.group].header.name
        guard let packet = MusePacket(bytes) else {
            let problem = "expected 20 bytes, got \(bytes.count)"
            actions.emit(.malformed(MalformedMessage(place: "Muse \(name)", problem: problem, bytes: bytes)))
            return false
        }
        // Motion is declared before anything else is sampled: pulse and EEG are judged by it.
        for group in groups where group.isMotion || group.header.name == name {
            guard announced.insert(group.header.name).inserted else { continue }
            actions.emit(.stream(DeviceStream(id: group.header.name, header: group.header, clock: .counter)))
        }
        heard.insert(name)
        let values = Self.samples(packet, groups[place.group].format)
        let first = actions.count
        let problem = groups[place.group].rounds.take(
            values, channel: place.channel, counter: Int(packet.counter), at: moment, into: &actions)
        if case .motion = groups[place.group].format { Self.split(&actions, from: first) }
        guard let problem else { return true }
        actions.emit(.malformed(MalformedMessage(place: "Muse \(name)", problem: problem, bytes: bytes)))
        return false
    }

    /// Hands out the rounds that are not complete.
    mutating func finish(into actions: inout [ConversationAction]) {
        for index in groups.indices {
            let first = actions.count
            groups[index].rounds.finish(into: &actions)
            if case .motion = groups[index].format { Self.split(&actions, from: first) }
        }
    }

    private static func samples(_ packet: MusePacket, _ format: Format) -> [Float] {
        switch format {
        case .eeg: return packet.microvolts
        case .ppg: return packet.twentyFourBit.map(Float.init)
        case .motion(let scale):
            let values = packet.signed16
            // From three samples of three axes to three axes of three samples.
            return (0..<9).map { Float(Double(values[$0 % 3 * 3 + $0 / 3]) * scale) }
        }
    }

    /// Rounds of motion were put together as one channel: makes three of it, and frames of the index.
    private static func split(_ actions: inout [ConversationAction], from first: Int) {
        for place in first..<actions.count {
            guard case .emit(.samples(var samples)) = actions[place] else { continue }
            samples.block = SampleBlock(channelCount: 3, samples: samples.block.samples)
            samples.index /= 3
            actions[place] = .emit(.samples(samples))
        }
    }
}
