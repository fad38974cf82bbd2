public import Signals

/// The other side of a conversation: a device that speaks its real protocol, without input or output of its own.
///
/// A host (a pty, a TCP server, objects on a D-Bus, a test) moves its bytes. All moments are seconds of true time
/// from the simulator's start; its own clock may drift and jump as its faults say.
public protocol DeviceSimulator: Sendable {
    /// Someone connected.
    mutating func connect(at moment: Seconds, into actions: inout [SimulatorAction])

    /// Bytes from the host of the study.
    mutating func receive(
        _ bytes: [UInt8], at endpoint: Endpoint, at moment: Seconds, into actions: inout [SimulatorAction])

    /// When it next has something to do by itself; nil: only when spoken to.
    var due: Seconds? { get }

    /// Does everything due up to `moment`.
    mutating func advance(to moment: Seconds, into actions: inout [SimulatorAction])

    /// Whether several clients at a time get what it measures, each what it asked for.
    var servesSeveral: Bool { get }

    /// The participant's mind is loaded so much from now on, 0 at rest … 1; most devices do not measure it.
    mutating func participant(isLoaded load: Double)

    /// The connection is gone; what it would send until the next one is lost.
    mutating func disconnect(at moment: Seconds)

    /// What it offers over Bluetooth; nil for devices on byte streams.
    var profile: GattProfile? { get }

    /// The host reads a characteristic; the reply is a `.send` from it, a `.refuse`, or nothing when it is absent.
    mutating func read(_ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction])

    /// The host asks for a characteristic's notifications; nothing is sent from one that was not asked for.
    mutating func subscribe(_ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction])
}

/// Devices on byte streams have no characteristics, few measure the mind, and few serve more than one client.
extension DeviceSimulator {
    /// One alone.
    public var servesSeveral: Bool { false }
    /// Does nothing.
    public mutating func participant(isLoaded load: Double) {}
    /// None.
    public var profile: GattProfile? { nil }
    /// Does nothing.
    public mutating func read(
        _ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {}
    /// Does nothing.
    public mutating func subscribe(
        _ characteristic: BluetoothUUID, at moment: Seconds, into actions: inout [SimulatorAction]
    ) {}
}

/// What a simulated device does.
public enum SimulatorAction: Hashable, Sendable {
    /// Sends bytes: a notification or read reply of a characteristic, or bytes of the stream.
    case send([UInt8], from: Endpoint)
    /// Refuses the write or read just asked for, with the error code of the Attribute Protocol (Bluetooth Core
    /// Specification, Vol 3, Part F, 3.4.1.1).
    case refuse(Endpoint, code: UInt8)
    /// Breaks the connection.
    case close
    /// Truth, for those who check: these frames were measured, whether or not their bytes arrive.
    case measured(MeasuredSamples)
}

/// Frames a simulated device measured.
public struct MeasuredSamples: Hashable, Sendable {
    /// The stream's id, as in `DeviceStream`.
    public var stream: String
    /// Index of the first frame since the device was switched on.
    public var index: Int
    /// True time of the first frame, seconds from the simulator's start.
    public var time: Seconds
    /// Frames per second of true time; 0 where each is measured by itself.
    public var rate: Double
    /// The samples as they can be represented on the wire, channel by channel.
    public var block: SampleBlock

    /// Frames of `stream` from `index` on, the first at `time`.
    public init(stream: String, index: Int, time: Seconds, rate: Double = 0, block: SampleBlock) {
        (self.stream, self.index, self.time, self.rate, self.block) = (stream, index, time, rate, block)
    }

    /// True time of one of the frames.
    public func time(of frame: Int) -> Seconds { rate > 0 ? time + Double(frame) / rate : time }
}
