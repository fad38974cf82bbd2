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
    /// The id of this run of the source; empty if unknown.
    public var uid = ""
    /// The whole description, an XML `<info>` element; nil if unknown.
    public var xml: String?

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

    /// The prefix of the source ids of published sessions. The rest is the stream's name, so that listeners find it again in
    /// the next session.
    public static let ownSourcePrefix = "marey-session-"

    /// A stream of a device as others expect to see it on the network.
    public init(_ stream: DeviceStream, sourceID: String) {
        let header = stream.header
        self.init(
            name: header.name, type: Self.type(header.kind) ?? "Misc",
            channels: header.channels, sampleRate: header.sampleRate, sourceID: sourceID)
    }

    /// Whether its values may have more digits than 32-bit numbers do.
    public var isDouble: Bool { [.int32, .int64, .double].contains(format) }

    /// True for 64-bit integers, which `Double` does not hold exactly.
    public var isInteger: Bool { format == .int64 }

    /// True for markers: texts, and numbers without a rate of the type `Markers`.
    public var isMarkers: Bool { isText || sampleRate == 0 && kind == .marker }

    /// The typical word for a kind; nil for kinds without one.
    static func type(_ kind: StreamKind) -> String? { types.first { $0.kind == kind }?.type }

    /// What it measures, by its type.
    public var kind: StreamKind {
        let word = type.lowercased()
        if let known = Self.types.first(where: { $0.type.lowercased() == word }) { return known.kind }
        let said = XDFStreamPart.kind(ofChannelType: type)
        return said == .marker ? .other : said ?? .other
    }

    /// Words of types, the usual one of a kind first.
    private static let types: [(type: String, kind: StreamKind)] = [
        ("EEG", .eeg), ("ECG", .ecg), ("EKG", .ecg), ("PPG", .bvp), ("BVP", .bvp), ("ACC", .acceleration),
        ("Accelerometer", .acceleration), ("GYRO", .gyroscope), ("Gyroscope", .gyroscope), ("EDA", .eda),
        ("GSR", .eda), ("Temperature", .temperature), ("TEMP", .temperature), ("RESP", .respiration),
        ("Respiration", .respiration), ("IBI", .ibi), ("RR", .ibi), ("RRI", .ibi), ("HR", .heartRate),
        ("HeartRate", .heartRate), ("Markers", .marker), ("Marker", .marker), ("Potential", .potential),
        ("Current", .current),
        ("Impedance", .impedance), ("Battery", .battery),
    ]
}

extension LSLStreamInfo {
    /// Reads a description; logs of earlier versions have neither `uid` nor `xml`.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try fields.decode(String.self, forKey: .name), type: try fields.decode(String.self, forKey: .type),
            channels: try fields.decode([Channel].self, forKey: .channels),
            sampleRate: try fields.decode(Double.self, forKey: .sampleRate),
            isText: try fields.decode(Bool.self, forKey: .isText),
            format: try fields.decodeIfPresent(XDFValueFormat.self, forKey: .format),
            sourceID: try fields.decode(String.self, forKey: .sourceID),
            host: try fields.decode(String.self, forKey: .host))
        uid = try fields.decodeIfPresent(String.self, forKey: .uid) ?? ""
        xml = try fields.decodeIfPresent(String.self, forKey: .xml)
    }
}
