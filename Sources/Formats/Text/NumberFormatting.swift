import Foundation
public import Signals

/// Writes numbers as text, the same on every machine.
public enum NumberFormatting {
    /// `value` with at most 9 significant digits and no needless zeros, as C's `%.9g` gives it; `n/a` when not finite.
    public static func text(_ value: Double) -> String {
        var bytes: [UInt8] = []
        append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A time in seconds on a grid of 0.1 ms, without needless zeros; `n/a` when not finite.
    public static func onset(_ value: Seconds) -> String {
        var bytes: [UInt8] = []
        append(onset: value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    static func append(_ value: Double, to bytes: inout [UInt8]) {
        guard value.isFinite else { return bytes.append(contentsOf: "n/a".utf8) }
        if value == 0 { return bytes.append(UInt8(ascii: "0")) }
        if let whole = Int(exactly: value), whole.magnitude < 1_000_000_000 { return append(whole, to: &bytes) }
        guard let (digits, exponent) = nineDigits(value.magnitude) else { return appendByC(value, to: &bytes) }
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        append(digits: digits, exponent: exponent, to: &bytes)
    }

    static func append(_ value: Int, to bytes: inout [UInt8]) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        append(magnitude: UInt64(value.magnitude), width: 1, to: &bytes)
    }

    static func append(onset value: Seconds, to bytes: inout [UInt8]) {
        guard value.isFinite else { return bytes.append(contentsOf: "n/a".utf8) }
        guard value.magnitude < 1e11 else { return append(value, to: &bytes) }
        let ticks = UInt64((value.magnitude * 10_000).rounded())
        if value < 0, ticks > 0 { bytes.append(UInt8(ascii: "-")) }
        append(magnitude: ticks / 10_000, width: 1, to: &bytes)
        append(fraction: ticks % 10_000, width: 4, to: &bytes)
    }

    /// Nine decimal digits of `value` as a number from 10^8 to 10^9 - 1 and the power of ten of the first of them; nil
    /// where twice the precision of `Double` does not settle the rounding.
    private static func nineDigits(_ value: Double) -> (digits: UInt64, exponent: Int)? {
        guard value > 1e-13, value < 1e22 else { return nil }
        var exponent = Int(Foundation.log10(value).rounded(.down))
        var isRaised = false
        for _ in 0..<3 {
            let shift = 8 - exponent
            guard abs(shift) <= 22 else { return nil }
            let power = powersOfTen[abs(shift)]
            let scaled = shift < 0 ? value / power : value * power
            let rest =
                shift < 0 ? value.addingProduct(-scaled, power) / power : (-scaled).addingProduct(value, power)
            let whole = scaled.rounded(.down)
            let fraction = (scaled - whole) + rest
            guard abs(fraction - 0.5) > 1e-15 else { return nil }
            let digits = whole + (fraction > 0.5 ? 1 : 0)
            if digits >= 1e9 {
                exponent += 1
                isRaised = true
            } else if whole + fraction < 1e8, !isRaised {
                exponent -= 1
            } else {
                return (UInt64(digits), exponent)
            }
        }
        return nil
    }

    private static func append(digits: UInt64, exponent: Int, to bytes: inout [UInt8]) {
        if exponent < -4 || exponent >= 9 {
            append(magnitude: digits / 100_000_000, width: 1, to: &bytes)
            append(fraction: digits % 100_000_000, width: 8, to: &bytes)
            bytes.append(UInt8(ascii: "e"))
            bytes.append(exponent < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
            append(magnitude: UInt64(exponent.magnitude), width: 2, to: &bytes)
        } else if exponent < 0 {
            bytes.append(UInt8(ascii: "0"))
            append(fraction: digits, width: 8 - exponent, to: &bytes)
        } else {
            var unit: UInt64 = 1
            for _ in exponent..<8 { unit *= 10 }
            append(magnitude: digits / unit, width: 1, to: &bytes)
            append(fraction: digits % unit, width: 8 - exponent, to: &bytes)
        }
    }

    private static func append(fraction: UInt64, width: Int, to bytes: inout [UInt8]) {
        guard fraction > 0 else { return }
        var fraction = fraction
        var width = width
        while fraction % 10 == 0 {
            fraction /= 10
            width -= 1
        }
        bytes.append(UInt8(ascii: "."))
        append(magnitude: fraction, width: width, to: &bytes)
    }

    private static func append(magnitude: UInt64, width: Int, to bytes: inout [UInt8]) {
        let first = bytes.count
        var rest = magnitude
        while rest > 0 || bytes.count - first < width {
            bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
            rest /= 10
        }
        var low = first
        var high = bytes.count - 1
        while low < high {
            bytes.swapAt(low, high)
            low += 1
            high -= 1
        }
    }

    private static func appendByC(_ value: Double, to bytes: inout [UInt8]) {
        let text = [CChar](unsafeUninitializedCapacity: 32) { buffer, count in
            count = Int(withVaList([value]) { vsnprintf(buffer.baseAddress, buffer.count, "%.9g", $0) })
        }
        bytes.append(contentsOf: text.map { UInt8(bitPattern: $0) })
    }
}
