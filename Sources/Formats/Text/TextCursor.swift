/// A place in memory where the characters of a number are written.
struct TextCursor {
    /// Bytes that must be there for a number.
    static let room = 32

    private(set) var place: UnsafeMutablePointer<UInt8>

    init(_ place: UnsafeMutablePointer<UInt8>) { self.place = place }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        place.pointee = byte
        place += 1
    }

    /// Goes behind so many bytes that are written already.
    @inline(__always)
    mutating func pass(_ count: Int) { place += count }

    mutating func put(_ text: StaticString) {
        for index in 0..<text.utf8CodeUnitCount { put(text.utf8Start[index]) }
    }

    /// Writes a whole number.
    @inline(__always)
    mutating func put(magnitude: UInt64) {
        guard magnitude >= 100_000_000 else { return put(eightDigits: magnitude) }
        var width = 1
        var bound: UInt64 = 10
        while width < 20, magnitude >= bound {
            width += 1
            bound = bound > UInt64.max / 10 ? .max : bound * 10
        }
        put(digits: magnitude, width: width)
    }

    /// Writes a whole number of up to eight digits, all of them at once.
    @inline(__always)
    private mutating func put(eightDigits value: UInt64) {
        let digits = Self.eightDigits(value)
        // The first digits are the lowest bytes; the last one stays, whatever it is.
        let needless = UInt64(min(digits.trailingZeroBitCount / 8, 7))
        store((digits | 0x3030_3030_3030_3030) >> (8 * needless), at: 0)
        place += 8 - Int(needless)
    }

    /// Writes a point and `fraction` as the four digits behind it, without needless zeros; nothing for 0.
    @inline(__always)
    mutating func put(fourDecimals fraction: UInt64) {
        let digits = Self.eightDigits(fraction) >> 32
        store((digits | 0x3030_3030) << 8 | UInt64(UInt8(ascii: ".")), at: 0)
        // The last digits are the highest bytes.
        let behind = 8 - digits.leadingZeroBitCount / 8
        place += behind + min(behind, 1)
    }

    /// Writes a point and `fraction` as the `width` digits behind it, without needless zeros; nothing for 0.
    @inline(__always)
    mutating func put(fraction: UInt64, width: Int) {
        guard fraction > 0 else { return }
        put(UInt8(ascii: "."))
        put(digits: fraction, width: width)
        while (place - 1).pointee == UInt8(ascii: "0") { place -= 1 }
    }

    /// Writes the decimal number with these nine digits, the first of which stands for so many powers of ten (-4 to 8),
    /// without needless zeros.
    @inline(__always)
    mutating func put(nineDigits digits: UInt64, exponent: Int) {
        let (first, rest) = (UInt8(truncatingIfNeeded: digits / 100_000_000), Self.eightDigits(digits % 100_000_000))
        let characters = rest | 0x3030_3030_3030_3030
        // The last digits are the highest bytes.
        let behind = 8 - rest.leadingZeroBitCount / 8
        if exponent < 0 {
            store(0x3030_3030_3030_2E30, at: 0)
            place += 1 - exponent
        }
        place[0] = UInt8(ascii: "0") + first
        store(characters, at: 1)
        if exponent < 0 || behind <= exponent {
            place += 1 + max(behind, exponent)
        } else {
            // What stands behind the point moves on by a place.
            store(characters >> UInt64(8 * exponent), at: 2 + exponent)
            place[1 + exponent] = UInt8(ascii: ".")
            place += 2 + behind
        }
    }

    /// A byte for each of eight digits, the first one lowest.
    @inline(__always)
    private static func eightDigits(_ value: UInt64) -> UInt64 {
        // Fours become pairs, and those digits: quotients by 100 and 10 are exact for what there is.
        let fours = value / 10_000 | (value % 10_000) << 32
        let hundreds = (fours &* 10_486) >> 20 & 0x7F_0000_007F
        let pairs = hundreds | (fours &- 100 &* hundreds) << 16
        let tens = (pairs &* 103) >> 10 & 0xF_000F_000F_000F
        return tens | (pairs &- 10 &* tens) << 8
    }

    @inline(__always)
    private func store(_ bytes: UInt64, at offset: Int) {
        UnsafeMutableRawPointer(place + offset).storeBytes(of: bytes.littleEndian, as: UInt64.self)
    }

    /// Writes the last `width` digits, two at a time from the back.
    @inline(__always)
    private mutating func put(digits: UInt64, width: Int) {
        var rest = digits
        var left = width
        while left >= 2 {
            let pair = UInt8(truncatingIfNeeded: rest % 100)
            rest /= 100
            left -= 2
            place[left] = UInt8(ascii: "0") + pair / 10
            place[left + 1] = UInt8(ascii: "0") + pair % 10
        }
        if left == 1 { place[0] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10) }
        place += width
    }
}
