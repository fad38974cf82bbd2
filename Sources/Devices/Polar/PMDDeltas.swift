/// Samples as differences: a reference sample, then blocks of differences of a common width, channels interleaved,
/// bits from the least significant on.
public enum PMDDeltas {
    /// A frame has at most 512 bytes, so no more than this many samples of any real measurement.
    static let mostFrames = 4_096

    /// All values, channels interleaved.
    /// - Throws: `PMDError.malformed` when a block runs past the end, is wider than 32 bits, or there is no reference.
    public static func decode(
        _ bytes: [UInt8], channels: Int, referenceBytes: Int
    ) throws(PMDError) -> [Int32] {
        var reader = ByteReader(bytes)
        var values: [Int32] = []
        for _ in 0..<channels {
            guard let value = reader.signed(referenceBytes) else { throw .malformed("no reference sample") }
            values.append(Int32(truncatingIfNeeded: value))
        }
        while reader.left > 0 {
            guard let width = reader.u8(), let count = reader.u8() else { throw .malformed("half a block's header") }
            guard width <= 32 else { throw .malformed("differences of \(width) bits") }
            let bits = Int(width) * Int(count) * channels
            guard let payload = reader.take((bits + 7) / 8) else { throw .malformed("a block runs past the frame") }
            guard values.count + Int(count) * channels <= mostFrames * channels else {
                throw .malformed("more than \(mostFrames) samples")
            }
            append(payload, width: Int(width), count: Int(count), channels: channels, to: &values)
        }
        return values
    }

    private static func append(
        _ payload: ArraySlice<UInt8>, width: Int, count: Int, channels: Int, to values: inout [Int32]
    ) {
        var bits: UInt64 = 0
        var held = 0
        var place = payload.startIndex
        let unused = Int32(32 - width)
        for _ in 0..<count * channels {
            while held < width {
                bits |= UInt64(payload[place]) << UInt64(held)
                place += 1
                held += 8
            }
            let difference = width == 0 ? 0 : (Int32(truncatingIfNeeded: bits) << unused) >> unused
            bits >>= UInt64(width)
            held -= width
            values.append(values[values.count - channels] &+ difference)
        }
    }

    /// The bytes of `values` (channels interleaved) as a reference and one block per `blockFrames` samples, each as
    /// narrow as its differences allow.
    public static func encode(
        _ values: [Int32], channels: Int, referenceBytes: Int, blockFrames: Int = 16
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for value in values.prefix(channels) { bytes.append(littleEndian: Int(value), count: referenceBytes) }
        var first = channels
        while first < values.count {
            let end = Swift.min(values.count, first + Swift.min(blockFrames, 255) * channels)
            let differences = (first..<end).map { values[$0] &- values[$0 - channels] }
            let width = differences.map { 33 - ($0 < 0 ? ~$0 : $0).leadingZeroBitCount }.max() ?? 0
            let needed = differences.allSatisfy { $0 == 0 } ? 0 : width
            bytes += [UInt8(needed), UInt8(differences.count / channels)]
            append(differences, width: needed, to: &bytes)
            first = end
        }
        return bytes
    }

    private static func append(_ differences: [Int32], width: Int, to bytes: inout [UInt8]) {
        var bits: UInt64 = 0
        var held = 0
        for difference in differences where width > 0 {
            bits |= (UInt64(UInt32(bitPattern: difference)) & ((1 << UInt64(width)) - 1)) << UInt64(held)
            held += width
            while held >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: bits))
                bits >>= 8
                held -= 8
            }
        }
        if held > 0 { bytes.append(UInt8(truncatingIfNeeded: bits)) }
    }
}
