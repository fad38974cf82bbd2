public import Foundation

/// A file open for reading at any place, without being held in memory.
///
/// Reads by `pread`, so a file that shrinks while it is read gives an error, not a crash as a memory map would.
public final class InputFile {
    /// The file, as the user named it.
    public let url: URL
    /// Its length in bytes when it was opened.
    public let size: Int
    private let descriptor: CInt

    /// Opens a regular file.
    /// - Throws: `FormatError` when it is missing, a directory, not a regular file or not readable, or only names its content,
    ///   which was not fetched.
    public init(_ url: URL) throws {
        self.url = url
        // O_NONBLOCK: a named pipe given by mistake is refused below instead of waiting for a writer.
        let descriptor =
            NamelessFile.descriptor(at: url.path) ?? open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let number = errno
            if number == ENOENT, let unfetched = UnfetchedFile.error(ofLink: url) { throw unfetched }
            throw FormatError(url, "cannot be opened: \(String(cString: strerror(number)))")
        }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw FormatError(url, "cannot be examined: \(String(cString: strerror(errno)))")
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            let isDirectory = status.st_mode & S_IFMT == S_IFDIR
            throw FormatError(url, isDirectory ? "is a directory, expected a file" : "is not a regular file")
        }
        self.descriptor = descriptor
        size = Int(status.st_size)
        guard size > 0, size <= UnfetchedFile.mostBytes else { return }
        if let unfetched = UnfetchedFile.error(of: url, content: try read(at: 0, count: size)) { throw unfetched }
    }

    deinit {
        close(descriptor)
    }

    /// Reads up to `count` bytes from `offset` on; fewer at the end of the file.
    public func read(at offset: Int, count: Int) throws -> [UInt8] {
        let available = max(0, min(count, size - offset))
        guard available > 0 else { return [] }
        return try [UInt8](unsafeUninitializedCapacity: available) { buffer, filled in
            filled = try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Fills `buffer` from `offset` on and returns how many bytes there were.
    public func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < buffer.count {
            guard let base = buffer.baseAddress else { break }
            let got = pread(descriptor, base + filled, buffer.count - filled, off_t(offset + filled))
            if got == 0 { break }
            if got < 0 {
                if errno == EINTR { continue }
                throw FormatError(
                    url, at: "byte \(offset + filled)", "cannot be read: \(String(cString: strerror(errno)))")
            }
            filled += got
        }
        return filled
    }
}
