import Devices
import Signals

/// A small peripheral for transport tests: answers a read, repeats what is written to it as notifications, refuses
/// `02`, hangs up on `FF`.
struct EchoDevice: DeviceSimulator {
    static let heartRate = BluetoothUUID(0x180D)
    static let measurement = BluetoothUUID(0x2A37)
    static let control = BluetoothUUID(0x2A39)
    static let location = BluetoothUUID(0x2A38)
    private var isSubscribed = false

    var due: Seconds? { nil }

    var profile: GattProfile? {
        GattProfile(
            name: "Echo", advertised: [Self.heartRate],
            services: [
                GattService(
                    Self.heartRate,
                    [
                        GattCharacteristic(Self.measurement, [.notify]), GattCharacteristic(Self.location, [.read]),
                        GattCharacteristic(Self.control, [.write, .writeWithoutResponse]),
                    ])
            ])
    }

    mutating func connect(at moment: Seconds, into actions: inout [SimulatorAction]) {}
    mutating func disconnect(at moment: Seconds) { isSubscribed = false }
    mutating func advance(to moment: Seconds, into actions: inout [SimulatorAction]) {}

    mutating func receive(
        _ bytes: [UInt8], at endpoint: Endpoint, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        switch bytes {
        case [0x02]: actions.append(.refuse(endpoint, code: 0x80))
        case [0xFF]: actions.append(.close)
        default: if isSubscribed { actions.append(.send(bytes, from: .characteristic(Self.measurement))) }
        }
    }

    mutating func read(_ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction]) {
        actions.append(.send([0x01], from: .characteristic(characteristic)))
    }

    mutating func subscribe(
        _ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {
        isSubscribed = true
    }
}
