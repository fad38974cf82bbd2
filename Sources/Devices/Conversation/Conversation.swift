public import Signals

/// A device's protocol as a state machine without input or output: bytes and moments in, actions out.
///
/// Whoever drives it (a live session, a replay, a test) performs the actions. All moments are seconds on the host's
/// monotonic clock. The same bytes at the same moments give the same actions.
public protocol Conversation: Sendable {
    /// The streams it will declare that bring something all the time, as far as that is known before it is connected:
    /// where it depends on the device, of the one that brings most. Nil: the device alone knows.
    var expectedStreams: [DeviceStream]? { get }

    /// Whether devices of its kind may count the energy that their wearer expends.
    var mayCountEnergy: Bool { get }

    /// Whether it brings samples soon after it was connected, whatever streams it will declare: not what is only heard
    /// when something happens, or when it is asked to measure.
    var speaksUnasked: Bool { get }

    /// The connection stands: asks for what the device needs before it streams. Also after a reconnection, when
    /// the next frames of each stream come with `restarted` set and their indices start anew.
    mutating func open(at moment: Seconds, into actions: inout [ConversationAction])

    /// Bytes arrived: one notification or read reply of a characteristic, or a piece of a byte stream cut anywhere.
    mutating func receive(
        _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction])

    /// The moment asked for by `.wake` has come: time-outs, keep-alives, pacing.
    mutating func wake(at moment: Seconds, into actions: inout [ConversationAction])

    /// The user asks something of the device.
    mutating func perform(_ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction])

    /// The peer or the system refused a write, a read or a required subscription.
    mutating func refused(
        _ problem: LinkError, by endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction])

    /// The connection ended: hands out what was held back, forgets what was half read.
    mutating func close(at moment: Seconds, into actions: inout [ConversationAction])
}

extension Conversation {
    /// Not known.
    public var expectedStreams: [DeviceStream]? { nil }

    /// They do not.
    public var mayCountEnergy: Bool { false }

    /// It does.
    public var speaksUnasked: Bool { true }

    /// Reports the refusal.
    public mutating func refused(
        _ problem: LinkError, by endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
    ) {
        actions.emit(.failed(DeviceFailure(code: "refused", description: problem.description)))
    }
}

/// Where bytes of a connection come from or go to.
public enum Endpoint: Hashable, Sendable {
    /// The one byte stream of a TCP or serial connection.
    case stream
    /// A GATT characteristic.
    case characteristic(BluetoothUUID)

    /// The characteristic, when it is one.
    public var characteristic: BluetoothUUID? {
        if case .characteristic(let uuid) = self { uuid } else { nil }
    }
}

/// What a conversation wants done.
public enum ConversationAction: Hashable, Sendable {
    /// Something was learnt.
    case emit(DeviceEvent)
    /// Send bytes; `acknowledged` asks for a write with response where the transport knows the difference. Sends are
    /// performed in order, each after the one before was acknowledged.
    case send([UInt8], to: Endpoint, acknowledged: Bool)
    /// Subscribe to a characteristic's notifications or indications. `isRequired`: without it the device is of no use.
    case subscribe(BluetoothUUID, isRequired: Bool)
    /// Read a characteristic once; the reply comes through `receive`. Characteristics that are absent are skipped.
    case read(BluetoothUUID)
    /// Call `wake` at this moment at the latest; a later `.wake` replaces an earlier one.
    case wake(at: Seconds)
    /// End the connection.
    case close
}

/// What a user may ask of a running device.
public enum DeviceRequest: Hashable, Sendable {
    /// Stop streaming in the way the device wants it, then close.
    case stop
    /// Stop and go on again without losing the connection, where the device can.
    case pause
    /// Go on after `pause`.
    case resume
    /// Abort the running measurement, keep the connection.
    case abort
    /// Count the energy that its wearer expends from 0 again.
    case resetEnergy
}

extension DeviceFailure {
    /// The answer of devices to `resetEnergy` that know nothing of energy.
    static let countsNoEnergy = DeviceFailure(
        code: "unsupported", description: "The device counts no energy that could be set back.")
}

extension Array where Element == ConversationAction {
    /// Appends `.emit` of an event.
    public mutating func emit(_ event: DeviceEvent) {
        append(.emit(event))
    }
}
