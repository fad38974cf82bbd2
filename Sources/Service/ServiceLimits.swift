public import Signals

/// What the service takes from its clients before it says no.
public struct ServiceLimits: Hashable, Sendable {
    /// The longest head of a request (its line and its headers), bytes.
    public var head = 16 << 10
    /// The longest body, bytes.
    public var body = 1 << 20
    /// A body of up to so many bytes is read whoever sends it; a longer one where its request takes one, with a valid key.
    public var smallBody = 16 << 10
    /// Bytes of longer bodies that wait at once, over all connections.
    public var bodies = 32 << 20
    /// The longest frame of a WebSocket, bytes.
    public var frame = 1 << 17
    /// Requests per second of one caller.
    public var rate = 50.0
    /// Requests of one caller at once.
    public var burst = 200.0
    /// Messages per second of one key over WebSockets of the relay, all of them together.
    public var messageRate = 1_000.0
    /// Messages of one key at once, such as those that waited while its phone had no network.
    public var messageBurst = 10_000.0
    /// Phones that use the relay over Socket.IO at once; those of one key may be a quarter of them.
    public var phones = 256
    /// Seconds between the pings of a Socket.IO session.
    public var pingInterval: Seconds = 25
    /// Seconds that a phone may take to answer a ping; phones that ping themselves, to send the next.
    public var pingTimeout: Seconds = 20
    /// Connections at once; for more, those make room that have waited longest for their clients.
    public var connections = 512
    /// Clients that follow live data at once.
    public var clients = 256
    /// Bytes that wait for one client before it is let go.
    public var queue = 1 << 20
    /// Seconds that a head may take to come.
    public var headPatience: Seconds = 10
    /// Seconds that a body may take to come.
    public var bodyPatience: Seconds = 60
    /// Seconds that an answer may take to begin.
    public var answer: Seconds = 120
    /// Seconds a connection may be silent, or refuse to take what is sent to it.
    public var patience: Seconds = 90
    /// Seconds without a word of a page after which the calibration task on it makes way for another: three beats missed.
    public var pageAbsence: Seconds = 15

    /// What suits a laboratory.
    public init() {}
}
