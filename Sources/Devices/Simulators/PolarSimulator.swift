import Kernels
public import Signals
public import Simulation

/// A simulated Polar H10: heart rate with intervals, ECG at 130 Hz in frames of 73 samples and acceleration, over the
/// Polar Measurement Data service with its control point and its refusals.
///
/// Its clock begins at 2019-01-01 as a strap's does that nobody set. Without contact the ECG is noise.
public struct PolarSimulator: DeviceSimulator {
    private var peripheral: SimulatedPeripheral
    private var heart: HeartRateSource
    private let session: SimulationParameters
    private var ecg: ECGSignal
    private var ecgNoise: RandomSource
    private var motion: RestingMotion
    private var running: [PMDType: PacketSource] = [:]
    /// Frames of a measurement are counted from when the strap was switched on, whatever the rate.
    private var measuredFrames: [PMDType: Int] = [:]

    /// Frames per notification: as many as fit into 232 bytes.
    private static let framesPerPacket: [PMDType: Int] = [.ecg: 73, .acceleration: 36]
    /// 2019-01-01 in nanoseconds since 2000-01-01.
    static let clockOrigin: Double = 599_616_000

    /// What each measurement offers.
    static let offered: [PMDType: PMDSettings] = [
        .ecg: PMDSettings([.sampleRate: [130], .resolution: [14]]),
        .acceleration: PMDSettings([
            .sampleRate: [25, 50, 100, 200], .resolution: [16], .range: [2, 4, 8],
        ]),
    ]

    /// A strap on the chest of a simulated session's participant.
    public init(_ parameters: SimulationParameters, faults: DeviceFaults = DeviceFaults()) {
        session = parameters
        peripheral = SimulatedPeripheral(
            faults, model: "H10", manufacturer: "Polar Electro Oy", values: [BodySensorLocation.characteristic: [1]])
        heart = HeartRateSource(parameters, faults, hasEnergy: false)
        var form = parameters.ecg ?? ECGParameters()
        form.leads = [form.leads.first ?? .ii]
        form.sampleRate = 130 * faults.clockRate
        let rhythm = HeartRhythm(parameters.rhythm, seed: parameters.seed)
        ecg = ECGSignal(form, rhythm: rhythm, respirationRate: parameters.rhythm.variability.respirationRate)
        ecgNoise = RandomSource(seed: parameters.seed, "polar ecg")
        motion = RestingMotion(seed: parameters.seed, label: "polar")
    }

    /// The strap's services.
    public var profile: GattProfile? {
        let measurements = GattService(
            PMD.service,
            [
                GattCharacteristic(PMD.controlPoint, [.read, .write, .indicate]),
                GattCharacteristic(PMD.data, [.notify]),
            ])
        return GattProfile(
            name: "Polar H10 SIM00001", advertised: [HeartRatePart.service],
            services: [HeartRateSimulator.service(hasEnergy: false), measurements] + SimulatedPeripheral.services)
    }

    /// When something is ready next.
    public var due: Seconds? {
        guard !peripheral.isDead else { return nil }
        let frames = running.values.map(\.due).min() ?? .infinity
        return Swift.min(peripheral.due ?? .infinity, heart.due, frames)
    }

    /// Someone connected.
    public mutating func connect(at moment: Seconds, into actions: inout [SimulatorAction]) {
        peripheral.connect(into: &actions)
    }

    /// The connection is gone; the measurements stop.
    public mutating func disconnect(at moment: Seconds) {
        peripheral.disconnect()
        running = [:]
    }

    /// Answers a read.
    public mutating func read(
        _ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        guard characteristic == PMD.controlPoint else {
            return peripheral.read(characteristic, at: moment, into: &actions)
        }
        let features = PMDFeatures(types: Set(Self.offered.keys))
        actions.append(.send(features.bytes, from: .characteristic(PMD.controlPoint)))
    }

    /// Begins to notify.
    public mutating func subscribe(
        _ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        peripheral.subscribe(characteristic)
    }

    /// Takes a command at the control point.
    public mutating func receive(
        _ bytes: [UInt8], at endpoint: Endpoint, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        guard endpoint == .characteristic(PMD.controlPoint), peripheral.isConnected else { return }
        guard peripheral.isSubscribed(PMD.controlPoint), peripheral.isSubscribed(PMD.data) else {
            // Client Characteristic Configuration Descriptor improperly configured.
            return actions.append(.refuse(endpoint, code: 0xFD))
        }
        let reply = answer(bytes, at: moment)
        peripheral.notify(reply.bytes, from: PMD.controlPoint, into: &actions)
    }

    private mutating func answer(_ bytes: [UInt8], at moment: Seconds) -> PMDReply {
        let opcode = bytes.first ?? 0
        func reply(_ status: PMDStatus, _ type: PMDType? = nil, _ parameters: [UInt8] = []) -> PMDReply {
            PMDReply(opcode: opcode, type: type, status: status, code: status.rawValue, parameters: parameters)
        }
        if opcode == 5 {
            return reply(
                .success, nil, Self.offered.keys.map { $0.rawValue | (running[$0] == nil ? 0 : 0x40) }.sorted())
        }
        guard (1...3).contains(opcode) else { return reply(.invalidOpcode) }
        guard bytes.count >= 2 else { return reply(.invalidLength) }
        guard let type = PMDType(masked: bytes[1]) else { return reply(.invalidType) }
        guard let offered = Self.offered[type] else { return reply(.notSupported, type) }
        switch opcode {
        case 1: return reply(.success, type, offered.bytes)
        case 2:
            guard running[type] == nil else { return reply(.alreadyInState, type) }
            guard let asked = try? PMDSettings(bytes.dropFirst(2)) else { return reply(.invalidLength, type) }
            if let problem = Self.problem(asked, offered) { return reply(problem, type) }
            start(type, rate: Double(asked[.sampleRate] ?? 0), at: moment)
            return reply(.success, type)
        default:
            guard running.removeValue(forKey: type) != nil else { return reply(.alreadyInState, type) }
            return reply(.success, type)
        }
    }

    private static func problem(_ asked: PMDSettings, _ offered: PMDSettings) -> PMDStatus? {
        let codes: [PMDSettings.Kind: PMDStatus] = [
            .sampleRate: .invalidSampleRate, .resolution: .invalidResolution, .range: .invalidRange,
        ]
        for (kind, list) in offered.values {
            guard let value = asked[kind], asked.values[kind]?.count == 1 else { return .invalidParameter }
            guard list.contains(value) else { return codes[kind] ?? .invalidParameter }
        }
        return asked.values.count == offered.values.count ? nil : .invalidParameter
    }

    private mutating func start(_ type: PMDType, rate: Double, at moment: Seconds) {
        var source = PacketSource(
            rate: rate * peripheral.faults.clockRate, framesPerPacket: Self.framesPerPacket[type] ?? 1)
        source.begin(at: moment)
        running[type] = source
    }

    /// Measures and notifies.
    public mutating func advance(to moment: Seconds, into actions: inout [SimulatorAction]) {
        while let next = due, next <= moment {
            if let battery = peripheral.due, battery <= next {
                if peripheral.advance(to: next, into: &actions) != nil {
                    running = [:]
                    heart.restart()
                }
            } else if heart.due <= next {
                let bytes = heart.take(into: &actions).bytes
                peripheral.notify(bytes, from: HeartRateMeasurement.characteristic, into: &actions)
            } else if let type = running.first(where: { $0.value.due <= next })?.key {
                sendFrame(of: type, into: &actions)
            }
        }
    }

    private mutating func sendFrame(of type: PMDType, into actions: inout [SimulatorAction]) {
        guard var source = running[type] else { return }
        let frames = source.take()
        running[type] = source
        let last = source.time(of: frames.upperBound - 1)
        let stamp = ((Self.clockOrigin + peripheral.faults.clock(at: last)) * 1e9).rounded()
        let values = type == .ecg ? ecgValues(frames, at: last) : accelerationValues(frames, rate: source.rate)
        var content: [UInt8] = []
        for value in values { content.append(littleEndian: value, count: type == .ecg ? 3 : 2) }
        let frame = PMDFrame(
            type: type, timestamp: UInt64(Swift.max(0, stamp)), frameType: type == .ecg ? 0 : 1, content: content)
        let index = measuredFrames[type, default: 0]
        measuredFrames[type] = index + frames.count
        if let block = try? frame.samples() {
            let time = source.time(of: frames.lowerBound)
            actions.append(
                .measured(
                    MeasuredSamples(stream: type.stream, index: index, time: time, rate: source.rate, block: block)))
        }
        peripheral.notify(frame.bytes, from: PMD.data, into: &actions)
    }

    private mutating func ecgValues(_ frames: Range<Int>, at moment: Seconds) -> [Int] {
        let millivolts = ecg.render(frames)[0]
        let hasContact = peripheral.faults.hasContact(at: moment)
        return millivolts.map { value in
            let noise = ecgNoise.gaussian()
            let microvolts = hasContact ? value * 1_000 + 4 * noise : 300 * noise
            return Swift.min(Swift.max(Int(microvolts.rounded()), -20_000), 20_000)
        }
    }

    /// Milli-g, axes interleaved.
    private mutating func accelerationValues(_ frames: Range<Int>, rate: Double) -> [Int] {
        let axes = motion.acceleration(frames, rate: rate)
        return (0..<frames.count).flatMap { frame in (0..<3).map { Int((axes[$0][frame] * 1_000).rounded()) } }
    }
}
