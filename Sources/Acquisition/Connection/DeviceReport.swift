public import Devices
public import Signals

/// What a session learns from one of its devices.
public struct DeviceReport: Sendable {
    /// The device's name within the session.
    public var device: String
    /// When it arrived, seconds on the host's monotonic clock.
    public var moment: Seconds
    /// What it is.
    public var content: Content

    /// What a device or its connection tells.
    public enum Content: Sendable {
        /// The connection changed; with the reason when it failed or broke.
        case connection(previous: ConnectionState, current: ConnectionState, LinkError?)
        /// The next attempt to connect comes in so many seconds.
        case retrying(in: Seconds)
        /// Something the device said.
        case event(DeviceEvent)
        /// Messages were lost on this host because they were not taken in time.
        case overrun(count: Int)
        /// The notifications of a characteristic ended while the device stayed connected, and are subscribed again.
        case resubscribed(BluetoothUUID)
        /// Bytes as they came or went, for the raw log.
        case bytes([UInt8], Endpoint, isIncoming: Bool)
        /// A characteristic's notifications are asked for.
        case subscribed(BluetoothUUID)
        /// A characteristic's value is asked for.
        case asked(BluetoothUUID)
        /// What was last asked of this endpoint was refused.
        case refused(LinkError, by: Endpoint)
    }

    /// A report of `device` at `moment`.
    public init(device: String, moment: Seconds, _ content: Content) {
        self.device = device
        self.moment = moment
        self.content = content
    }
}
