/// A Bluetooth attribute's identifier, 128 bits; the 16-bit numbers of the Bluetooth SIG expand into its base UUID
/// (Bluetooth Core Specification, Vol 3, Part B, 2.5.1).
public struct BluetoothUUID: Hashable, Sendable {
    /// The first eight bytes as written, most significant first.
    public let high: UInt64
    /// The last eight bytes as written.
    public let low: UInt64

    /// The identifier with these sixteen bytes.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A number the Bluetooth SIG assigned, such as `0x180D` for the Heart Rate service.
    public init(_ assigned: UInt16) {
        self.init(high: UInt64(assigned) << 32 | 0x1000, low: 0x8000_0080_5F9B_34FB)
    }

    /// The identifier written as 4, 8 or 32 hexadecimal digits, with or without hyphens; nil for anything else.
    public init?(_ text: String) {
        let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
        func number(_ part: some Sequence<UInt8>) -> UInt64? {
            UInt64(String(decoding: Array(part), as: UTF8.self), radix: 16)
        }
        switch digits.count {
        case 4, 8:
            guard let assigned = number(digits) else { return nil }
            self.init(high: assigned << 32 | 0x1000, low: 0x8000_0080_5F9B_34FB)
        case 32:
            guard let high = number(digits.prefix(16)), let low = number(digits.suffix(16)) else { return nil }
            self.init(high: high, low: low)
        default: return nil
        }
    }
}

extension BluetoothUUID: CustomStringConvertible {
    /// 36 lower-case characters with hyphens, as BlueZ writes it.
    public var description: String {
        let digits = Self.padded(high) + Self.padded(low)
        var text = ""
        for (position, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(position) { text += "-" }
            text.append(digit)
        }
        return text
    }

    private static func padded(_ half: UInt64) -> String {
        let digits = String(half, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
