import Signals

/// A measurement asked of a Polar device.
public struct PolarStream: Hashable, Sendable {
    /// Which.
    public var type: PMDType
    /// The rate wanted, in Hz; the nearest the device has is taken.
    public var sampleRate: Double

    /// A measurement at about `sampleRate` Hz, or at its usual rate.
    public init(_ type: PMDType, sampleRate: Double? = nil) {
        self.type = type
        self.sampleRate = sampleRate ?? Self.usualRates[type] ?? 0
    }

    private static let usualRates: [PMDType: Double] = [
        .ecg: 130, .acceleration: 50, .ppg: 55, .gyroscope: 52, .magnetometer: 20,
    ]

    /// What can be recorded: ECG in µV, acceleration in mg, PPG in counts of three colours and ambient light or, of newer
    /// sensors, of 16 to 24 pairs of light and detector and a status, pulse intervals in s, angular velocity in deg/s,
    /// magnetic field in G.
    public static let possible: [PMDType] = [
        .ecg, .acceleration, .ppg, .pulseIntervals, .gyroscope, .magnetometer,
    ]

    /// Header of the stream when it runs at `sampleRate`.
    func header(sampleRate: Double) -> StreamHeader {
        func make(_ kind: StreamKind, _ labels: [String], _ unit: Unit) -> StreamHeader {
            StreamHeader(
                name: type.stream, kind: kind, channels: labels.map { Channel(label: $0, unit: unit) },
                sampleRate: sampleRate)
        }
        return switch type {
        case .ecg: make(.ecg, ["ECG"], .microvolts)
        case .ppg: make(.bvp, Self.opticalChannels(0).map(\.label), .dimensionless)
        case .acceleration: make(.acceleration, ["X", "Y", "Z"], Unit("mg"))
        case .gyroscope: make(.gyroscope, ["X", "Y", "Z"], Unit("deg/s"))
        case .magnetometer: make(.other, ["X", "Y", "Z"], Unit("G"))
        default:
            StreamHeader(
                name: type.stream, kind: .ibi,
                channels: [
                    Channel(label: "PPI", unit: .seconds), Channel(label: "error", unit: .seconds),
                    Channel(label: "blocked", unit: .dimensionless),
                ], sampleRate: 0)
        }
    }

    /// The channels of PPG in frames of a type (Polar BLE SDK, `PpgData`). Those of types 7 and 8 have no names there.
    static func opticalChannels(_ frameType: UInt8) -> [Channel] {
        func numbered(_ count: Int) -> [String] { (0..<count).map { "PPG\($0)" } }
        func coloured(_ count: Int, _ colour: String) -> [String] { (1...count).map { "\($0) \(colour)" } }
        let labels =
            switch frameType {
            case 7: numbered(16) + ["status"]
            case 8: numbered(24) + ["status"]
            case 10: coloured(8, "green") + coloured(6, "red") + coloured(6, "infrared") + ["status"]
            default: numbered(3) + ["ambient"]
            }
        return labels.map { Channel(label: $0, unit: .dimensionless) }
    }
}
