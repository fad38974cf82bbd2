/// Reads numbers from bytes, in order, never beyond their end.
struct ByteReader {
    private let bytes: [UInt8]
    /// How many bytes were read.
    private(set) var position: Int
    private let end: Int

    init(_ bytes: [UInt8], from position: Int = 0) {
        self.bytes = bytes
        end = bytes.count
        self.position = Swift.min(position, bytes.count)
    }

    /// How many bytes are left.
    var left: Int { end - position }

    mutating func u8() -> UInt8? {
        guard left >= 1 else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    mutating func u16le() -> UInt16? {
        guard left >= 2 else { return nil }
        defer { position += 2 }
        return UInt16(bytes[position]) | UInt16(bytes[position + 1]) << 8
    }

    mutating func u16be() -> UInt16? { u16le().map(\.byteSwapped) }

    mutating func i16be() -> Int16? { u16be().map { Int16(bitPattern: $0) } }

    mutating func u32le() -> UInt32? { unsigned(4).map { UInt32(truncatingIfNeeded: $0) } }

    mutating func u64le() -> UInt64? { unsigned(8) }

    /// A little-endian number of `count` bytes, at most 8.
    mutating func unsigned(_ count: Int) -> UInt64? {
        guard count <= 8, left >= count else { return nil }
        defer { position += count }
        var value: UInt64 = 0
        for index in 0..<count { value |= UInt64(bytes[position + index]) << UInt64(8 * index) }
        return value
    }

    /// A little-endian two's complement number of `count` bytes, at most 8.
    mutating func signed(_ count: Int) -> Int? {
        guard count > 0, let value = unsigned(count) else { return nil }
        let unused = UInt64(64 - 8 * count)
        return Int(Int64(bitPattern: value << unused) >> Int64(unused))
    }

    /// The next `count` bytes.
    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, left >= count else { return nil }
        defer { position += count }
        return bytes[position..<position + count]
    }
}

extension Array where Element == UInt8 {
    /// Appends `count` bytes of a number, least significant first.
    mutating func append(littleEndian value: Int, count: Int) {
        for index in 0..<count { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    /// Appends `count` bytes of a number, most significant first.
    mutating func append(bigEndian value: Int, count: Int) {
        for index in (0..<count).reversed() { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }
}
