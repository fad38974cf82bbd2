/// Kinds of measurement of the Polar Measurement Data service (Polar BLE SDK, online measurement specification).
public enum PMDType: UInt8, CaseIterable, Sendable {
    case ecg = 0
    case ppg = 1
    case acceleration = 2
    case pulseIntervals = 3
    case gyroscope = 5
    case magnetometer = 6
    case skinTemperature = 7
    case sdkMode = 9
    case location = 10
    case pressure = 11
    case temperature = 12
    case offlineRecording = 13
    case offlineHeartRate = 14

    /// The type in a byte whose upper bits mean something else.
    public init?(masked byte: UInt8) {
        self.init(rawValue: byte & 0x3F)
    }

    /// The name of its stream.
    public var stream: String {
        switch self {
        case .pulseIntervals: "ppi"
        default: String(describing: self)
        }
    }
}

/// Identifiers of the Polar Measurement Data service.
public enum PMD {
    /// The service.
    public static let service = BluetoothUUID("FB005C80-02E7-F387-1CAD-8ACD2D8DF0C8")!
    /// Where commands go and answers come from.
    public static let controlPoint = BluetoothUUID("FB005C81-02E7-F387-1CAD-8ACD2D8DF0C8")!
    /// Where samples come from.
    public static let data = BluetoothUUID("FB005C82-02E7-F387-1CAD-8ACD2D8DF0C8")!
    /// Seconds from 1970-01-01 to 2000-01-01, both UTC: where the clock of the stamps begins.
    public static let epoch: Double = 946_684_800
}

/// What a device offers: the value read from the control point.
public struct PMDFeatures: Hashable, Sendable {
    /// The measurements it can make.
    public var types: Set<PMDType>

    /// A device with these measurements.
    public init(types: Set<PMDType>) {
        self.types = types
    }

    private static let bits: [(byte: Int, mask: UInt8, type: PMDType)] = [
        (1, 0x01, .ecg), (1, 0x02, .ppg), (1, 0x04, .acceleration), (1, 0x08, .pulseIntervals),
        (1, 0x20, .gyroscope), (1, 0x40, .magnetometer), (1, 0x80, .skinTemperature),
        (2, 0x02, .sdkMode), (2, 0x04, .location), (2, 0x08, .pressure), (2, 0x10, .temperature),
        (2, 0x20, .offlineRecording), (2, 0x40, .offlineHeartRate),
    ]

    /// Reads the control point's value; nil when it is not a list of features.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count >= 3, bytes[0] == 0x0F else { return nil }
        types = Set(Self.bits.filter { bytes[$0.byte] & $0.mask != 0 }.map(\.type))
    }

    /// The control point's value.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = [0x0F, 0, 0]
        for bit in Self.bits where types.contains(bit.type) { bytes[bit.byte] |= bit.mask }
        return bytes
    }
}
