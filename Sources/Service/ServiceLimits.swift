public import Signals

/// What the service takes from its clients before it says no.
public struct ServiceLimits: Hashable, Sendable {
    /// The longest body, bytes.
    public var body = 1 << 20
    /// Requests per second of one caller.
    public var rate = 50.0
    /// Requests of one caller at once.
    public var burst = 200.0
    /// Connections at once; more wait until one is free.
    public var connections = 512
    /// Clients that follow live data at once.
    public var clients = 256
    /// Bytes that wait for one client before it is let go.
    public var queue = 1 << 20
    /// Seconds a connection may be silent, or refuse to take what is sent to it.
    public var patience: Seconds = 90

    /// What suits a laboratory.
    public init() {}
}
