import CZlib
import Foundation

/// A gzip file (RFC 1952) being written; it appears under its name only when it is complete. The same content gives the
/// same bytes: the header has neither time nor name.
final class GzipWriter {
    private let file: AtomicFile
    // zlib keeps the address of its state.
    private let stream: UnsafeMutablePointer<z_stream>
    private var piece = [UInt8](repeating: 0, count: 1 << 16)

    /// - Throws: `FormatError` when nothing can be written there.
    init(_ url: URL) throws {
        file = try AtomicFile(url)
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        // 16: gzip around it.
        let status = deflateInit2_(
            stream, 6, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            CInt(MemoryLayout<z_stream>.size))
        guard status == Z_OK else { throw FormatError(url, "cannot be written: no memory to compress it") }
    }

    deinit {
        deflateEnd(stream)
        stream.deallocate()
    }

    /// Adds bytes at the end.
    /// - Throws: `FormatError` when the disk refuses them.
    func write(_ bytes: [UInt8]) throws {
        try put(bytes, Z_NO_FLUSH)
    }

    /// Makes the file appear, complete and on the disk.
    /// - Throws: `FormatError` when that fails; nothing is left behind then.
    func commit() throws {
        try put([], Z_FINISH)
        try file.commit()
    }

    private func put(_ bytes: [UInt8], _ flush: CInt) throws {
        var bytes = bytes
        var used = 0
        var isFull = true
        while used < bytes.count || isFull {
            let count = bytes.withUnsafeMutableBufferPointer { source in
                piece.withUnsafeMutableBufferPointer { out in
                    stream.pointee.next_in = source.baseAddress.map { $0 + used }
                    stream.pointee.avail_in = UInt32(clamping: source.count - used)
                    let given = Int(stream.pointee.avail_in)
                    stream.pointee.next_out = out.baseAddress
                    stream.pointee.avail_out = UInt32(out.count)
                    _ = deflate(stream, flush)
                    used += given - Int(stream.pointee.avail_in)
                    return out.count - Int(stream.pointee.avail_out)
                }
            }
            isFull = stream.pointee.avail_out == 0
            if count > 0 { try file.write(Array(piece[..<count])) }
        }
    }
}
