/// Walks over the chunks of a file; where bytes make no sense, goes on after the next boundary chunk.
struct XDFScanner {
    /// Bytes that could not be read as chunks.
    struct Damage: Hashable {
        var bytes: Range<Int>
        /// Whether nothing readable follows: the file was cut off.
        var isTail: Bool
    }

    let window: XDFWindow
    /// Where the next chunk begins.
    private(set) var position = XDFBytes.magic.count
    /// What was skipped, in order.
    private(set) var damage: [Damage] = []

    init(_ window: XDFWindow) {
        self.window = window
    }

    /// The next chunk; nil at the end.
    mutating func next() throws -> XDFChunk? {
        let size = window.file.size
        while position < size {
            if let (chunk, end) = try chunk(at: position) {
                position = end
                return chunk
            }
            try resynchronize(from: position, searching: position)
        }
        return nil
    }

    /// Says that `chunk` holds no sense: goes on with what follows it, or with the next boundary chunk when what follows
    /// is no chunk either.
    mutating func reject(_ chunk: XDFChunk) throws {
        let follows = try position == window.file.size || self.chunk(at: position) != nil
        if follows {
            damage.append(Damage(bytes: chunk.offset..<position, isTail: false))
        } else {
            try resynchronize(from: chunk.offset, searching: chunk.offset)
        }
    }

    private mutating func resynchronize(from start: Int, searching: Int) throws {
        let size = window.file.size
        let found = try window.find(XDFBytes.boundary, from: searching)
        position = found.map { $0 + XDFBytes.boundary.count } ?? size
        // The head of the boundary chunk itself is not lost: length, tag.
        let end = found.map { max(start, $0 - 4) } ?? size
        if end > start { damage.append(Damage(bytes: start..<end, isTail: found == nil)) }
    }

    /// The chunk at `offset` and where it ends; nil when there is none.
    private func chunk(at offset: Int) throws -> (XDFChunk, end: Int)? {
        guard let (length, digits) = try length(at: offset) else { return nil }
        let start = offset + digits
        guard length >= 2, length <= window.file.size - start, let bytes = try window.bytes(at: start, 2) else {
            return nil
        }
        let end = start + length
        let number = bytes.little(0, as: UInt16.self)
        guard let tag = XDFTag(rawValue: number) else {
            // A kind of a later version is skipped, when something readable follows.
            guard try end == window.file.size || follows(end) else { return nil }
            return (XDFChunk(tag: nil, stream: 0, offset: offset, content: start + 2..<end), end)
        }
        guard tag.hasStream else {
            guard try tag != .boundary || isBoundary(start + 2..<end) else { return nil }
            return (XDFChunk(tag: tag, stream: 0, offset: offset, content: start + 2..<end), end)
        }
        guard length >= 6, tag != .clockOffset || length == 22, let head = try window.bytes(at: start, 6) else {
            return nil
        }
        return (
            XDFChunk(tag: tag, stream: head.little(2, as: UInt32.self), offset: offset, content: start + 6..<end), end
        )
    }

    /// Whether a boundary chunk can have this content: as the format says, or with bytes of a program's own besides the
    /// mark. One whose mark is destroyed leads to the next chunk; whoever walks over the chunks rejects it.
    private func isBoundary(_ content: Range<Int>) throws -> Bool {
        if content.count == XDFBytes.boundary.count { return true }
        guard content.count <= XDFBytes.longestBoundary else { return false }
        return try window.holds(XDFBytes.boundary, in: content) || content.upperBound == window.file.size
            || follows(content.upperBound)
    }

    private func follows(_ offset: Int) throws -> Bool {
        guard let (length, digits) = try length(at: offset), length >= 2,
            length <= window.file.size - offset - digits, let bytes = try window.bytes(at: offset + digits, 2)
        else { return false }
        return XDFTag(rawValue: bytes.little(0, as: UInt16.self)) != nil
    }

    /// The number of variable length at `offset`, and how many bytes it takes (XDF 1.0, "Variable-Length Integers").
    func length(at offset: Int) throws -> (value: Int, digits: Int)? {
        guard let first = try window.bytes(at: offset, 1) else { return nil }
        let digits = Int(first[0])
        guard digits == 1 || digits == 4 || digits == 8, let bytes = try window.bytes(at: offset, 1 + digits) else {
            return nil
        }
        return XDFScanner.length(bytes, 0).map { ($0.value, $0.digits) }
    }

    /// The number of variable length at `offset` of `bytes`; nil when it is none or reaches over their end.
    static func length(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> (value: Int, digits: Int)? {
        guard offset < bytes.count else { return nil }
        switch bytes[offset] {
        case 1 where offset + 2 <= bytes.count: return (Int(bytes[offset + 1]), 2)
        case 4 where offset + 5 <= bytes.count: return (Int(bytes.little(offset + 1, as: UInt32.self)), 5)
        case 8 where offset + 9 <= bytes.count:
            return Int(exactly: bytes.little(offset + 1, as: UInt64.self)).map { ($0, 9) }
        default: return nil
        }
    }
}
