/// A value of the characteristic Heart Rate Measurement, 0x2A37 (Bluetooth SIG, Heart Rate Service 1.0, 3.1).
public struct HeartRateMeasurement: Hashable, Sendable {
    /// Heart rate in beats per minute; 0 where nothing was measured yet.
    public var heartRate: Int
    /// Whether the heart rate takes two bytes.
    public var isWide = false
    /// Skin contact; nil: the sensor can't tell.
    public var contact: Bool?
    /// Kilojoules since the last reset; stays at 65535 once reached.
    public var energy: Int?
    /// RR intervals in 1/1024 s, oldest first.
    public var intervals: [Int] = []
    /// The value says that intervals are reported, though there may be none in it.
    public var hasIntervals = false
    /// Bytes after the last whole interval: 0, or 1 in a malformed value.
    public var excess = 0

    /// A heart rate without anything else.
    public init(heartRate: Int) {
        self.heartRate = heartRate
        isWide = heartRate > 255
    }

    /// The characteristic's identifier.
    public static let characteristic = BluetoothUUID(0x2A37)

    /// Reads a notification; all numbers are little-endian.
    /// - Throws: `HeartRateMeasurement.Truncated`.
    public init(_ bytes: [UInt8]) throws(Truncated) {
        var reader = ByteReader(bytes)
        guard let flags = reader.u8() else { throw Truncated(field: "flags") }
        isWide = flags & 0x01 != 0
        guard let rate = isWide ? reader.u16le().map(Int.init) : reader.u8().map(Int.init) else {
            throw Truncated(field: "heart rate")
        }
        heartRate = rate
        contact = flags & 0x04 != 0 ? flags & 0x02 != 0 : nil
        if flags & 0x08 != 0 {
            guard let value = reader.u16le() else { throw Truncated(field: "energy expended") }
            energy = Int(value)
        }
        hasIntervals = flags & 0x10 != 0
        if hasIntervals {
            while let interval = reader.u16le() { intervals.append(Int(interval)) }
            excess = reader.left
        }
    }

    /// The notification's bytes, as a sensor sends them; reserved flags are 0.
    public var bytes: [UInt8] {
        var flags: UInt8 = isWide ? 0x01 : 0
        if let contact { flags |= contact ? 0x06 : 0x04 }
        if energy != nil { flags |= 0x08 }
        if hasIntervals || !intervals.isEmpty { flags |= 0x10 }
        var bytes = [flags]
        bytes.append(littleEndian: heartRate, count: isWide ? 2 : 1)
        if let energy { bytes.append(littleEndian: energy, count: 2) }
        for interval in intervals { bytes.append(littleEndian: interval, count: 2) }
        return bytes
    }

    /// A notification shorter than its flags say.
    public struct Truncated: Error, Hashable, Sendable {
        /// The field that is not there.
        public var field: String
    }
}

/// Where a heart rate sensor is worn: the characteristic Body Sensor Location, 0x2A38.
public enum BodySensorLocation: Hashable, Sendable {
    case other, chest, wrist, finger, hand, earLobe, foot
    /// A number without meaning yet.
    case reserved(UInt8)

    /// The location with this number.
    public init(_ number: UInt8) {
        let assigned: [BodySensorLocation] = [.other, .chest, .wrist, .finger, .hand, .earLobe, .foot]
        self = number < 7 ? assigned[Int(number)] : .reserved(number)
    }

    /// The words of the specification.
    public var name: String {
        switch self {
        case .other: "other"
        case .chest: "chest"
        case .wrist: "wrist"
        case .finger: "finger"
        case .hand: "hand"
        case .earLobe: "ear lobe"
        case .foot: "foot"
        case .reserved(let number): "reserved (\(number))"
        }
    }

    /// The characteristic's identifier.
    public static let characteristic = BluetoothUUID(0x2A38)
}

/// The characteristic Heart Rate Control Point, 0x2A39.
public enum HeartRateControlPoint {
    /// The characteristic's identifier.
    public static let characteristic = BluetoothUUID(0x2A39)
    /// Sets energy expended back to 0.
    public static let resetEnergy: [UInt8] = [0x01]
    /// The error code with which a sensor answers anything else.
    public static let notSupported: UInt8 = 0x80
}
