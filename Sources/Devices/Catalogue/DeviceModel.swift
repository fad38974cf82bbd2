public import Simulation

/// A kind of device Marey can talk to, declared once: the scan, the command line, the session and the simulator read
/// this.
public struct DeviceModel: Sendable, Identifiable {
    /// Stable name, as typed on the command line, such as `heart-rate`.
    public var id: String
    /// What it is called in lists.
    public var title: String
    /// How it is reached, and how one is recognised.
    public var transport: DeviceTransport
    /// What can be chosen of it and of the way to it; empty for devices without choices.
    public var options: [DeviceOption]
    /// Makes the conversation with one device; throws `DeviceFailure` naming the option that is wrong.
    public var conversation: @Sendable (DeviceOptions) throws -> any Conversation
    /// Makes a simulated device of this kind that measures the given session; nil where there is none.
    public var simulator: (@Sendable (SimulationParameters, DeviceFaults) -> any DeviceSimulator)?

    /// What can go wrong in a simulated device of this kind.
    public var faults: Set<DeviceFault>

    /// A simulated device of this kind among those that are to have the same faults.
    public var bearer: FaultBearer { FaultBearer(name: id, faults: faults, hasLink: transport != .lsl) }

    /// The secrets that it is connected with.
    public var secrets: [DeviceSecret]

    /// The options a simulated device of this kind must be given, such as `key=marey`.
    public var simulatedOptions: [String]
    /// The environment variables a session with the simulated device needs.
    public var simulatedEnvironment: [String: String]

    /// A kind of device.
    public init(
        id: String, title: String, transport: DeviceTransport, options: [DeviceOption] = [],
        secrets: [DeviceSecret] = [],
        simulatedOptions: [String] = [], simulatedEnvironment: [String: String] = [:], faults: Set<DeviceFault> = [],
        conversation: @escaping @Sendable (DeviceOptions) throws -> any Conversation,
        simulator: (@Sendable (SimulationParameters, DeviceFaults) -> any DeviceSimulator)? = nil
    ) {
        self.id = id
        self.title = title
        self.transport = transport
        self.secrets = secrets
        self.options = secrets.flatMap(\.options) + options + transport.options
        self.simulatedOptions = simulatedOptions
        self.simulatedEnvironment = simulatedEnvironment
        // How the device is reached is no matter of what is said to it.
        self.conversation = { chosen in try conversation(chosen.without(transport.options)) }
        self.simulator = simulator
        self.faults = faults
    }
}

/// How a kind of device is reached.
public enum DeviceTransport: Hashable, Sendable {
    /// Bluetooth Low Energy, recognised in a scan by what it advertises.
    case bluetooth(BluetoothRecognition)
    /// A TCP connection, to this host and port unless told otherwise.
    case tcp(host: String, port: Int)
    /// A serial port at this many baud.
    case serial(baud: Int)
    /// The Lab Streaming Layer, where streams are found by name, type or source.
    case lsl
    /// A running service, to which the device sends by itself; found by the name of its key.
    case relay
    /// A file with the raw bytes of an earlier session.
    case replay
}

/// What tells a kind of Bluetooth device from others in a scan.
public struct BluetoothRecognition: Hashable, Sendable {
    /// Services of which it advertises one; empty: any.
    public var services: Set<BluetoothUUID>
    /// Beginnings of its name, one of which must match; empty: any.
    public var namePrefixes: [String]

    /// Devices that advertise one of `services` or whose name begins with one of `namePrefixes`.
    public init(services: Set<BluetoothUUID> = [], namePrefixes: [String] = []) {
        self.services = services
        self.namePrefixes = namePrefixes
    }

    /// How surely an advertisement comes from such a device: 0 not at all, 1 by its service, 2 by its name, 3 by both.
    /// A device of several kinds (a Polar strap also has the Heart Rate service) belongs to the one with the highest
    /// figure.
    public func match(name: String, services advertised: Set<BluetoothUUID>) -> Int {
        let byName = namePrefixes.contains { name.hasPrefix($0) }
        let byService = !services.isDisjoint(with: advertised)
        return (byName ? 2 : 0) + (byService ? 1 : 0)
    }
}
