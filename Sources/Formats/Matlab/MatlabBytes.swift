import Foundation

/// The bytes of a MATLAB file, or those that a compressed variable in it unpacks to, read at any place without being held
/// as a whole. What is compressed is unpacked again from its beginning where an earlier place is asked for, so that memory
/// does not grow with it; what is read in order is unpacked once.
final class MatlabBytes: PlacedBytes {
    let file: InputFile
    /// How many bytes there are.
    let size: Int
    /// Where the compressed bytes lie in the file; nil where these are the file's own.
    private let packed: Range<Int>?
    private var stream: ZlibStream?
    private var window: [UInt8] = []
    private var windowStart = 0
    private static let piece = 1 << 16

    var url: URL { file.url }
    /// Whether they are compressed.
    var isPacked: Bool { packed != nil }

    /// The bytes of a file as they stand.
    init(_ file: InputFile) {
        self.file = file
        size = file.size
        packed = nil
    }

    /// What the bytes `packed` of a file unpack to (zlib, RFC 1950): one variable, as its first 8 bytes tell.
    /// - Throws: `FormatError` where they are damaged, or no variable.
    init(unpacking packed: Range<Int>, of file: InputFile, isBigEndian: Bool) throws {
        self.file = file
        self.packed = packed
        let stream = try ZlibStream(file, at: packed.lowerBound, count: packed.count)
        let tag = try stream.read(8)
        let (type, count) = (
            MatlabDecoder.number(tag, 0, isBigEndian), Int(MatlabDecoder.number(tag, 4, isBigEndian))
        )
        guard type == MatlabType.matrix.rawValue else {
            throw FormatError(
                file.url, at: "byte \(packed.lowerBound)", "unpacks to data of type \(type), expected a variable (14)")
        }
        size = 8 + count
        self.stream = stream
        window = tag
    }

    /// `count` bytes from `place` on.
    /// - Throws: `FormatError` where there are fewer, or they are damaged.
    func read(at place: Int, count: Int) throws -> [UInt8] {
        guard place >= 0, count >= 0, place <= size, count <= size - place else {
            throw error(at: place, "ends early: \(count) bytes should follow")
        }
        guard count > 0 else { return [] }
        if place >= windowStart, place - windowStart <= window.count - count { return part(place, count) }
        if let packed { return try unpacked(packed, place, count) }
        if count >= Self.piece { return try whole(place, count) }
        window = try whole(place, min(Self.piece, size - place))
        windowStart = place
        return part(place, count)
    }

    private func part(_ place: Int, _ count: Int) -> [UInt8] {
        Array(window[place - windowStart..<place - windowStart + count])
    }

    private func whole(_ place: Int, _ count: Int) throws -> [UInt8] {
        let bytes = try file.read(at: place, count: count)
        guard bytes.count == count else { throw error(at: place, "became shorter while it was read") }
        return bytes
    }

    private func unpacked(_ packed: Range<Int>, _ place: Int, _ count: Int) throws -> [UInt8] {
        if stream == nil || place < windowStart {
            stream = try ZlibStream(file, at: packed.lowerBound, count: packed.count)
            (window, windowStart) = ([], 0)
        }
        guard let stream else { return [] }
        while windowStart + window.count < place + count {
            let end = windowStart + window.count
            let more = try stream.read(min(Self.piece, size - end))
            // What lies before is not needed.
            let kept = place < end ? window[max(0, place - windowStart)...] : []
            windowStart = end - kept.count
            window = kept + more
        }
        return part(place, count)
    }

    /// Unpacks to the end and compares with the checksum there, so that damaged numbers are not taken for measured ones. What
    /// is not compressed has none.
    /// - Throws: `FormatError` where the bytes are damaged or end early.
    func check() throws {
        guard packed != nil else { return }
        if size > 0 { _ = try read(at: size - 1, count: 1) }
        try stream?.finish()
        // It cannot be read on from there.
        stream = nil
    }

    /// A problem at one of the bytes.
    func error(at place: Int, _ problem: String, advice: String? = nil) -> FormatError {
        let within = packed.map { "byte \(place) of what is compressed at byte \($0.lowerBound)" }
        return FormatError(url, at: within ?? "byte \(place)", problem, advice: advice)
    }
}
