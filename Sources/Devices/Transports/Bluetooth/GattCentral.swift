/// The side of Bluetooth Low Energy that scans and connects: BlueZ, simulated peripherals in this process, or a
/// recording of an earlier connection.
public protocol GattCentral: Sendable {
    /// Scans for as long as the stream is read. Each device is handed out when it is first seen and when what it says
    /// of itself changes; devices known to the system are handed out at once.
    /// - Parameter services: only devices that advertise one of these; empty: all.
    /// - Throws: (the stream) `LinkError.unavailable` without an adapter, with the remedy.
    func scan(for services: [BluetoothUUID]) -> AsyncThrowingStream<Advertisement, any Error>

    /// Connects to the device with this address and finds its characteristics.
    /// - Throws: `LinkError`, `CancellationError`.
    func connect(to address: String) async throws -> any Link
}

/// What a device says of itself while nobody is connected.
public struct Advertisement: Hashable, Sendable {
    /// The device's address, such as `A0:9E:1A:00:11:22`.
    public var address: String
    /// Its name, empty when it does not say.
    public var name: String
    /// Strength of the signal in dBm, when it was heard now.
    public var rssi: Int?
    /// The services it advertises.
    public var services: [BluetoothUUID]

    /// What the device at `address` says of itself.
    public init(address: String, name: String = "", rssi: Int? = nil, services: [BluetoothUUID] = []) {
        self.address = address
        self.name = name
        self.rssi = rssi
        self.services = services
    }
}

/// Connects to one device through a central.
public struct GattConnector: Connector {
    /// The central it goes through.
    public let central: any GattCentral
    /// The device's address.
    public let address: String

    /// A connector to the device at `address`.
    public init(central: any GattCentral, address: String) {
        self.central = central
        self.address = address
    }

    /// The device's address.
    public var place: String { address }

    /// Connects.
    /// - Throws: `LinkError`, `CancellationError`.
    public func connect() async throws -> any Link {
        try await central.connect(to: address)
    }
}
