import Foundation

/// Reads the data elements of a MATLAB file of level 5 (MathWorks, "MAT-File Format", chapter 1): a tag of type and length,
/// then the data, which of an array are its flags, dimensions, name and content, elements again.
struct MatlabDecoder {
    let bytes: MatlabBytes
    let isBigEndian: Bool

    /// One data element.
    struct Element {
        var type: UInt32
        /// Where its data begin.
        var place: Int
        /// Bytes of data.
        var count: Int
        /// Where the next element begins.
        var next: Int

        var end: Int { place + count }
    }

    /// What an array says of itself, and where its content begins.
    struct Heading {
        var kind: MatlabClass?
        var isComplex = false
        var shape: [Int] = []
        /// How many elements it has.
        var count = 0
        var name = ""
        var content: Int
        var end: Int
    }

    private static let mostDimensions = 32

    static func number(_ bytes: [UInt8], _ place: Int, _ isBigEndian: Bool) -> UInt32 {
        (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[place + (isBigEndian ? $1 : 3 - $1)]) }
    }

    /// The element whose tag is at `place`, of data that end at `end`.
    /// - Throws: `FormatError` where it is longer than that.
    func element(at place: Int, within end: Int) throws -> Element {
        guard place >= 0, end - place >= 8 else { throw bytes.error(at: place, "ends within a variable") }
        let tag = try bytes.read(at: place, count: 8)
        let (first, second) = (Self.number(tag, 0, isBigEndian), Self.number(tag, 4, isBigEndian))
        // Up to four bytes of data stand in the tag itself.
        if first >> 16 != 0 {
            let count = Int(first >> 16)
            guard count <= 4 else { throw bytes.error(at: place, "has a tag that cannot be, \(first)") }
            return Element(type: first & 0xFFFF, place: place + 4, count: count, next: place + 8)
        }
        let count = Int(second)
        guard count <= end - place - 8 else {
            throw bytes.error(
                at: place, "\(count) bytes should follow, \(end - place - 8) do: it is cut off or damaged")
        }
        let padded = first == MatlabType.compressed.rawValue ? count : (count + 7) / 8 * 8
        return Element(type: first, place: place + 8, count: count, next: min(place + 8 + padded, end))
    }

    /// What the array `matrix` says of itself.
    /// - Throws: `FormatError` where that cannot be right.
    func heading(of matrix: Element) throws -> Heading {
        var heading = Heading(content: matrix.end, end: matrix.end)
        // An empty array may be stored as nothing at all.
        if matrix.count == 0 {
            (heading.kind, heading.shape) = (.double, [0, 0])
            return heading
        }
        let flags = try element(at: matrix.place, within: matrix.end)
        guard flags.type == MatlabType.uint32.rawValue, flags.count == 8 else {
            throw bytes.error(at: matrix.place, "does not begin with the flags of an array")
        }
        let word = Self.number(try bytes.read(at: flags.place, count: 4), 0, isBigEndian)
        heading.kind = MatlabClass(rawValue: UInt8(word & 0xFF))
        heading.isComplex = word & 0x0800 != 0
        // The rest of these is not told.
        guard heading.kind != .opaque, heading.kind != nil else { return heading }
        let dimensions = try element(at: flags.next, within: matrix.end)
        guard dimensions.type == MatlabType.int32.rawValue, dimensions.count % 4 == 0,
            (2...Self.mostDimensions).contains(dimensions.count / 4)
        else { throw bytes.error(at: flags.next, "should tell the dimensions of an array") }
        let raw = try bytes.read(at: dimensions.place, count: dimensions.count)
        heading.shape = (0..<dimensions.count / 4).map { Int(Int32(bitPattern: Self.number(raw, 4 * $0, isBigEndian))) }
        guard let count = Self.product(heading.shape) else {
            throw bytes.error(at: dimensions.place, "tells dimensions that cannot be, \(heading.shape)")
        }
        heading.count = count
        let name = try element(at: dimensions.next, within: matrix.end)
        guard name.count <= 4_096 else {
            throw bytes.error(at: dimensions.next, "has a name of \(name.count) bytes")
        }
        heading.name = String(
            decoding: try bytes.read(at: name.place, count: name.count).prefix { $0 != 0 }, as: UTF8.self)
        heading.content = name.next
        return heading
    }

    /// How many elements an array of this shape has; nil where a dimension is below 0 or they are too many to count.
    static func product(_ shape: [Int]) -> Int? {
        var product = 1
        for length in shape {
            let (next, isTooLarge) = product.multipliedReportingOverflow(by: length)
            guard length >= 0, !isTooLarge else { return nil }
            product = next
        }
        return product
    }
}
