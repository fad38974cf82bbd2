public import Signals

/// How a MethodSCRIPT instrument is connected and what it is to run.
public struct MethodSCRIPTSettings: Hashable, Sendable {
    /// The connection.
    public var link: Connection
    /// The script to run; nil asks who the instrument is and listens to what runs without it.
    public var script: MethodSCRIPTScript?
    /// Seconds between two lines on a serial port: an EmStat Pico loses bytes of scripts that come in one burst.
    public var lineInterval: Seconds = 0.005
    /// Seconds to wait for an answer.
    public var replyTimeout: Seconds = 3
    /// Seconds of silence after which an answer to `t` that no `*` ended is complete.
    public var lineTimeout: Seconds = 0.5

    /// Ways to an instrument.
    public enum Connection: String, Hashable, Sendable, Codable {
        /// A serial port, or the USB port that acts as one.
        case serial
        /// The virtual serial port of the Bluetooth module.
        case bluetooth
    }

    /// A run of `script` over `link`.
    public init(_ link: Connection = .serial, script: MethodSCRIPTScript? = nil) {
        self.link = link
        self.script = script
    }

    /// The Bluetooth service of the virtual serial port (Laird Connectivity, VSP).
    public static let service = BluetoothUUID(high: 0x569A_1101_B87F_490C, low: 0x92CB_11BA_5EA5_167C)
    /// Its characteristic with what the instrument sends (notify).
    public static let output = BluetoothUUID(high: 0x569A_2000_B87F_490C, low: 0x92CB_11BA_5EA5_167C)
    /// Its characteristic for what the instrument gets (write with response, up to 20 bytes).
    public static let input = BluetoothUUID(high: 0x569A_2001_B87F_490C, low: 0x92CB_11BA_5EA5_167C)
    /// Bytes of one write over Bluetooth: what fits without a negotiated length.
    static let chunk = 20
}
