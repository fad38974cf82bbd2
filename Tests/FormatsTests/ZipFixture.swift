/// A zip archive made by hand, every field of it free to be wrong.
struct ZipFixture {
    struct Entry {
        var name: String
        var content: [UInt8] = []
        /// The deflated content; nil to store it as it is.
        var deflated: [UInt8]?
        /// The length the archive tells; nil for the true one.
        var statedSize: UInt32?
        /// Unix mode, such as 0o120777 for a symbolic link.
        var mode: UInt32 = 0o100644
        var isEncrypted = false
        var method: UInt16?
    }

    var entries: [Entry] = []

    init(_ files: [String: String] = [:]) {
        entries = files.sorted { $0.key < $1.key }.map { Entry(name: $0.key, content: Array($0.value.utf8)) }
    }

    /// The whole archive.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        var directory: [UInt8] = []
        for entry in entries {
            let offset = UInt32(bytes.count)
            let data = entry.deflated ?? entry.content
            let method = entry.method ?? (entry.deflated == nil ? 0 : 8)
            var fields = Self.halves(20, UInt16(entry.isEncrypted ? 0x801 : 0x800), method, 0, 0x21)
            fields += Self.words(
                Self.crc32(entry.content), UInt32(data.count), entry.statedSize ?? UInt32(entry.content.count))
            fields += Self.halves(UInt16(entry.name.utf8.count), 0)
            bytes += Self.words(0x0403_4B50) + fields + Array(entry.name.utf8) + data
            directory += Self.words(0x0201_4B50) + Self.halves(0x0314) + fields
            directory += Self.halves(0, 0, 0) + Self.words(entry.mode << 16, offset) + Array(entry.name.utf8)
        }
        let start = UInt32(bytes.count)
        let count = UInt16(entries.count)
        bytes += directory + Self.words(0x0605_4B50) + Self.halves(0, 0, count, count)
        return bytes + Self.words(UInt32(directory.count), start) + Self.halves(0)
    }

    /// `'0'` and a newline, `count` times, deflated with matches of 258 bytes: 1300 times smaller.
    static func deflatedZeros(_ count: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var bits: UInt64 = 0
        var held = 0
        func put(_ value: UInt64, _ width: Int) {
            bits |= value << UInt64(held)
            held += width
            while held >= 8 {
                bytes.append(UInt8(bits & 0xFF))
                bits >>= 8
                held -= 8
            }
        }
        func putCode(_ code: UInt64, _ width: Int) {
            // Huffman codes go in with their most significant bit first.
            for bit in (0..<width).reversed() { put(code >> UInt64(bit) & 1, 1) }
        }
        put(0b011, 3)
        putCode(0x30 + 0x30, 8)
        putCode(0x30 + 0x0A, 8)
        // Length 258 at distance 2: 13 bits, so that eight of them end at the same bit of a byte.
        func putEight() {
            for _ in 0..<8 {
                putCode(0b1100_0101, 8)
                putCode(1, 5)
            }
        }
        putEight()
        putEight()
        let eight = bytes.suffix(13)
        bytes.reserveCapacity(count / 60)
        for _ in 0..<(count * 2 - 2) / 258 / 8 - 2 { bytes += eight }
        putCode(0, 7)
        put(0, 7)
        return bytes
    }

    private static func halves(_ values: UInt16...) -> [UInt8] {
        values.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    }

    private static func words(_ values: UInt32...) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
    }

    static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ $0 >> 8 }
    }
}
