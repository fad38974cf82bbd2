public import Foundation

/// Where a recording's bytes go, and what may go wrong there.
public protocol RecordingDisk: AnyObject, Sendable {
    /// Appends all bytes, or none: a write that breaks off is taken back.
    /// - Throws: `RecorderError.diskFull`, `.refused`.
    func append(_ bytes: [UInt8]) throws
    /// Makes sure that what was appended survives a power cut.
    /// - Throws: `RecorderError.refused`.
    func sync() throws
    /// Bytes that are free; nil when that can't be told.
    var freeBytes: Int? { get }
    /// Ends the file.
    func close()
}

/// A new file on a disk of this machine, for its owner alone, locked while it grows.
public final class RecordingFileOnDisk: RecordingDisk {
    private let path: String
    // One thread at a time uses the file: the recorder's lock is around it. Below 0: it has ended.
    private nonisolated(unsafe) var descriptor: CInt
    private nonisolated(unsafe) var length: off_t = 0

    /// Creates the file.
    /// - Throws: `RecorderError.exists` when there is one already, `.refused` when it cannot be made.
    public init(_ url: URL) throws {
        path = url.relativePath
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            if errno == EEXIST { throw RecorderError.exists(path) }
            throw RecorderError.refused(file: path, reason: "cannot be created: \(String(cString: strerror(errno)))")
        }
        // Tells a repair that comes too early to wait.
        flock(descriptor, LOCK_EX | LOCK_NB)
        let folder = open(url.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if folder >= 0 {
            fsync(folder)
            Foundation.close(folder)
        }
    }

    /// Appends all bytes, or none.
    public func append(_ bytes: [UInt8]) throws {
        var written = 0
        let failure: CInt? = bytes.withUnsafeBytes { buffer in
            while written < buffer.count {
                guard let base = buffer.baseAddress else { break }
                let count = write(descriptor, base + written, buffer.count - written)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return count < 0 ? errno : ENOSPC }
                written += count
            }
            return nil
        }
        guard let failure else {
            length += off_t(written)
            return
        }
        if written > 0 { _ = ftruncate(descriptor, length) }
        if failure == ENOSPC || failure == EDQUOT { throw RecorderError.diskFull(file: path) }
        throw RecorderError.refused(file: path, reason: "cannot be written: \(String(cString: strerror(failure)))")
    }

    /// Makes sure that what was appended survives a power cut.
    public func sync() throws {
        guard fdatasync(descriptor) == 0 else {
            throw RecorderError.refused(file: path, reason: "cannot be secured: \(String(cString: strerror(errno)))")
        }
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
