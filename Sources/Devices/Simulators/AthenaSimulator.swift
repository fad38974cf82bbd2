import Kernels
public import Signals
public import Simulation

/// A simulated Muse S Athena: four or eight EEG inputs at 256 Hz, four to sixteen optical channels at 64 Hz,
/// acceleration and angular velocity at 52 Hz, its charge once a second, all in packets on one characteristic.
///
/// Its EEG has known blinks, its optical channels the session's pulse. Inputs without an electrode, and electrodes
/// without contact, stand at a rail. As with a real one, a packet is sent when the next entry no longer fits in, so that
/// samples come in bunches.
public struct AthenaSimulator: DeviceSimulator {
    private var peripheral: SimulatedPeripheral
    private var control = SimulatedMuseControl(
        identity: "\"ap\":\"headset\",\"sp\":\"Athena_revE\",\"tp\":\"consumer\",\"hw\":\"3.1\",\"bn\":1,"
            + "\"fw\":\"3.0.1\",\"bl\":\"1.0.0\",\"pv\":6",
        presets: Set(Self.layouts.keys), preset: "p21", start: "dc001", startsNeeded: 2)
    private var eeg: EEGSignal
    private var pulse: BVPSignal
    private var light: RandomSource
    private var motion: RestingMotion
    private var sensors: [Sensor]
    private var packer = AthenaPacker()
    private var nextBattery: Seconds = 1
    private var batteryCounter = 0

    private enum Kind: Sendable {
        case eeg, optics, motion
    }

    /// A sensor and where its entries stand.
    private struct Sensor: Sendable {
        var kind: Kind
        var tag: AthenaTag
        var source: PacketSource
        var counter: Int
        /// Frames measured since the headband was switched on.
        var measured = 0
    }

    /// What each preset has (OpenMuse's table of presets).
    private static let layouts: [String: (eeg: AthenaTag, optics: AthenaTag?)] = {
        var layouts: [String: (eeg: AthenaTag, optics: AthenaTag?)] = [:]
        for preset in ["p20", "p21", "p50", "p51", "p60", "p61"] { layouts[preset] = (.eeg4, nil) }
        layouts["p1034"] = (.eeg8, .optics8)
        layouts["p1035"] = (.eeg4, .optics4)
        for preset in ["p1041", "p1042"] { layouts[preset] = (.eeg8, .optics16) }
        for preset in ["p1043", "p1044"] { layouts[preset] = (.eeg8, .optics8) }
        for preset in ["p1045", "p1046", "p4129"] { layouts[preset] = (.eeg8, .optics4) }
        return layouts
    }()

    /// A headband on a simulated session's participant. `firstCounter` is where the sensors' counters begin.
    public init(
        _ parameters: SimulationParameters, eeg form: EEGParameters = EEGParameters(),
        faults: DeviceFaults = DeviceFaults(), firstCounter: UInt8 = 0
    ) {
        peripheral = SimulatedPeripheral(faults, model: "Muse S Athena", manufacturer: "InteraXon")
        let rate = faults.clockRate
        var form = form
        form.sampleRate = 256 * rate
        form.labels = AthenaTag.eeg4.labels
        eeg = EEGSignal(form, seed: parameters.seed)
        var wave = parameters.bvp ?? BVPParameters()
        wave.sampleRate = 64 * rate
        pulse = BVPSignal(
            wave, rhythm: HeartRhythm(parameters.rhythm, seed: parameters.seed),
            respirationRate: parameters.rhythm.variability.respirationRate)
        light = RandomSource(seed: parameters.seed, "athena optics")
        motion = RestingMotion(seed: parameters.seed, label: "athena")
        sensors = [(Kind.eeg, AthenaTag.eeg4), (.optics, .optics4), (.motion, .motion)].map { kind, tag in
            Sensor(
                kind: kind, tag: tag,
                source: PacketSource(rate: tag.sampleRate * rate, framesPerPacket: tag.frameCount),
                counter: Int(firstCounter))
        }
    }

    /// Changes the EEG from the next packet on.
    public mutating func participant(isLoaded load: Double) { eeg.load = Swift.min(Swift.max(load, 0), 1) }

    /// The headband's service, advertised as by all Muse headbands.
    public var profile: GattProfile? {
        let service = GattService(
            Muse.service,
            [GattCharacteristic(Muse.control, [.writeWithoutResponse, .notify])]
                + AthenaConversation.data.map { GattCharacteristic($0, [.notify]) })
        return GattProfile(name: "MuseS-SIM2", advertised: [Muse.service], services: [service])
    }

    private var active: [Int] {
        let hasOptics = Self.layouts[control.preset]?.optics != nil
        return sensors.indices.filter { sensors[$0].kind != .optics || hasOptics }
    }

    /// When something is ready next.
    public var due: Seconds? {
        guard !peripheral.isDead else { return nil }
        let own = peripheral.due ?? .infinity
        guard control.isRunning else { return own }
        return active.reduce(Swift.min(own, nextBattery)) { Swift.min($0, sensors[$1].source.due) }
    }

    /// Someone connected.
    public mutating func connect(at moment: Seconds, into actions: inout [SimulatorAction]) {
        peripheral.connect(into: &actions)
    }

    /// The connection is gone; streaming ends.
    public mutating func disconnect(at moment: Seconds) {
        peripheral.disconnect()
        halt()
    }

    private mutating func halt() {
        control.halt()
        packer.clear()
    }

    /// Begins to notify.
    public mutating func subscribe(
        _ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        peripheral.subscribe(characteristic)
    }

    /// Takes a command at the control characteristic.
    public mutating func receive(
        _ bytes: [UInt8], at endpoint: Endpoint, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        guard endpoint == .characteristic(Muse.control), peripheral.isConnected else { return }
        let (notifications, event) = control.take(bytes, charge: peripheral.faults.charge(at: moment))
        for bytes in notifications { peripheral.notify(bytes, from: Muse.control, into: &actions) }
        switch event {
        case .started: start(at: moment)
        case .switchedOff:
            actions.append(.close)
            disconnect(at: moment)
        case nil: if !control.isRunning { packer.clear() }
        }
    }

    private mutating func start(at moment: Seconds) {
        guard let layout = Self.layouts[control.preset] else { return }
        for index in sensors.indices {
            switch sensors[index].kind {
            case .eeg: sensors[index].tag = layout.eeg
            case .optics: sensors[index].tag = layout.optics ?? sensors[index].tag
            case .motion: break
            }
            let rate = sensors[index].source.rate
            let frames = sensors[index].tag.frameCount
            let next = sensors[index].source.next
            sensors[index].source = PacketSource(rate: rate, framesPerPacket: frames, next: next)
            sensors[index].source.begin(at: moment)
        }
        nextBattery = Swift.max(nextBattery, moment.rounded(.up))
    }

    /// Measures, fills packets and notifies.
    public mutating func advance(to moment: Seconds, into actions: inout [SimulatorAction]) {
        while let next = due, next <= moment {
            if let own = peripheral.due, own <= next {
                if peripheral.advance(to: next, into: &actions) != nil {
                    halt()
                    for index in sensors.indices { sensors[index].counter = 0 }
                }
            } else if nextBattery <= next {
                let charge = Int(peripheral.faults.charge(at: next) * 100 * 256)
                send([charge], .battery, counter: batteryCounter, at: next, into: &actions)
                batteryCounter += 1
                nextBattery += 1
            } else if let index = active.first(where: { sensors[$0].source.due <= next }) {
                measure(index, at: next, into: &actions)
            }
        }
    }

    @discardableResult
    private mutating func send(
        _ numbers: [Int], _ tag: AthenaTag, counter: Int, at moment: Seconds, into actions: inout [SimulatorAction]
    ) -> AthenaMessage.Entry {
        // The stamps of real ones are whole milliseconds.
        let milliseconds = (peripheral.faults.clock(at: moment) * 1_000).rounded(.down)
        let entry = AthenaMessage.Entry(
            tag: tag, counter: UInt8(truncatingIfNeeded: counter),
            ticks: UInt32(truncatingIfNeeded: Int(milliseconds) * 256),
            content: AthenaMessage.Entry.packed(numbers, tag))
        if let packet = packer.add(entry) {
            peripheral.notify(packet, from: AthenaConversation.data[0], into: &actions)
        }
        return entry
    }

    private mutating func measure(_ index: Int, at moment: Seconds, into actions: inout [SimulatorAction]) {
        let frames = sensors[index].source.take()
        let (tag, rate) = (sensors[index].tag, sensors[index].source.rate)
        let time = sensors[index].source.time(of: frames.lowerBound)
        let hasContact = peripheral.faults.hasContact(at: time)
        let numbers: [[Int]]
        let streams: [(name: String, channels: Range<Int>)]
        switch sensors[index].kind {
        case .eeg: (numbers, streams) = (electrodes(frames, tag, hasContact), [("eeg", 0..<tag.channelCount)])
        case .optics: (numbers, streams) = (optics(frames, tag, hasContact), [("optics", 0..<tag.channelCount)])
        case .motion: (numbers, streams) = (motion(frames, rate), [("acceleration", 0..<3), ("gyroscope", 3..<6)])
        }
        let interleaved = frames.indices.flatMap { frame in numbers.map { $0[frame - frames.lowerBound] } }
        let entry = send(interleaved, tag, counter: sensors[index].counter, at: moment, into: &actions)
        let samples = entry.samples
        for (name, channels) in streams {
            let part = samples[channels.lowerBound * frames.count..<channels.upperBound * frames.count]
            let block = SampleBlock(channelCount: channels.count, samples: Array(part))
            actions.append(
                .measured(
                    MeasuredSamples(
                        stream: name, index: sensors[index].measured, time: time, rate: rate, block: block)))
        }
        sensors[index].counter += 1
        sensors[index].measured += frames.count
    }

    /// Steps of 14 bits around the middle.
    private mutating func electrodes(_ frames: Range<Int>, _ tag: AthenaTag, _ hasContact: Bool) -> [[Int]] {
        let waves = eeg.render(frames)
        return (0..<tag.channelCount).map { channel in
            guard channel < waves.count, hasContact else { return frames.map { _ in channel < 4 ? 16_383 : 0 } }
            let steps = Double(AthenaMessage.Entry.microvolts)
            return waves[channel].map { Swift.min(Swift.max(Int(($0 / steps).rounded()) + 8_192, 0), 16_383) }
        }
    }

    /// Light that comes back, which a pulse dims: less of it in infrared than near it, none in the ambient light.
    private mutating func optics(_ frames: Range<Int>, _ tag: AthenaTag, _ hasContact: Bool) -> [[Int]] {
        let wave = pulse.render(frames)[0]
        return tag.labels.map { label in
            let (level, depth): (Double, Double)
            switch label.suffix(3) {
            case "NIR": (level, depth) = (200_000, 20)
            case "RED": (level, depth) = (120_000, 10)
            case "AMB": (level, depth) = (8_000, 0)
            default: (level, depth) = (300_000, 30)
            }
            return wave.map { value in
                let noise = 20 * light.gaussian()
                let back = hasContact ? level - depth * value + noise : level / 10 + noise
                return Swift.min(Swift.max(Int(back.rounded()), 0), 1_048_575)
            }
        }
    }

    /// Three axes of acceleration and three of rotation, which this headband counts the other way round.
    private mutating func motion(_ frames: Range<Int>, _ rate: Double) -> [[Int]] {
        motion.acceleration(frames, rate: rate).map { $0.map { Int(($0 / Muse.g).rounded()) } }
            + motion.rotation(frames, rate: rate).map { $0.map { Int((-$0 / Muse.degreesPerSecond).rounded()) } }
    }
}
