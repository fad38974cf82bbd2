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

    /// Reserves a device for the connector that names it: `first` skips reserved devices.
    func reserve(_ target: GattTarget)

    /// Returns true for a device that no connector of this central has or names.
    func isFree(_ advertisement: Advertisement) -> Bool

    /// Returns when the service of this machine has restarted; see `Connector`.
    func untilServiceReturns() async
}

extension GattCentral {
    /// Does nothing.
    public func reserve(_ target: GattTarget) {}

    /// Waits for the cancellation: the central has no service.
    public func untilServiceReturns() async { await untilCancelled() }

    /// Returns true.
    public func isFree(_ advertisement: Advertisement) -> Bool { true }
}

/// The device that a connector connects to.
public enum GattTarget: Hashable, Sendable {
    /// The device with an address, such as `A0:9E:1A:00:11:22`.
    case address(String)
    /// The device that advertises a name, in capitals or not.
    case name(String)
    /// The first device that is heard and recognised as one of a kind.
    case first(BluetoothRecognition)

    /// Returns true for a device that fits.
    public func matches(_ advertisement: Advertisement) -> Bool {
        switch self {
        case .address(let address): advertisement.address.uppercased() == address.uppercased()
        case .name(let name): advertisement.name.lowercased() == name.lowercased()
        case .first(let recognition):
            recognition.match(name: advertisement.name, services: Set(advertisement.services)) > 0
        }
    }
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
    /// True for a device that is connected to this machine and therefore does not advertise.
    public var isConnected: Bool

    /// What the device at `address` says of itself.
    public init(
        address: String, name: String = "", rssi: Int? = nil, services: [BluetoothUUID] = [], isConnected: Bool = false
    ) {
        self.address = address
        self.name = name
        self.rssi = rssi
        self.services = services
        self.isConnected = isConnected
    }
}
