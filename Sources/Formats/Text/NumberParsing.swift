/// Reads decimal numbers from bytes, correctly rounded, without looking at the locale.
public enum NumberParsing {
    /// The number that is all of `bytes` apart from blanks around it; nil when that is no number.
    ///
    /// Accepts a sign, digits with at most one decimal mark, an exponent, and `nan`, `inf`, `infinity` in any case.
    /// The result is the `Double` nearest to the decimal value, ties to even.
    /// - Parameter mark: the decimal mark, `.` or `,`.
    public static func double(_ bytes: Span<UInt8>, mark: UInt8 = UInt8(ascii: ".")) -> Double? {
        bytes.withUnsafeBufferPointer { double($0, mark: mark) }
    }

    /// The number that is all of `text` apart from blanks around it; nil when that is no number.
    public static func double(_ text: some StringProtocol, mark: UInt8 = UInt8(ascii: ".")) -> Double? {
        var text = String(text)
        return text.withUTF8 { double($0, mark: mark) }
    }

    /// The whole number that is all of `text` apart from blanks around it; nil when it is none or too large for `Int`.
    public static func integer(_ text: some StringProtocol) -> Int? {
        var text = String(text)
        return text.withUTF8 { bytes in
            let range = trimmed(bytes)
            return Int(String(decoding: bytes[range], as: UTF8.self))
        }
    }

    static func double(_ bytes: UnsafeBufferPointer<UInt8>, mark: UInt8 = UInt8(ascii: ".")) -> Double? {
        let range = trimmed(bytes)
        guard let base = bytes.baseAddress, !range.isEmpty else { return nil }
        let end = base + range.upperBound
        guard let scanned = ScannedDecimal(base + range.lowerBound, end, mark: mark), scanned.next == end
        else { return special(bytes[range]) }
        return scanned.double()
    }

    static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        var lower = 0
        var upper = bytes.count
        while lower < upper, isBlank(bytes[lower]) { lower += 1 }
        while lower < upper, isBlank(bytes[upper - 1]) { upper -= 1 }
        return lower..<upper
    }

    @inline(__always)
    static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }

    private static func special(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        guard bytes.count <= 9 else { return nil }
        switch String(decoding: bytes, as: UTF8.self).lowercased() {
        case "nan", "+nan", "-nan": return .nan
        case "inf", "+inf", "infinity", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        default: return nil
        }
    }
}

/// A decimal number taken apart: ±`mantissa` · 10^`exponent`.
struct ScannedDecimal {
    var mantissa: UInt64 = 0
    var exponent = 0
    var isNegative = false
    /// Whether `mantissa` holds all digits; when not, the number must be read again from its text.
    var isExact = true
    let start: UnsafePointer<UInt8>
    /// The first byte after the number.
    var next: UnsafePointer<UInt8>
    private let mark: UInt8

    /// Scans the longest number at `start`; nil when there is none.
    @inline(__always)
    init?(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, mark: UInt8) {
        self.start = start
        self.mark = mark
        var p = start
        if p < end, p.pointee == 0x2D || p.pointee == 0x2B {
            isNegative = p.pointee == 0x2D
            p += 1
        }
        let digits = p
        var sum: UInt64 = 0
        while p < end, p.pointee &- 0x30 < 10 {
            sum = sum &* 10 &+ UInt64(p.pointee &- 0x30)
            p += 1
        }
        var count = p - digits
        if p < end, p.pointee == mark {
            p += 1
            let fraction = p
            while p < end, p.pointee &- 0x30 < 10 {
                sum = sum &* 10 &+ UInt64(p.pointee &- 0x30)
                p += 1
            }
            exponent = fraction - p
            count += p - fraction
        }
        guard count > 0 else { return nil }
        mantissa = sum
        next = p
        if count > 19 { isExact = Self.significantDigits(digits, p) <= 19 }
        if p < end, p.pointee | 0x20 == 0x65 { scanExponent(p + 1, end) }
    }

    private mutating func scanExponent(_ first: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) {
        var p = first
        var isDownward = false
        if p < end, p.pointee == 0x2D || p.pointee == 0x2B {
            isDownward = p.pointee == 0x2D
            p += 1
        }
        let digits = p
        var power = 0
        while p < end, p.pointee &- 0x30 < 10 {
            // Beyond this the value is 0 or infinite whatever follows.
            if power < 100_000 { power = power * 10 + Int(p.pointee - 0x30) }
            p += 1
        }
        guard p > digits else { return }
        exponent += isDownward ? -power : power
        next = p
    }

    private static func significantDigits(_ start: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>) -> Int {
        var count = 0
        var p = start
        while p < end {
            if p.pointee &- 0x30 < 10, count > 0 || p.pointee != 0x30 { count += 1 }
            p += 1
        }
        return count
    }

    /// The nearest `Double`.
    @inline(__always)
    func double() -> Double {
        // Clinger 1990: both factors are exact, so one operation rounds once.
        if isExact, mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
            let magnitude = Double(mantissa)
            let value = exponent < 0 ? magnitude / powersOfTen[-exponent] : magnitude * powersOfTen[exponent]
            return isNegative ? -value : value
        }
        return slowDouble()
    }

    /// The nearest `Float`.
    @inline(__always)
    func float() -> Float {
        if isExact, mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
            let magnitude = Double(mantissa)
            let value = exponent < 0 ? magnitude / powersOfTen[-exponent] : magnitude * powersOfTen[exponent]
            // `value` is within half a unit of the decimal; rounding twice differs only right at a tie of Float.
            if value.bitPattern & 0x1FFF_FFFF != 0x1000_0000 { return isNegative ? -Float(value) : Float(value) }
        }
        return slowFloat()
    }

    @inline(never)
    private func slowFloat() -> Float {
        let value = slowDouble()
        let isNormal = value.magnitude > 1e-37
        if value == 0 || isNormal && value.bitPattern & 0x1FFF_FFFF != 0x1000_0000 { return Float(value) }
        return Float(text) ?? Float(value)
    }

    @inline(never)
    private func slowDouble() -> Double {
        if mantissa == 0, isExact { return isNegative ? -0.0 : 0 }
        if isExact, exponent >= -22, exponent <= 22, let value = wideDouble() { return isNegative ? -value : value }
        return Double(text) ?? .nan
    }

    /// The value by arithmetic with twice the bits; nil when it lies too near to a tie to be sure.
    private func wideDouble() -> Double? {
        let high = Double(mantissa & ~0x7FF)
        let low = Double(mantissa & 0x7FF)
        let power = powersOfTen[abs(exponent)]
        let first = exponent < 0 ? high / power : high * power
        // What the rounded quotient or product left over, exactly.
        let rest =
            exponent < 0
            ? (high.addingProduct(-first, power) + low) / power
            : (-first).addingProduct(high, power) + low * power
        let value = first + rest
        let error = (first - value) + rest
        guard abs(abs(error) - value.ulp / 2) > value.ulp * 0x1p-20 else { return nil }
        return value
    }

    private var text: String {
        var bytes = Array(UnsafeBufferPointer(start: start, count: next - start))
        for index in bytes.indices where bytes[index] == mark { bytes[index] = UInt8(ascii: ".") }
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// 10^0 … 10^22, the powers of ten that a `Double` holds exactly.
let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
]
