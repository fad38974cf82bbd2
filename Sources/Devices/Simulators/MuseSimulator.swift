import Kernels
public import Signals
public import Simulation

/// A simulated Muse 2: four electrodes at 256 Hz, three optical channels at 64 Hz, acceleration and angular velocity at
/// 52 Hz, telemetry every ten seconds, and the control characteristic with its JSON.
///
/// Its EEG has known blinks and eyes-closed stretches, its optical channels the session's pulse. An electrode without
/// contact stands at its rail.
public struct MuseSimulator: DeviceSimulator {
    private var peripheral: SimulatedPeripheral
    private var eeg: EEGSignal
    private var pulse: BVPSignal
    private var pulseNoise: RandomSource
    private var motion: RestingMotion
    private var groups: [Group]
    private var nextTelemetry: Seconds = 10
    private var telemetryCounter = 0
    private var control = SimulatedMuseControl(
        identity: "\"ap\":\"headset\",\"sp\":\"Blackcomb_revB\",\"tp\":\"consumer\",\"hw\":\"10.5\",\"bn\":69,"
            + "\"fw\":\"1.2.13\",\"bl\":\"1.2.3\",\"pv\":1",
        presets: ["p20", "p21", "p50", "p51"], preset: "p21", start: "d", startsNeeded: 1)

    /// Channels that share a counter.
    private struct Group: Sendable {
        var name: String
        var characteristics: [BluetoothUUID]
        var source: PacketSource
        var counter: Int
        /// Frames measured since the headband was switched on.
        var measured = 0
    }

    /// A headband on a simulated session's participant. `firstCounter` is where all packet counters begin.
    public init(
        _ parameters: SimulationParameters, eeg form: EEGParameters = EEGParameters(),
        faults: DeviceFaults = DeviceFaults(), firstCounter: UInt16 = 0
    ) {
        peripheral = SimulatedPeripheral(faults, model: "Muse 2", manufacturer: "InteraXon")
        let rate = faults.clockRate
        var form = form
        form.sampleRate = 256 * rate
        form.labels = ["TP9", "AF7", "AF8", "TP10"]
        eeg = EEGSignal(form, seed: parameters.seed)
        var wave = parameters.bvp ?? BVPParameters()
        wave.sampleRate = 64 * rate
        pulse = BVPSignal(
            wave, rhythm: HeartRhythm(parameters.rhythm, seed: parameters.seed),
            respirationRate: parameters.rhythm.variability.respirationRate)
        pulseNoise = RandomSource(seed: parameters.seed, "muse ppg")
        motion = RestingMotion(seed: parameters.seed, label: "muse")
        let electrodes = Muse.electrodes.prefix(4).map(\.characteristic)
        groups = [
            ("eeg", electrodes, 256.0, 12), ("ppg", Muse.optics.map(\.characteristic), 64, 6),
            ("acceleration", [Muse.acceleration], 52, 3), ("gyroscope", [Muse.gyroscope], 52, 3),
        ].map { name, characteristics, nominal, frames in
            Group(
                name: name, characteristics: characteristics,
                source: PacketSource(rate: nominal * rate, framesPerPacket: frames), counter: Int(firstCounter))
        }
    }

    /// Changes the EEG from the next packet on.
    public mutating func participant(isLoaded load: Double) { eeg.load = Swift.min(Swift.max(load, 0), 1) }

    /// The headband's service.
    public var profile: GattProfile? {
        let notifying = groups.flatMap(\.characteristics) + [Muse.telemetry]
        let service = GattService(
            Muse.service,
            [GattCharacteristic(Muse.control, [.writeWithoutResponse, .notify])]
                + notifying.sorted { $0.high < $1.high }.map { GattCharacteristic($0, [.notify]) })
        return GattProfile(name: "Muse-SIM1", advertised: [Muse.service], services: [service])
    }

    /// When something is ready next.
    public var due: Seconds? {
        guard !peripheral.isDead else { return nil }
        let packets = control.isRunning ? active.map { groups[$0].source.due }.min() ?? .infinity : .infinity
        return Swift.min(peripheral.due ?? .infinity, control.isRunning ? nextTelemetry : .infinity, packets)
    }

    /// The groups the preset has.
    private var active: [Int] {
        groups.indices.filter {
            groups[$0].name != "ppg" || control.preset.hasPrefix("p5") || control.preset.hasPrefix("p6")
        }
    }

    /// Someone connected.
    public mutating func connect(at moment: Seconds, into actions: inout [SimulatorAction]) {
        peripheral.connect(into: &actions)
    }

    /// The connection is gone; streaming ends.
    public mutating func disconnect(at moment: Seconds) {
        peripheral.disconnect()
        control.halt()
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
            peripheral.disconnect()
        case nil: break
        }
    }

    private mutating func start(at moment: Seconds) {
        for index in groups.indices { groups[index].source.begin(at: moment) }
        nextTelemetry = Swift.max(nextTelemetry, (moment / 10).rounded(.up) * 10)
    }

    /// Measures and notifies.
    public mutating func advance(to moment: Seconds, into actions: inout [SimulatorAction]) {
        while let next = due, next <= moment {
            if let battery = peripheral.due, battery <= next {
                if peripheral.advance(to: next, into: &actions) != nil {
                    control.halt()
                    for index in groups.indices { groups[index].counter = 0 }
                }
            } else if control.isRunning, nextTelemetry <= next {
                sendTelemetry(at: next, into: &actions)
            } else if let index = active.first(where: { groups[$0].source.due <= next }) {
                sendRound(of: index, into: &actions)
            }
        }
    }

    private mutating func sendTelemetry(at moment: Seconds, into actions: inout [SimulatorAction]) {
        var content: [UInt8] = []
        content.append(bigEndian: Int(peripheral.faults.charge(at: moment) * 100 * 512), count: 2)
        for value in [1_850, 3_967, 27] { content.append(bigEndian: value, count: 2) }
        content += [UInt8](repeating: 0, count: 10)
        let packet = MusePacket(counter: UInt16(truncatingIfNeeded: telemetryCounter), content: content)
        telemetryCounter += 1
        nextTelemetry += 10
        peripheral.notify(packet.bytes, from: Muse.telemetry, into: &actions)
    }

    private mutating func sendRound(of index: Int, into actions: inout [SimulatorAction]) {
        let frames = groups[index].source.take()
        let counter = UInt16(truncatingIfNeeded: groups[index].counter)
        groups[index].counter += 1
        let time = groups[index].source.time(of: frames.lowerBound)
        let hasContact = peripheral.faults.hasContact(at: time)
        let packets: [MusePacket]
        var samples: [Float]
        switch groups[index].name {
        case "eeg":
            let raw = eegSteps(frames, hasContact: hasContact)
            packets = raw.map { MusePacket.eeg(counter: counter, $0) }
            samples = packets.flatMap(\.microvolts)
        case "ppg":
            let raw = opticalCounts(frames, hasContact: hasContact)
            packets = raw.map { MusePacket.ppg(counter: counter, $0) }
            samples = raw.flatMap { $0.map(Float.init) }
        default:
            let isRotation = groups[index].name == "gyroscope"
            let scale = isRotation ? Muse.degreesPerSecond : Muse.g
            let rate = groups[index].source.rate
            let axes = isRotation ? motion.rotation(frames, rate: rate) : motion.acceleration(frames, rate: rate)
            let raw = axes.map { $0.map { Int(($0 / scale).rounded()) } }
            packets = [
                MusePacket.motion(counter: counter, (0..<9).map { raw[$0 % 3][$0 / 3] })
            ]
            samples = raw.flatMap { $0.map { Float(Double($0) * scale) } }
        }
        let channels = samples.count / frames.count
        let block = SampleBlock(channelCount: channels, samples: samples)
        actions.append(
            .measured(
                MeasuredSamples(
                    stream: groups[index].name, index: groups[index].measured, time: time,
                    rate: groups[index].source.rate, block: block)))
        groups[index].measured += frames.count
        // The order in which headbands were seen to send the electrodes.
        let order = packets.count == 4 ? [3, 2, 0, 1] : Array(packets.indices)
        for channel in order {
            peripheral.notify(packets[channel].bytes, from: groups[index].characteristics[channel], into: &actions)
        }
    }

    private mutating func eegSteps(_ frames: Range<Int>, hasContact: Bool) -> [[Int]] {
        eeg.render(frames).map { channel in
            channel.map { value in
                guard hasContact else { return 4_095 }
                return Swift.min(Swift.max(Int((value / 0.48828125).rounded()) + 2_048, 0), 4_095)
            }
        }
    }

    /// Ambient, infrared and red light; a pulse dims the light that comes back.
    private mutating func opticalCounts(_ frames: Range<Int>, hasContact: Bool) -> [[Int]] {
        let wave = pulse.render(frames)[0]
        return [(30_000.0, 0.0), (320_000, 30), (210_000, 15)].map { level, depth in
            wave.map { value in
                let noise = 20 * pulseNoise.gaussian()
                return Int((hasContact ? level - depth * value + noise : level / 10 + noise).rounded())
            }
        }
    }
}
