import Foundation

/// A small picture of coloured cells as a PNG file (ISO/IEC 15948) inside an address: indexed colours, not compressed.
struct Raster {
    let width: Int
    let height: Int
    /// Row by row from the top: places in the palette; 0 is see-through.
    var cells: [UInt8]

    /// See-through cells.
    init(width: Int, height: Int) {
        (self.width, self.height) = (max(1, width), max(1, height))
        cells = Array(repeating: 0, count: self.width * self.height)
    }

    /// The picture as a `data:` address, cell k in the colour `palette[k]`.
    /// - Precondition: 1 to 256 colours.
    func address(palette: [(r: UInt8, g: UInt8, b: UInt8)]) -> String {
        precondition((1...256).contains(palette.count), "a palette of 256 colours at most")
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        Self.chunk("IHDR", Self.bytes(UInt32(width)) + Self.bytes(UInt32(height)) + [8, 3, 0, 0, 0], into: &file)
        Self.chunk("PLTE", palette.flatMap { [$0.r, $0.g, $0.b] }, into: &file)
        Self.chunk("tRNS", [0], into: &file)
        var rows: [UInt8] = []
        rows.reserveCapacity((width + 1) * height)
        for row in 0..<height { rows += [0] + cells[row * width..<(row + 1) * width] }
        Self.chunk("IDAT", Self.stored(rows), into: &file)
        Self.chunk("IEND", [], into: &file)
        return "data:image/png;base64," + Data(file).base64EncodedString()
    }

    private static func bytes(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    private static func chunk(_ name: String, _ content: [UInt8], into file: inout [UInt8]) {
        let body = Array(name.utf8) + content
        file += bytes(UInt32(content.count)) + body + bytes(checksum(body))
    }

    /// Bytes as they are in the form of zlib (RFC 1950, RFC 1951 section 3.2.4).
    private static func stored(_ content: [UInt8]) -> [UInt8] {
        var stream: [UInt8] = [0x78, 0x01]
        var place = 0
        repeat {
            let count = min(65_535, content.count - place)
            let isLast: UInt8 = place + count == content.count ? 1 : 0
            let (low, high) = (UInt8(count & 255), UInt8(count >> 8))
            stream += [isLast, low, high, ~low, ~high] + content[place..<place + count]
            place += count
        } while place < content.count
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in content {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        return stream + bytes(b << 16 | a)
    }

    /// CRC-32 as PNG has it.
    private static func checksum(_ content: [UInt8]) -> UInt32 {
        var value: UInt32 = 0xFFFF_FFFF
        for byte in content {
            value ^= UInt32(byte)
            for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
        return ~value
    }

    /// 255 colours from dark blue over green to yellow, even in lightness (the anchors of viridis, van der Walt &
    /// Smith 2015), after a first one that is see-through.
    static let evenPalette: [(r: UInt8, g: UInt8, b: UInt8)] = {
        let anchors: [(Double, Double, Double)] = [
            (68, 1, 84), (72, 40, 120), (62, 74, 137), (49, 104, 142), (38, 130, 142), (31, 158, 137),
            (53, 183, 121), (109, 205, 89), (180, 222, 44), (253, 231, 37),
        ]
        let colours = (0..<255).map { place -> (r: UInt8, g: UInt8, b: UInt8) in
            let at = Double(place) / 254 * Double(anchors.count - 1)
            let first = min(Int(at), anchors.count - 2)
            let share = at - Double(first)
            let (a, b) = (anchors[first], anchors[first + 1])
            func mix(_ x: Double, _ y: Double) -> UInt8 { UInt8((x + (y - x) * share).rounded()) }
            return (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
        }
        return [(r: 255, g: 255, b: 255)] + colours
    }()
}
