/// Counts the frames that a client sends over a WebSocket (RFC 6455, section 5.2).
struct FrameMeter {
    private var header: [UInt8] = []
    private var left = 0

    /// Counts bytes.
    /// - Throws: when a frame says that it is too long.
    mutating func take(_ bytes: ArraySlice<UInt8>, longest: Int) throws(Problem) {
        var rest = bytes
        while !rest.isEmpty {
            let skipped = min(left, rest.count)
            left -= skipped
            rest = rest.dropFirst(skipped)
            guard left == 0, let byte = rest.popFirst() else { return }
            header.append(byte)
            guard header.count >= 2, header.count == size else { continue }
            guard let length, length <= longest else {
                throw Problem(413, "tooLarge", "a frame may have \(longest) bytes")
            }
            left = length
            header.removeAll(keepingCapacity: true)
        }
    }

    /// Bytes of the frame's header.
    private var size: Int { 2 + extent + (header[1] & 0x80 == 0 ? 0 : 4) }

    private var extent: Int {
        switch header[1] & 0x7F {
        case 127: 8
        case 126: 2
        default: 0
        }
    }

    /// Bytes of the frame's content; nil where that is no number.
    private var length: Int? {
        if extent == 0 { return Int(header[1] & 0x7F) }
        return Int(exactly: header[2..<2 + extent].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }
}
