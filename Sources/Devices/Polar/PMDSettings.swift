/// Settings of a measurement, as type-length-values of the control point.
public struct PMDSettings: Hashable, Sendable {
    /// Kinds of setting.
    public enum Kind: UInt8, CaseIterable, Sendable {
        /// Samples per second.
        case sampleRate = 0
        /// Bits per sample.
        case resolution = 1
        /// Greatest magnitude, in the measurement's unit.
        case range = 2
        /// Greatest magnitude in thousandths of the unit.
        case rangeMilliUnit = 3
        /// Number of channels.
        case channels = 4
        /// What turns a raw value into the measurement's unit: an IEEE 754 number's bits. Only in answers.
        case factor = 5
        /// A key. Only its presence is kept.
        case security = 6

        /// Bytes per value.
        var size: Int {
            switch self {
            case .sampleRate, .resolution, .range: 2
            case .rangeMilliUnit, .factor: 4
            case .channels: 1
            case .security: 16
            }
        }
    }

    /// The possible values of each setting, as listed.
    public var values: [Kind: [Int]]

    /// Settings with these values.
    public init(_ values: [Kind: [Int]] = [:]) {
        self.values = values
    }

    /// Reads settings.
    /// - Throws: `PMDError.malformed` on unknown kinds and truncated lists.
    public init(_ bytes: some Collection<UInt8>) throws(PMDError) {
        values = [:]
        var reader = ByteReader(Array(bytes))
        while let type = reader.u8() {
            guard let kind = Kind(rawValue: type), let count = reader.u8() else {
                throw .malformed("setting of unknown kind \(type) or without count")
            }
            var list: [Int] = []
            for _ in 0..<count {
                if kind == .security {
                    guard reader.take(kind.size) != nil else { throw .malformed("settings end early") }
                    list.append(0)
                } else {
                    guard let value = reader.unsigned(kind.size) else { throw .malformed("settings end early") }
                    list.append(Int(value))
                }
            }
            values[kind] = list
        }
    }

    /// The settings' bytes, kinds in ascending order; keys are left out.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for (kind, list) in values.sorted(by: { $0.key.rawValue < $1.key.rawValue }) where kind != .security {
            bytes += [kind.rawValue, UInt8(clamping: list.count)]
            for value in list.prefix(255) { bytes.append(littleEndian: value, count: kind.size) }
        }
        return bytes
    }

    /// The first value of a setting.
    public subscript(kind: Kind) -> Int? { values[kind]?.first }

    /// The factor as a number.
    public var factor: Double? {
        self[.factor].map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }.flatMap {
            $0.isFinite && $0 > 0 ? $0 : nil
        }
    }

    /// One value of each setting that can be asked for: the rate nearest to `sampleRate`, the widest range, the
    /// finest resolution, the most channels.
    public func chosen(sampleRate: Double) -> PMDSettings {
        var chosen = PMDSettings()
        for (kind, list) in values {
            switch kind {
            case .factor, .security: continue
            case .sampleRate:
                let nearest = list.min {
                    (abs(Double($0) - sampleRate), $0) < (abs(Double($1) - sampleRate), $1)
                }
                if let nearest { chosen.values[kind] = [nearest] }
            default: if let greatest = list.max() { chosen.values[kind] = [greatest] }
            }
        }
        return chosen
    }
}
