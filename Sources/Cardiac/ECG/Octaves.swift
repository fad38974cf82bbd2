/// The binary logarithm of a positive number, the same bits on every machine; -126 for what is smaller.
@inline(__always)
func octaves(_ value: Float) -> Double {
    guard value > Float.leastNormalMagnitude else { return -126 }
    let bits = value.bitPattern
    // The mantissa is brought to 0.707…1.414, around 1.
    let isHigh = bits & 0x7f_ffff > 0x35_04f3
    let mantissa = Double(Float(bitPattern: bits & 0x7f_ffff | (isHigh ? 0x3f00_0000 : 0x3f80_0000)))
    let exponent = Double(Int32(bits >> 23) - (isHigh ? 126 : 127))
    // 2 artanh(t) = ln((1 + t) / (1 - t))
    let t = (mantissa - 1) / (mantissa + 1)
    let square = t * t
    let series = t * (1 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square / 9))))
    return exponent + 2.885390081777927 * series
}
