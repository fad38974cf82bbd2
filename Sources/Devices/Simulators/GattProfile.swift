/// What a Bluetooth device offers: its advertisement and its table of attributes.
public struct GattProfile: Hashable, Sendable {
    /// The advertised name.
    public var name: String
    /// The advertised services.
    public var advertised: [BluetoothUUID]
    /// All services.
    public var services: [GattService]

    /// A device that advertises itself as `name`.
    public init(name: String, advertised: [BluetoothUUID], services: [GattService]) {
        self.name = name
        self.advertised = advertised
        self.services = services
    }
}

/// A service and its characteristics.
public struct GattService: Hashable, Sendable {
    /// The service's identifier.
    public var uuid: BluetoothUUID
    /// Its characteristics, in the order of their handles.
    public var characteristics: [GattCharacteristic]

    /// A service with these characteristics.
    public init(_ uuid: BluetoothUUID, _ characteristics: [GattCharacteristic]) {
        self.uuid = uuid
        self.characteristics = characteristics
    }
}

/// A characteristic and what can be done with it.
public struct GattCharacteristic: Hashable, Sendable {
    /// The characteristic's identifier.
    public var uuid: BluetoothUUID
    /// What can be done with it.
    public var properties: Set<Property>

    /// A characteristic with these properties.
    public init(_ uuid: BluetoothUUID, _ properties: Set<Property>) {
        self.uuid = uuid
        self.properties = properties
    }

    /// What can be done with a characteristic, named as BlueZ's flags are.
    public enum Property: String, Hashable, Sendable, CaseIterable {
        case read, write, notify, indicate
        case writeWithoutResponse = "write-without-response"
    }
}
