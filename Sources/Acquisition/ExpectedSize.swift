import Devices
import Formats
import Recorder
import Signals

/// How much a device writes, as far as that is known before it is connected.
public struct ExpectedSize: Hashable, Sendable {
    /// The device's name in the session.
    public var device: String
    /// Bytes a second.
    public var bytesPerSecond: Double
    /// What was assumed; nil where the streams are known.
    public var assumption: String?

    /// The figure, and what was assumed, in words.
    public var description: String {
        let rate = bytesPerSecond / 1_000
        let text = "\(device) \((rate * 10).rounded() / 10) kB/s"
        return assumption.map { "\(text), assuming \($0)" } ?? text
    }

    /// For what every device tells now and then: its charge, beats, remarks.
    private static let allowance = 1_000.0
    /// Of a stream that does not show itself yet: 64 channels at 1 kHz.
    private static let unknownStream = 530_000.0
    /// Seconds to wait for a stream to show itself.
    private static let patience: Seconds = 1

    private init(_ device: String, _ bytesPerSecond: Double, _ assumption: String? = nil) {
        (self.device, self.bytesPerSecond, self.assumption) = (device, bytesPerSecond + Self.allowance, assumption)
    }

    init(_ device: String, _ streams: [DeviceStream]) {
        self.init(device, DiskEstimate.bytesPerSecond(streams))
    }

    init(_ device: String, streamOf connector: LSLConnector?) {
        if let info = connector?.look(within: Self.patience) {
            // It is kept twice: as a stream, and as it was received.
            let frame = 9 + Double(info.channels.count * (info.format?.byteCount ?? 8))
            let rate = info.sampleRate > 0 ? info.sampleRate : 4
            self.init(device, DiskEstimate.bytesPerSecond([DeviceStream(info)]) + rate * frame)
        } else {
            self.init(
                device, Self.unknownStream, "64 channels at 1 kHz: its stream does not show itself yet")
        }
    }

    /// Of an instrument that prints what its script says. The shortest line of a package has 12 characters of ten bits
    /// and becomes 17 bytes.
    init(_ device: String, baud: Int) {
        self.init(device, Double(baud) / 10 * 17 / 12, "all that \(baud) baud carry")
    }
}
