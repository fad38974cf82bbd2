public import Formats
import Foundation
public import Signals

/// What a stream of the Lab Streaming Layer says of itself.
public struct LSLStreamInfo: Hashable, Sendable, Codable {
    /// Its name.
    public var name: String
    /// What it holds, by the usual words: `EEG`, `ECG`, `PPG`, `ACC`, `GSR`, `Markers`.
    public var type: String
    /// Its channels.
    public var channels: [Channel]
    /// Samples per second; 0 for irregular streams.
    public var sampleRate: Double
    /// Whether its values are texts.
    public var isText: Bool
    /// How its source stores a value; nil where it does not say.
    public var format: XDFValueFormat?
    /// What stays the same when the source starts anew; empty when it does not say.
    public var sourceID: String
    /// The machine it comes from.
    public var host: String

    /// A stream called `name`.
    public init(
        name: String, type: String, channels: [Channel], sampleRate: Double, isText: Bool = false,
        format: XDFValueFormat? = nil, sourceID: String = "", host: String = ""
    ) {
        self.format = format
        self.name = name
        self.type = type
        self.channels = channels
        self.sampleRate = sampleRate
        self.isText = isText
        self.sourceID = sourceID
        self.host = host
    }

    /// With what the sources begin that this program publishes of its own sessions: to record those would go in a circle.
    public static let ownSourcePrefix = "marey-session-\(ProcessInfo.processInfo.processIdentifier)-"

    /// A stream of a device as others expect to see it on the network.
    public init(_ stream: DeviceStream, sourceID: String) {
        let header = stream.header
        self.init(
            name: header.name, type: Self.types.first { $0.kind == header.kind }?.type ?? "Misc",
            channels: header.channels, sampleRate: header.sampleRate, sourceID: sourceID)
    }

    /// Whether its values may have more digits than 32-bit numbers do.
    public var isDouble: Bool { [.int32, .int64, .double].contains(format) }

    /// What it measures, by its type.
    public var kind: StreamKind {
        let word = type.lowercased()
        return Self.types.first { $0.type.lowercased() == word }?.kind ?? .other
    }

    /// Words of types, the usual one of a kind first.
    private static let types: [(type: String, kind: StreamKind)] = [
        ("EEG", .eeg), ("ECG", .ecg), ("EKG", .ecg), ("PPG", .bvp), ("BVP", .bvp), ("ACC", .acceleration),
        ("Accelerometer", .acceleration), ("GYRO", .gyroscope), ("Gyroscope", .gyroscope), ("EDA", .eda),
        ("GSR", .eda), ("Temperature", .temperature), ("TEMP", .temperature), ("RESP", .respiration),
        ("Respiration", .respiration), ("IBI", .ibi), ("RR", .ibi), ("RRI", .ibi), ("HR", .heartRate),
        ("HeartRate", .heartRate), ("Markers", .marker), ("Potential", .potential), ("Current", .current),
        ("Impedance", .impedance), ("Battery", .battery),
    ]
}
