public import Signals
public import Simulation

/// A simulated ECG board of the Kardia relay: about 17 amplitudes a second as text, each beat of the session's rhythm a
/// `7.000` followed by the sketch's wave.
public struct KardiaSimulator: DeviceSimulator {
    private var peripheral: SimulatedPeripheral
    private var rhythm: HeartRhythm
    private var upcoming: SimulatedBeat
    private var samples: PacketSource
    /// Place in the wave after a beat; nil between waves.
    private var phase: Int?

    /// Amplitudes after a beat's highest, as the published sketch has them.
    private static let wave = [7.000, 3.000, 4.300, 4.560, 4.500, 4.350]
    private static let rest = 4.300

    /// A board on a simulated session's participant.
    public init(_ parameters: SimulationParameters, faults: DeviceFaults = DeviceFaults()) {
        peripheral = SimulatedPeripheral(faults, model: "Blend Micro", manufacturer: "RedBear")
        rhythm = HeartRhythm(parameters.rhythm, seed: parameters.seed)
        upcoming = rhythm.next()!
        // The sketch waits 50 ms; what with the radio it comes to 60.
        samples = PacketSource(rate: faults.clockRate / 0.06, framesPerPacket: 1)
    }

    /// The board's service.
    public var profile: GattProfile? {
        let service = GattService(
            KardiaConversation.service, [GattCharacteristic(KardiaConversation.data, [.notify])])
        return GattProfile(
            name: "BlendMicro", advertised: [KardiaConversation.service],
            services: [service] + SimulatedPeripheral.services)
    }

    /// When the next amplitude is ready.
    public var due: Seconds? { peripheral.isDead ? nil : Swift.min(peripheral.due ?? .infinity, samples.due) }

    /// Someone connected.
    public mutating func connect(at moment: Seconds, into actions: inout [SimulatorAction]) {
        peripheral.connect(into: &actions)
    }

    /// The connection is gone.
    public mutating func disconnect(at moment: Seconds) { peripheral.disconnect() }

    /// Answers a read.
    public mutating func read(
        _ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        peripheral.read(characteristic, at: moment, into: &actions)
    }

    /// Begins to notify.
    public mutating func subscribe(
        _ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        peripheral.subscribe(characteristic)
    }

    /// Does nothing: the board takes no orders.
    public mutating func receive(
        _ bytes: [UInt8], at endpoint: Endpoint, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {}

    /// Measures and notifies.
    public mutating func advance(to moment: Seconds, into actions: inout [SimulatorAction]) {
        while let next = due, next <= moment {
            if let battery = peripheral.due, battery <= next {
                _ = peripheral.advance(to: next, into: &actions)
                continue
            }
            let index = samples.take().lowerBound
            let amplitude = amplitude(at: next)
            let block = SampleBlock([Float(amplitude)])
            actions.append(.measured(MeasuredSamples(stream: "ecg", index: index, time: next, block: block)))
            peripheral.notify(Self.text(amplitude), from: KardiaConversation.data, into: &actions)
        }
    }

    private mutating func amplitude(at moment: Seconds) -> Double {
        while upcoming.onset <= moment {
            upcoming = rhythm.next()!
            phase = 0
        }
        guard peripheral.faults.hasContact(at: moment) else { return 4.05 }
        guard let place = phase else { return Self.rest }
        phase = place + 1 < Self.wave.count ? place + 1 : nil
        return Self.wave[place]
    }

    /// An amplitude as the board writes it: `d.ddd`.
    static func text(_ amplitude: Double) -> [UInt8] {
        let thousandths = Int((Swift.min(Swift.max(amplitude, 0), 9.999) * 1_000).rounded())
        let digits = [1_000, 100, 10, 1].map { UInt8(ascii: "0") + UInt8(thousandths / $0 % 10) }
        return [digits[0], UInt8(ascii: ".")] + digits[1...]
    }
}
