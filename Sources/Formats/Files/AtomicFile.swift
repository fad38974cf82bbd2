public import Foundation

/// A file being written that appears under its name only when it is complete.
///
/// Bytes go to a temporary name in the same folder; `commit` syncs them to the disk and renames. When it is dropped
/// before that, the temporary file goes away and what was there before stays.
public final class AtomicFile {
    /// The file, as the user named it.
    public let url: URL
    private let temporary: String?
    private let target: String
    private var descriptor: CInt
    private var buffer: [UInt8] = []
    private static let bufferSize = 1 << 18

    /// Whether files go into a folder that nobody looks into before it is complete as a whole, and whose content is
    /// checked then: they are made in place, and left to the system to bring to the disk.
    @TaskLocal public static var isInScratch = false

    @TaskLocal private static var changed: ChangedFolders?

    /// Writes several files that belong together: each appears when it is complete and on the disk, and their folders are
    /// brought there once, at the end of `body`, rather than for every file.
    public static func together<Result>(_ body: () throws -> Result) rethrows -> Result {
        let folders = ChangedFolders()
        defer { folders.sync() }
        return try $changed.withValue(folders, operation: body)
    }

    /// Begins a file. A device or pipe, such as `/dev/stdout`, is written directly.
    /// - Throws: `FormatError` when nothing can be written there.
    public init(_ url: URL) throws {
        self.url = url
        var status = stat()
        let exists = stat(url.path, &status) == 0
        if exists, status.st_mode & S_IFMT == S_IFDIR {
            throw FormatError(url, "is a directory, cannot be written as a file")
        }
        if exists, status.st_mode & S_IFMT != S_IFREG {
            temporary = nil
            target = url.path
            descriptor = open(url.path, O_WRONLY | O_CLOEXEC)
        } else if Self.isInScratch {
            temporary = nil
            target = url.path
            descriptor = open(url.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        } else {
            // Through a symbolic link, so that the link stays and its target is replaced.
            target = exists ? url.resolvingSymlinksInPath().path : url.path
            let place = URL(fileURLWithPath: target)
            let name = ".\(place.lastPathComponent).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).partial"
            let path = place.deletingLastPathComponent().appendingPathComponent(name, isDirectory: false).path
            temporary = path
            UnfinishedFiles.add(path)
            descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        }
        guard descriptor >= 0 else {
            if let temporary { UnfinishedFiles.remove(temporary) }
            throw FormatError(url, "cannot be written: \(String(cString: strerror(errno)))")
        }
        buffer.reserveCapacity(Self.bufferSize)
    }

    deinit {
        abandon()
    }

    /// Adds bytes at the end.
    /// - Throws: `FormatError` when the disk refuses them.
    public func write(_ bytes: [UInt8]) throws {
        if buffer.count + bytes.count <= Self.bufferSize {
            buffer.append(contentsOf: bytes)
            return
        }
        try flush()
        if bytes.count < Self.bufferSize {
            buffer.append(contentsOf: bytes)
        } else {
            try bytes.withUnsafeBytes(put)
        }
    }

    /// Adds text at the end, as UTF-8.
    public func write(_ text: String) throws {
        try write(Array(text.utf8))
    }

    /// Makes the file appear under its name, complete and on the disk.
    /// - Throws: `FormatError` when that fails; nothing is left behind then.
    public func commit() throws {
        try flush()
        if let temporary {
            guard fsync(descriptor) == 0, rename(temporary, target) == 0 else { throw failure() }
            UnfinishedFiles.remove(temporary)
            syncFolder()
        }
        close(descriptor)
        descriptor = -1
    }

    private func flush() throws {
        try buffer.withUnsafeBytes(put)
        buffer.removeAll(keepingCapacity: true)
    }

    private func put(_ bytes: UnsafeRawBufferPointer) throws {
        var written = 0
        while written < bytes.count {
            guard let base = bytes.baseAddress else { break }
            let count = Foundation.write(descriptor, base + written, bytes.count - written)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure() }
            written += count
        }
    }

    private func failure() -> FormatError {
        let reason = String(cString: strerror(errno))
        abandon()
        return FormatError(url, "cannot be written: \(reason)")
    }

    private func abandon() {
        guard descriptor >= 0 else { return }
        close(descriptor)
        descriptor = -1
        if let temporary {
            unlink(temporary)
            UnfinishedFiles.remove(temporary)
        }
    }

    private func syncFolder() {
        let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
        if let changed = Self.changed { changed.add(folder) } else { ChangedFolders.sync(folder) }
    }
}

/// Writes a whole file that appears under its name only when it is complete.
/// - Throws: `FormatError` when nothing can be written there; what was there before stays.
public func writeAtomically(_ bytes: [UInt8], to url: URL) throws {
    let file = try AtomicFile(url)
    try file.write(bytes)
    try file.commit()
}
