public import Signals
public import Simulation

/// A simulated chest strap with the Heart Rate, Battery and Device Information services. Its intervals are those of
/// the session's rhythm, to 1/1024 s of its own clock.
public struct HeartRateSimulator: DeviceSimulator {
    private var peripheral: SimulatedPeripheral
    private var heart: HeartRateSource

    /// A strap on the chest of a simulated session's participant.
    public init(_ parameters: SimulationParameters, faults: DeviceFaults = DeviceFaults()) {
        heart = HeartRateSource(parameters, faults, hasEnergy: true)
        peripheral = SimulatedPeripheral(
            faults, model: "Strap", manufacturer: "Marey", values: [BodySensorLocation.characteristic: [1]])
    }

    /// The strap's services.
    public var profile: GattProfile? {
        GattProfile(
            name: "Marey Strap", advertised: [HeartRatePart.service],
            services: [Self.service(hasEnergy: true)] + SimulatedPeripheral.services)
    }

    /// The control point is there when energy is counted, and only then (Heart Rate Service 1.0, 3.3).
    static func service(hasEnergy: Bool) -> GattService {
        let always = [
            GattCharacteristic(HeartRateMeasurement.characteristic, [.notify]),
            GattCharacteristic(BodySensorLocation.characteristic, [.read]),
        ]
        let controlPoint = GattCharacteristic(HeartRateControlPoint.characteristic, [.write])
        return GattService(HeartRatePart.service, hasEnergy ? always + [controlPoint] : always)
    }

    /// When the next value is ready.
    public var due: Seconds? { peripheral.isDead ? nil : Swift.min(peripheral.due ?? .infinity, heart.due) }

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

    /// Takes a write to the control point.
    public mutating func receive(
        _ bytes: [UInt8], at endpoint: Endpoint, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        guard endpoint == .characteristic(HeartRateControlPoint.characteristic) else { return }
        if bytes == HeartRateControlPoint.resetEnergy {
            heart.resetEnergy(at: moment)
        } else {
            actions.append(.refuse(endpoint, code: HeartRateControlPoint.notSupported))
        }
    }

    /// Measures and notifies.
    public mutating func advance(to moment: Seconds, into actions: inout [SimulatorAction]) {
        while let next = due, next <= moment {
            if let battery = peripheral.due, battery <= next {
                if peripheral.advance(to: next, into: &actions) != nil { heart.restart() }
            } else {
                let bytes = heart.take(into: &actions).bytes
                peripheral.notify(bytes, from: HeartRateMeasurement.characteristic, into: &actions)
            }
        }
    }
}
