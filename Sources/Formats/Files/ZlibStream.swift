import CZlib

/// Unpacks a part of a file (zlib, RFC 1950) a piece at a time.
final class ZlibStream {
    private let input: InputFile
    private var place: Int
    private let end: Int
    // zlib keeps the address of its state.
    private let state = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    private var packed: [UInt8] = []
    private var taken = 0

    /// The `count` bytes at `place`.
    /// - Throws: `FormatError` where there is no memory for it.
    init(_ input: InputFile, at place: Int, count: Int) throws {
        self.input = input
        self.place = place
        end = place + count
        state.initialize(to: z_stream())
        guard inflateInit_(state, ZLIB_VERSION, CInt(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw FormatError(input.url, at: "byte \(place)", "cannot be unpacked: no memory")
        }
    }

    deinit {
        inflateEnd(state)
        state.deallocate()
    }

    /// The next `count` unpacked bytes.
    /// - Throws: `FormatError` where there are fewer, or they are damaged.
    func read(_ count: Int) throws -> [UInt8] {
        var unpacked = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            if taken == packed.count {
                packed = try input.read(at: place, count: min(1 << 16, end - place))
                place += packed.count
                taken = 0
            }
            let status = packed.withUnsafeMutableBufferPointer { source in
                unpacked.withUnsafeMutableBufferPointer { out in
                    state.pointee.next_in = source.baseAddress.map { $0 + taken }
                    state.pointee.avail_in = UInt32(source.count - taken)
                    state.pointee.next_out = out.baseAddress.map { $0 + filled }
                    state.pointee.avail_out = UInt32(clamping: out.count - filled)
                    let wanted = state.pointee.avail_out
                    let status = inflate(state, Z_NO_FLUSH)
                    taken = source.count - Int(state.pointee.avail_in)
                    filled += Int(wanted - state.pointee.avail_out)
                    return status
                }
            }
            guard filled == count || status == Z_OK && (taken < packed.count || place < end) else {
                throw FormatError(input.url, at: "byte \(place)", "its compressed data are damaged or end early")
            }
        }
        return unpacked
    }

    /// Unpacks what is left and compares all with the checksum at the end.
    /// - Throws: `FormatError` where they do not agree, or the bytes are damaged or end early.
    func finish() throws {
        var rest = [UInt8](repeating: 0, count: 1 << 12)
        while true {
            if taken == packed.count {
                packed = try input.read(at: place, count: min(1 << 16, end - place))
                place += packed.count
                taken = 0
            }
            let (status, isStuck) = packed.withUnsafeMutableBufferPointer { source in
                rest.withUnsafeMutableBufferPointer { out in
                    state.pointee.next_in = source.baseAddress.map { $0 + taken }
                    state.pointee.avail_in = UInt32(source.count - taken)
                    state.pointee.next_out = out.baseAddress
                    state.pointee.avail_out = UInt32(out.count)
                    let status = inflate(state, Z_NO_FLUSH)
                    let used = source.count - Int(state.pointee.avail_in) - taken
                    taken += used
                    return (status, used == 0 && Int(state.pointee.avail_out) == out.count)
                }
            }
            if status == Z_STREAM_END { return }
            guard status == Z_OK, !isStuck else {
                throw FormatError(input.url, at: "byte \(place)", "its compressed data are damaged or end early")
            }
        }
    }
}
