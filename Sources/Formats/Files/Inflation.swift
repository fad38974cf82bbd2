import CZlib

/// Unpacks DEFLATE (RFC 1951) without a wrapper.
enum Inflation {
    /// What the bytes unpack to; nil when they are damaged, end early, or unpack to more than `limit` bytes.
    static func raw(_ bytes: ArraySlice<UInt8>, limit: Int) -> [UInt8]? {
        // zlib keeps the address of its state.
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        guard inflateInit2_(stream, -MAX_WBITS, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(stream) }
        var unpacked: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        var input = Array(bytes)
        let status = input.withUnsafeMutableBufferPointer { source in
            stream.pointee.next_in = source.baseAddress
            stream.pointee.avail_in = UInt32(clamping: source.count)
            while true {
                let (status, count) = piece.withUnsafeMutableBufferPointer { out in
                    stream.pointee.next_out = out.baseAddress
                    stream.pointee.avail_out = UInt32(out.count)
                    return (inflate(stream, Z_NO_FLUSH), out.count - Int(stream.pointee.avail_out))
                }
                unpacked += piece[..<count]
                // No progress: the bytes end early.
                guard status == Z_OK, count > 0, unpacked.count <= limit else { return status }
            }
        }
        return status == Z_STREAM_END && unpacked.count <= limit ? unpacked : nil
    }
}
