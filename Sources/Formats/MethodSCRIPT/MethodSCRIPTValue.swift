/// The value field of a MethodSCRIPT variable: seven hexadecimal digits offset by 2^27, and the letter of an SI
/// prefix (EmStat communication protocol, data packages).
public struct MethodSCRIPTValue: Hashable, Sendable {
    /// What the digits count, −134 217 728…134 217 727; nil where the device says NaN.
    public var mantissa: Int?
    /// The letter: one of `a f p n u m space i k M G T P E`.
    public var prefix: UInt8

    /// `mantissa` of these prefixes.
    public init(mantissa: Int?, prefix: UInt8) {
        self.mantissa = mantissa
        self.prefix = prefix
    }

    /// Not a number.
    public static let nan = MethodSCRIPTValue(mantissa: nil, prefix: UInt8(ascii: " "))

    /// Reads the eight characters of a value; the letters `a f E` among the digits are digits.
    /// - Returns: nil when they are no value.
    public init?(_ field: some Collection<UInt8>) {
        guard field.count == 8, let last = Array(field).last else { return nil }
        if field.elementsEqual("     nan".utf8) {
            self = .nan
            return
        }
        var digits = 0
        for byte in field.prefix(7) {
            guard let digit = Self.digit(byte) else { return nil }
            digits = digits << 4 | digit
        }
        guard Self.exponent(of: last) != nil else { return nil }
        mantissa = digits - 0x800_0000
        prefix = last
    }

    /// The number in the variable's unit, the double nearest to it; NaN where the device says so.
    public var number: Double {
        guard let mantissa, let exponent = Self.exponent(of: prefix) else { return .nan }
        let power = Self.powers[abs(exponent) / 3]
        return exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
    }

    /// The power of ten that a prefix letter stands for.
    public static func exponent(of prefix: UInt8) -> Int? {
        switch prefix {
        case UInt8(ascii: "a"): -18
        case UInt8(ascii: "f"): -15
        case UInt8(ascii: "p"): -12
        case UInt8(ascii: "n"): -9
        case UInt8(ascii: "u"): -6
        case UInt8(ascii: "m"): -3
        case UInt8(ascii: " "), UInt8(ascii: "i"): 0
        case UInt8(ascii: "k"): 3
        case UInt8(ascii: "M"): 6
        case UInt8(ascii: "G"): 9
        case UInt8(ascii: "T"): 12
        case UInt8(ascii: "P"): 15
        case UInt8(ascii: "E"): 18
        default: nil
        }
    }

    private static let powers: [Double] = [1, 1e3, 1e6, 1e9, 1e12, 1e15, 1e18]

    private static func digit(_ byte: UInt8) -> Int? {
        switch byte {
        case 0x30...0x39: Int(byte) - 0x30
        case 0x41...0x46: Int(byte) - 0x41 + 10
        case 0x61...0x66: Int(byte) - 0x61 + 10
        default: nil
        }
    }
}

extension MethodSCRIPTValue {
    /// The value nearest to `number` with the prefix that keeps the most digits; zero has the space.
    public init(_ number: Double) {
        guard number.isFinite else {
            self = .nan
            return
        }
        self.init(mantissa: 0, prefix: UInt8(ascii: " "))
        guard number != 0 else { return }
        for letter in "afpnum kMGTPE".utf8 {
            guard let exponent = Self.exponent(of: letter) else { continue }
            let power = Self.powers[abs(exponent) / 3]
            let scaled = (exponent < 0 ? number * power : number / power).rounded()
            if scaled >= -134_217_728, scaled <= 134_217_727 {
                mantissa = Int(scaled)
                prefix = letter
                return
            }
        }
        self = .nan
    }

    /// A whole number, marked as such; NaN when it does not fit 28 bits.
    public init(integer: Int) {
        let fits = (-134_217_728...134_217_727).contains(integer)
        self.init(mantissa: fits ? integer : nil, prefix: UInt8(ascii: fits ? "i" : " "))
    }

    /// The eight characters on the wire.
    public var text: String {
        guard let mantissa else { return "     nan" }
        let digits = String(mantissa + 0x800_0000, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 7 - digits.count)) + digits
            + String(decoding: [prefix], as: UTF8.self)
    }
}
