/// A service of a GATT server (Bluetooth Core Specification, Vol 3, Part G).
public struct GattService: Hashable, Sendable {
    /// What it is.
    public var uuid: BluetoothUUID
    /// What it holds.
    public var characteristics: [GattCharacteristic]

    /// A service with these characteristics.
    public init(_ uuid: BluetoothUUID, _ characteristics: [GattCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}

/// A characteristic of a service.
public struct GattCharacteristic: Hashable, Sendable {
    /// What can be done with it, by BlueZ' names.
    public enum Property: String, Hashable, Sendable, CaseIterable {
        case read
        case write
        case writeWithoutResponse = "write-without-response"
        case notify
        case indicate
    }

    /// What it is.
    public var uuid: BluetoothUUID
    /// What can be done with it.
    public var properties: Set<Property>

    /// A characteristic that allows `properties`.
    public init(_ uuid: BluetoothUUID, _ properties: Set<Property>) {
        self.uuid = uuid
        self.properties = properties
    }
}

/// A simulated Bluetooth device: what it advertises, its GATT table, and the device behind it.
public struct SimulatedPeripheral: Sendable {
    /// What it advertises.
    public var advertisement: Advertisement
    /// Its services.
    public var services: [GattService]
    /// What answers.
    public var device: any DeviceSimulator

    /// A peripheral that advertises and answers so.
    public init(advertisement: Advertisement, services: [GattService], device: any DeviceSimulator) {
        self.advertisement = advertisement
        self.services = services
        self.device = device
    }
}
