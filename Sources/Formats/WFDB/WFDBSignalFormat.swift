/// How a WFDB signal file stores samples (WFDB Applications Guide, signal(5)).
public enum WFDBSignalFormat: Int, CaseIterable, Sendable {
    /// 8-bit first differences.
    case format8 = 8
    /// 16-bit two's complement, little-endian.
    case format16 = 16
    /// 24-bit two's complement, little-endian.
    case format24 = 24
    /// 32-bit two's complement, little-endian.
    case format32 = 32
    /// 16-bit two's complement, big-endian.
    case format61 = 61
    /// 8-bit offset binary.
    case format80 = 80
    /// 16-bit offset binary, little-endian.
    case format160 = 160
    /// Two 12-bit samples in three bytes.
    case format212 = 212
    /// Three 10-bit samples in two 16-bit words.
    case format310 = 310
    /// Three 10-bit samples in one 32-bit word.
    case format311 = 311

    /// The sample value that stands for a missing sample; format 8 has none.
    public var missing: Int32? {
        switch self {
        case .format8: nil
        case .format80: -128
        case .format310, .format311: -512
        case .format212: -2048
        case .format16, .format61, .format160: -32768
        case .format24: -8_388_608
        case .format32: .min
        }
    }

    /// The samples that are packed together.
    var samplesPerUnit: Int {
        switch self {
        case .format212: 2
        case .format310, .format311: 3
        default: 1
        }
    }

    /// The bytes they take.
    var bytesPerUnit: Int {
        switch self {
        case .format8, .format80: 1
        case .format16, .format61, .format160: 2
        case .format24, .format212: 3
        case .format32, .format310, .format311: 4
        }
    }

    /// How many samples `bytes` bytes hold; the last unit may be cut off after the bytes its samples need.
    func sampleCount(bytes: Int) -> Int {
        let rest = bytes % bytesPerUnit
        let partial =
            switch self {
            case .format212, .format310: rest >= 2 ? 1 : 0
            case .format311: max(0, rest - 1)
            default: 0
            }
        return bytes / bytesPerUnit * samplesPerUnit + partial
    }

    /// Turns `units` whole units at `bytes` into numbers; those of format 8 are differences.
    func decode(_ bytes: UnsafePointer<UInt8>, units: Int, into samples: UnsafeMutablePointer<Int32>) {
        let raw = UnsafeRawPointer(bytes)
        switch self {
        case .format8:
            for i in 0..<units { samples[i] = Int32(Int8(bitPattern: bytes[i])) }
        case .format80:
            for i in 0..<units { samples[i] = Int32(bytes[i]) &- 128 }
        case .format16:
            for i in 0..<units {
                samples[i] = Int32(Int16(littleEndian: raw.loadUnaligned(fromByteOffset: 2 &* i, as: Int16.self)))
            }
        case .format61:
            for i in 0..<units {
                samples[i] = Int32(Int16(bigEndian: raw.loadUnaligned(fromByteOffset: 2 &* i, as: Int16.self)))
            }
        case .format160:
            for i in 0..<units {
                let word = UInt16(littleEndian: raw.loadUnaligned(fromByteOffset: 2 &* i, as: UInt16.self))
                samples[i] = Int32(word) &- 32768
            }
        case .format24:
            for i in 0..<units {
                let low = Int32(bytes[3 &* i]) | Int32(bytes[3 &* i &+ 1]) << 8
                samples[i] = low | Int32(Int8(bitPattern: bytes[3 &* i &+ 2])) << 16
            }
        case .format32:
            for i in 0..<units {
                samples[i] = Int32(littleEndian: raw.loadUnaligned(fromByteOffset: 4 &* i, as: Int32.self))
            }
        case .format212: Self.decode212(bytes, units, samples)
        case .format310: Self.decode310(raw, units, samples)
        case .format311: Self.decode311(raw, units, samples)
        }
    }

    private static func decode212(
        _ bytes: UnsafePointer<UInt8>, _ units: Int, _ samples: UnsafeMutablePointer<Int32>
    ) {
        let raw = UnsafeRawPointer(bytes)
        // Four bytes are loaded for three, so the last unit goes byte by byte.
        for i in 0..<max(0, units - 1) {
            let word = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 3 &* i, as: UInt32.self))
            samples[2 &* i] = Int32(bitPattern: word << 20) >> 20
            let second = word >> 16 & 0xFF | word >> 4 & 0xF00
            samples[2 &* i &+ 1] = Int32(bitPattern: second << 20) >> 20
        }
        guard units > 0 else { return }
        let last = bytes + 3 * (units - 1)
        let first = UInt32(last[0]) | UInt32(last[1] & 0x0F) << 8
        let second = UInt32(last[2]) | UInt32(last[1] & 0xF0) << 4
        samples[2 * units - 2] = Int32(bitPattern: first << 20) >> 20
        samples[2 * units - 1] = Int32(bitPattern: second << 20) >> 20
    }

    private static func decode310(
        _ raw: UnsafeRawPointer, _ units: Int, _ samples: UnsafeMutablePointer<Int32>
    ) {
        for i in 0..<units {
            let word = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 4 &* i, as: UInt32.self))
            samples[3 &* i] = signed10(word >> 1)
            samples[3 &* i &+ 1] = signed10(word >> 17)
            samples[3 &* i &+ 2] = signed10(word >> 11 & 0x1F | word >> 22 & 0x3E0)
        }
    }

    private static func decode311(
        _ raw: UnsafeRawPointer, _ units: Int, _ samples: UnsafeMutablePointer<Int32>
    ) {
        for i in 0..<units {
            let word = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 4 &* i, as: UInt32.self))
            samples[3 &* i] = signed10(word)
            samples[3 &* i &+ 1] = signed10(word >> 10)
            samples[3 &* i &+ 2] = signed10(word >> 20)
        }
    }

    @inline(__always)
    private static func signed10(_ bits: UInt32) -> Int32 {
        Int32(bitPattern: bits << 22) >> 22
    }
}
