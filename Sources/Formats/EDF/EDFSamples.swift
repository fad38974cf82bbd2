/// Turns stored samples into physical values.
enum EDFSamples {
    /// A linear scale and, in files of this library, the stored number that stands for a missing sample.
    struct Scale {
        var gain: Double
        var offset: Double
        var missing: Int32?
    }

    /// Converts `count` 16-bit samples; true when one of them is missing.
    static func convert16(_ bytes: UnsafeRawPointer, _ count: Int, _ out: UnsafeMutablePointer<Float>, _ scale: Scale)
        -> Bool
    {
        let gain = scale.gain
        let offset = scale.offset
        for index in 0..<count {
            let stored = Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: index &* 2, as: Int16.self))
            out[index] = Float(Double(stored) * gain + offset)
        }
        guard let missing = scale.missing.map(Int16.init(truncatingIfNeeded:)) else { return false }
        var found = false
        for index in 0..<count
        where Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: index &* 2, as: Int16.self)) == missing {
            out[index] = .nan
            found = true
        }
        return found
    }

    /// Converts `count` 24-bit samples; true when one of them is missing.
    static func convert24(_ bytes: UnsafeRawPointer, _ count: Int, _ out: UnsafeMutablePointer<Float>, _ scale: Scale)
        -> Bool
    {
        let gain = scale.gain
        let offset = scale.offset
        guard count > 0 else { return false }
        // All but the last are read with the byte that follows them, which the shift throws away.
        for index in 0..<count - 1 {
            let word = Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: index &* 3, as: Int32.self))
            out[index] = Float(Double((word << 8) >> 8) * gain + offset)
        }
        let last = bytes + (count - 1) * 3
        let high = Int32(Int8(bitPattern: last.load(fromByteOffset: 2, as: UInt8.self)))
        let word = high << 16 | Int32(last.load(fromByteOffset: 1, as: UInt8.self)) << 8
        let stored = word | Int32(last.load(as: UInt8.self))
        out[count - 1] = Float(Double(stored) * gain + offset)
        guard let missing = scale.missing else { return false }
        var found = stored == missing
        if found { out[count - 1] = .nan }
        for index in 0..<count - 1 {
            let word = Int32(littleEndian: bytes.loadUnaligned(fromByteOffset: index &* 3, as: Int32.self))
            guard (word << 8) >> 8 == missing else { continue }
            out[index] = .nan
            found = true
        }
        return found
    }
}
