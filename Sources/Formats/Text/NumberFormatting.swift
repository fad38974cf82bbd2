import CVectors
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
        append(to: &bytes) { write(value, at: &$0) }
    }

    static func append(_ value: Int, to bytes: inout [UInt8]) {
        append(to: &bytes) { write(value, at: &$0) }
    }

    static func append(onset value: Seconds, to bytes: inout [UInt8]) {
        append(to: &bytes) { write(onset: value, at: &$0) }
    }

    private static func append(to bytes: inout [UInt8], _ write: (inout TextCursor) -> Void) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: TextCursor.room) { memory in
            guard let first = memory.baseAddress else { return }
            var cursor = TextCursor(first)
            write(&cursor)
            bytes.append(contentsOf: UnsafeBufferPointer(start: first, count: cursor.place - first))
        }
    }

    /// Writes a number as `append` does, where there is `TextCursor.room`.
    static func write(_ value: Double, at cursor: inout TextCursor) {
        var told = 0.0
        let count = marey_put_number(value, cursor.place, &told)
        // Without the tab behind it.
        if count > 0 { return cursor.pass(count - 1) }
        guard value.isFinite else { return cursor.put("n/a") }
        if let whole = Int(exactly: value), whole.magnitude < 1_000_000_000 { return write(whole, at: &cursor) }
        guard let (digits, exponent) = nineDigits(value.magnitude) else { return writeByC(value, at: &cursor) }
        if value < 0 { cursor.put(UInt8(ascii: "-")) }
        write(digits: digits, exponent: exponent, at: &cursor)
    }

    /// Writes an integer, where there is `TextCursor.room`.
    static func write(_ value: Int, at cursor: inout TextCursor) {
        if value < 0 { cursor.put(UInt8(ascii: "-")) }
        cursor.put(magnitude: UInt64(value.magnitude))
    }

    /// Writes a time on the grid of 0.1 ms, where there is `TextCursor.room`.
    static func write(onset value: Seconds, at cursor: inout TextCursor) {
        guard value.isFinite else { return cursor.put("n/a") }
        guard value.magnitude < 1e11 else { return write(value, at: &cursor) }
        let ticks = UInt64((value.magnitude * 10_000).rounded())
        if value < 0, ticks > 0 { cursor.put(UInt8(ascii: "-")) }
        cursor.put(magnitude: ticks / 10_000)
        cursor.put(fourDecimals: ticks % 10_000)
    }

    /// What reading the text of a time gives; nil where that is not plain to see.
    static func onGrid(_ value: Seconds) -> Double? {
        guard value.magnitude < 1e11 else { return nil }
        // Both factors are exact, so that one division rounds once, as in reading.
        let size = (value.magnitude * 10_000).rounded() / 10_000
        return value < 0 && size > 0 ? -size : size
    }

    /// 10^-14 ... 10^22, as near as can be.
    private static let leastOfPowers: [Double] = [
        1e-14, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1, 1e0, 1e1, 1e2, 1e3,
        1e4,
        1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]

    /// Nine decimal digits of `value` as a number from 10^8 to 10^9 - 1 and the power of ten of the first of them; nil
    /// where twice the precision of `Double` does not settle the rounding.
    private static func nineDigits(_ value: Double) -> (digits: UInt64, exponent: Int)? {
        guard value > 1e-13, value < 1e22 else { return nil }
        // The power of ten of a power of two, 0.30103 to one of two; the next one where the rest of the number is large.
        var exponent = (Int(value.exponent) * 1_233) >> 12
        if value >= leastOfPowers[exponent + 15] { exponent += 1 }
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
            // A product that is half way between two numbers goes to the even one, as C has it.
            let isHalf = fraction == 0.5 && rest == 0 && shift >= 0
            guard isHalf || abs(fraction - 0.5) > 1e-15 else { return nil }
            let isRaising = isHalf ? whole.truncatingRemainder(dividingBy: 2) == 1 : fraction > 0.5
            let digits = whole + (isRaising ? 1 : 0)
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

    private static func write(digits: UInt64, exponent: Int, at cursor: inout TextCursor) {
        if exponent < -4 || exponent >= 9 {
            cursor.put(magnitude: digits / 100_000_000)
            cursor.put(fraction: digits % 100_000_000, width: 8)
            cursor.put(UInt8(ascii: "e"))
            cursor.put(exponent < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
            if exponent.magnitude < 10 { cursor.put(UInt8(ascii: "0")) }
            cursor.put(magnitude: UInt64(exponent.magnitude))
        } else {
            cursor.put(nineDigits: digits, exponent: exponent)
        }
    }

    private static func writeByC(_ value: Double, at cursor: inout TextCursor) {
        let text = [CChar](unsafeUninitializedCapacity: TextCursor.room) { buffer, count in
            count = Int(withVaList([value]) { vsnprintf(buffer.baseAddress, buffer.count, "%.9g", $0) })
        }
        for character in text { cursor.put(UInt8(bitPattern: character)) }
    }
}
