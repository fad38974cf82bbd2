public import Foundation

/// Where a recording's bytes go, and what may go wrong there.
public protocol RecordingDisk: AnyObject, Sendable {
    /// Appends all bytes, or none: a write that breaks off is taken back.
    /// - Throws: `RecorderError.diskFull`, `.refused`.
    func append(_ bytes: [UInt8]) throws
    /// Makes sure that what was appended survives a power cut.
    /// - Throws: `RecorderError.refused`, `.deleted`.
    func sync() throws
    /// Gives a file that was deleted its place back, with all that was appended.
    /// - Throws: `RecorderError.diskFull`, `.refused`; it may be tried again.
    func restore() throws
    /// Bytes that are free; nil when that can't be told.
    var freeBytes: Int? { get }
    /// Ends the file.
    func close()
}

extension RecordingDisk {
    /// Nothing can be deleted of what has no name.
    public func restore() throws {}
}

/// A new file on a disk of this machine, for its owner alone, locked while it grows.
public final class RecordingFileOnDisk: RecordingDisk {
    private let url: URL
    private let path: String
    // One thread at a time uses the file: the recorder's lock is around it. Below 0: it has ended.
    private nonisolated(unsafe) var descriptor: CInt
    private nonisolated(unsafe) var length: off_t = 0

    /// Creates the file.
    /// - Throws: `RecorderError.exists` when there is one already, `.refused` when it cannot be made.
    public init(_ url: URL) throws {
        (self.url, path) = (url, url.relativePath)
        descriptor = Self.create(url)
        guard descriptor >= 0 else {
            if errno == EEXIST { throw RecorderError.exists(path) }
            throw RecorderError.refused(file: path, reason: "cannot be created: \(String(cString: strerror(errno)))")
        }
        Self.secureName(of: url)
    }

    /// A new file that is open and locked; below 0 with `errno` where there cannot be one.
    private static func create(_ url: URL) -> CInt {
        let descriptor = open(url.path, O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        // Tells a repair that comes too early to wait.
        if descriptor >= 0 { flock(descriptor, LOCK_EX | LOCK_NB) }
        return descriptor
    }

    private static func secureName(of url: URL) {
        let folder = open(url.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        Foundation.close(folder)
    }

    /// Appends all bytes, or none.
    public func append(_ bytes: [UInt8]) throws {
        let (written, failure) = bytes.withUnsafeBytes { Self.write($0, to: descriptor) }
        guard let failure else {
            length += off_t(written)
            return
        }
        if written > 0 { _ = ftruncate(descriptor, length) }
        throw refusal(failure)
    }

    /// - Returns: how much was written, and why no more was.
    private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: CInt) -> (written: Int, failure: CInt?) {
        var written = 0
        while written < bytes.count {
            guard let base = bytes.baseAddress else { break }
            let count = Foundation.write(descriptor, base + written, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return (written, count < 0 ? errno : ENOSPC) }
            written += count
        }
        return (written, nil)
    }

    private func refusal(_ cause: CInt) -> RecorderError {
        if cause == ENOSPC || cause == EDQUOT { return .diskFull(file: path) }
        return .refused(file: path, reason: "cannot be written: \(String(cString: strerror(cause)))")
    }

    /// Whether the file has no name any more: it ends with this program.
    private var isDeleted: Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink == 0
    }

    /// Makes sure that what was appended survives a power cut.
    public func sync() throws {
        guard !isDeleted else { throw RecorderError.deleted(file: path) }
        guard fdatasync(descriptor) == 0 else {
            throw RecorderError.refused(file: path, reason: "cannot be secured: \(String(cString: strerror(errno)))")
        }
    }

    /// Writes a file that was deleted anew: none without a name can be given one. A folder that went with it comes back.
    public func restore() throws {
        guard isDeleted else { return }
        try? FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let copy = Self.create(url)
        guard copy >= 0 else {
            guard errno == EEXIST else { throw refusal(errno) }
            throw RecorderError.refused(
                file: path, reason: "was deleted while it was recorded, and another has its name: move that away")
        }
        if let failure = contents(into: copy) {
            unlink(url.path)
            Foundation.close(copy)
            throw refusal(failure)
        }
        Self.secureName(of: url)
        Foundation.close(descriptor)
        descriptor = copy
    }

    /// Copies what was appended.
    /// - Returns: what kept it from being done.
    private func contents(into copy: CInt) -> CInt? {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var done: off_t = 0
        while done < length {
            let count = pread(descriptor, &buffer, min(buffer.count, Int(length - done)), done)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            if let failure = buffer.withUnsafeBytes({ Self.write(.init(rebasing: $0[..<count]), to: copy).failure }) {
                return failure
            }
            done += off_t(count)
        }
        return fsync(copy) == 0 ? nil : errno
    }

    /// Bytes that are free to this user.
    public var freeBytes: Int? {
        var status = statvfs()
        guard fstatvfs(descriptor, &status) == 0 else { return nil }
        return Int(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    /// Ends the file; nothing where it has ended.
    public func close() {
        guard descriptor >= 0 else { return }
        Foundation.close(descriptor)
        descriptor = -1
    }

    // A recording whose end the disk refused to the last must not stay locked for as long as the program runs.
    deinit { close() }
}
