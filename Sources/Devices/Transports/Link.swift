public import Signals

/// An open connection: moves bytes, knows nothing of their meaning.
///
/// Received messages wait in a queue of bounded length; a reader that falls behind makes the transport stop reading
/// where it can (TCP, serial), or drop the oldest with a count where it can't (notifications).
public protocol Link: Sendable {
    /// The next thing that happened; nil after `closed` was handed out. Cancelling the waiting task ends the wait.
    func next() async -> LinkEvent?

    /// Whether something waits that `next` would hand out at once: until it is taken, nobody can say what did not come.
    var hasWaiting: Bool { get }

    /// Whether it is a recorded one, which does not answer what was not said then.
    var isReplayed: Bool { get }

    /// The identity that the transport knows: the advertised name, and the address in the details. Nil when it knows neither.
    var peer: DeviceIdentity? { get }

    /// When the next message of a replayed connection comes, on the host's monotonic clock; nil: it is none, that is not
    /// known yet, or what comes is its end.
    var resumption: Seconds? { get }

    /// Sends bytes; returns when they are handed over or, with `acknowledged`, when the peer confirmed them.
    /// - Throws: `LinkError` when the connection is gone or the peer refuses.
    func send(_ bytes: [UInt8], to endpoint: Endpoint, acknowledged: Bool) async throws

    /// Subscribes to a characteristic's notifications; transports without characteristics do nothing.
    /// - Throws: `LinkError.missing` when the device has no such characteristic.
    func subscribe(_ characteristic: BluetoothUUID) async throws

    /// Reads a characteristic; the value arrives through `next`.
    /// - Throws: `LinkError.missing` when the device has no such characteristic.
    func read(_ characteristic: BluetoothUUID) async throws

    /// Ends the connection; `next` then hands out what is queued, `closed`, and nil.
    func close() async
}

extension Link {
    /// It is not.
    public var isReplayed: Bool { false }

    /// Returns nil.
    public var peer: DeviceIdentity? { nil }

    /// Nobody knows.
    public var resumption: Seconds? { nil }
}

/// What happened on a link.
public enum LinkEvent: Hashable, Sendable {
    /// Bytes, and when they arrived on the host's monotonic clock, taken as near to the system call as can be.
    case received([UInt8], from: Endpoint, at: Seconds)
    /// So many messages were dropped because nobody took them in time.
    case overrun(count: Int, at: Seconds)
    /// The notifications of a characteristic ended while the device stayed connected, and are subscribed again: values in
    /// between are missing.
    case resubscribed(BluetoothUUID, at: Seconds)
    /// The connection ended; nil when this side or the peer closed it in order.
    case closed(LinkError?, at: Seconds)
}

extension LinkEvent {
    /// When it happened.
    var moment: Seconds {
        switch self {
        case .received(_, _, let moment), .overrun(_, let moment), .resubscribed(_, let moment), .closed(_, let moment):
            moment
        }
    }
}

/// Why a connection failed, for the user: what was tried and what to do.
public enum LinkError: Error, Hashable, Sendable {
    /// Nobody answers there.
    case unreachable(String)
    /// The connection broke; with its cause.
    case lost(String, by: LinkLoss = .connection)
    /// The device lacks this characteristic.
    case missing(BluetoothUUID)
    /// The peer or the system refused, in its words.
    case refused(String)
    /// Something this machine lacks: a Bluetooth adapter, a daemon, a library, a permission; with the remedy.
    case unavailable(String)
}

/// The cause of a lost connection.
public enum LinkLoss: String, Hashable, Sendable, Codable, CaseIterable {
    /// The peer is out of reach, is switched off, or closed the connection.
    case connection
    /// The notifications of a characteristic ended and could not be subscribed again.
    case notifications
    /// The service of this machine that holds the connection ended, such as `bluetoothd`.
    case service
    /// The peer was connected and sent nothing in time, so that this side closed the connection.
    case silence
}

/// The cause of a connection that failed or ended.
public enum ConnectionCause: String, Hashable, Sendable, Codable, CaseIterable {
    /// The causes of lost connections, as `LinkLoss` has them.
    case connection, notifications, service, silence
    /// The address does not answer.
    case unreachable
    /// The device lacks a characteristic.
    case missing
    /// The peer or the system refused.
    case refused
    /// This machine lacks something: an adapter, a daemon, a library, a permission.
    case unavailable
}

extension LinkError {
    /// The cause.
    public var cause: ConnectionCause {
        switch self {
        case .lost(_, .connection): .connection
        case .lost(_, .notifications): .notifications
        case .lost(_, .service): .service
        case .lost(_, .silence): .silence
        case .unreachable: .unreachable
        case .missing: .missing
        case .refused: .refused
        case .unavailable: .unavailable
        }
    }
}

extension LinkError: CustomStringConvertible {
    /// One sentence for the user.
    public var description: String {
        switch self {
        case .unreachable(let text), .lost(let text, _), .refused(let text), .unavailable(let text): text
        case .missing(let uuid): "The device has no characteristic \(uuid): is it the model you chose?"
        }
    }
}

/// Opens links of one device; called again for each reconnection.
public protocol Connector: Sendable {
    /// Where it connects to, for messages: an address, a path, a name.
    var place: String { get }

    /// Connects.
    /// - Throws: `LinkError`, `CancellationError`.
    func connect() async throws -> any Link

    /// Returns when the service that the device is reached through, such as bluetoothd, has restarted: a retry may succeed
    /// then. Without such a service it returns when the task is cancelled.
    func untilServiceReturns() async
}

extension Connector {
    /// Waits for the cancellation: there is no service.
    public func untilServiceReturns() async { await untilCancelled() }
}

/// Returns when the task is cancelled.
func untilCancelled() async {
    while !Task.isCancelled { try? await Task.sleep(for: .seconds(86_400)) }
}
