public import Signals

/// What is asked of an E4 streaming server.
public struct EmpaticaServerSettings: Hashable, Sendable, Codable {
    /// The address servers listen at unless told otherwise.
    public static let defaultPort: UInt16 = 28_000

    /// The device to use; nil takes the only one the server has.
    public var device: String?
    /// The streams to subscribe to.
    public var subscriptions: [EmpaticaSubscription] = EmpaticaSubscription.allCases
    /// Whether the server waits to be told which devices to connect to over Bluetooth (its manual mode).
    public var connectsBluetooth = false
    /// Minutes after which the server gives a lost device up, 0…254, in manual mode; 0 waits for ever.
    public var bluetoothTimeout = 0
    /// Seconds to wait for an answer.
    public var replyTimeout: Seconds = 10
    /// Seconds between two looks at the list of devices while the wanted one is not there.
    public var searchInterval: Seconds = 2

    /// Everything the only device of the server has.
    public init(device: String? = nil) {
        self.device = device
    }
}
