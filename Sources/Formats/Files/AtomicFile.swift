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
    private let isSynced: Bool
    private let scratch: ScratchFolder?
    private var descriptor: CInt
    private var content: ScratchFolder.Growing?
    private var buffer: [UInt8] = []
    private static let bufferSize = 1 << 18

    @TaskLocal private static var changed: ChangedFolders?

    /// Writes several files that belong together: each appears when it is complete and on the disk, and their folders are
    /// brought there once, at the end of `body`, rather than for every file.
    public static func together<Result>(_ body: () throws -> Result) rethrows -> Result {
        let folders = ChangedFolders()
        defer { folders.sync() }
        return try $changed.withValue(folders, operation: body)
    }

    @TaskLocal private static var awaiting: AwaitingFiles?

    /// Writes several files of which none may be new beside an old one: they get their names only when `body` has completed
    /// all of them. Where it fails, what was there before stays.
    ///
    /// What `body` writes cannot be read under its name before that.
    public static func allOrNone<Result>(_ body: () throws -> Result) throws -> Result {
        // Within others, those decide.
        guard awaiting == nil else { return try body() }
        let files = AwaitingFiles()
        return try together {
            do {
                let result = try $awaiting.withValue(files, operation: body)
                try files.appear()
                return result
            } catch {
                files.abandon()
                throw error
            }
        }
    }

    /// Begins a file. A device or pipe, such as `/dev/stdout`, is written directly.
    /// - Parameters:
    ///   - isSynced: whether it is on the disk once it has its name; else the system brings it there in its time, and what a
    ///     power cut leaves of it is told from its content.
    ///   - isPrivate: whether it is its owner's alone from the beginning, 0600; else the program's umask decides.
    ///   - keepsRights: whether those who may read and write the file that it replaces, if any, may do so still.
    /// - Throws: `FormatError` when nothing can be written there.
    public init(_ url: URL, isSynced: Bool = true, isPrivate: Bool = false, keepsRights: Bool = false) throws {
        self.url = url
        self.isSynced = isSynced
        let path = url.path
        let mode: mode_t = isPrivate ? 0o600 : 0o666
        scratch = ScratchFolder.holding(path)
        if let scratch {
            (temporary, target, content) = (nil, path, scratch.begin())
            descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
            guard descriptor >= 0 else {
                throw FormatError(url, "cannot be written: \(String(cString: strerror(errno)))")
            }
            return
        }
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT == S_IFDIR {
            throw FormatError(url, "is a directory, cannot be written as a file")
        }
        if exists, status.st_mode & S_IFMT != S_IFREG {
            temporary = nil
            target = path
            descriptor = open(path, O_WRONLY | O_CLOEXEC)
        } else {
            // Through a symbolic link, so that the link stays and its target is replaced.
            target = exists ? url.resolvingSymlinksInPath().path : path
            let place = URL(fileURLWithPath: target)
            let name = ".\(place.lastPathComponent).\(getpid()).\(UInt32.random(in: 0...UInt32.max)).partial"
            let beside = place.deletingLastPathComponent().appendingPathComponent(name, isDirectory: false).path
            temporary = beside
            UnfinishedFiles.add(beside)
            descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, keepsRights && exists ? 0o600 : mode)
            if keepsRights, exists, descriptor >= 0 { FileRights(status).give(to: descriptor) }
        }
        guard descriptor >= 0 else {
            if let temporary { UnfinishedFiles.remove(temporary) }
            throw FormatError(url, "cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        abandon()
    }

    /// Whether the table that it is shall be kept.
    var keepsTable: Bool { scratch?.keeps(target) ?? false }

    /// Adds bytes at the end.
    /// - Throws: `FormatError` when the disk refuses them.
    public func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes(write)
    }

    /// Adds bytes at the end.
    /// - Throws: `FormatError` when the disk refuses them.
    func write(_ bytes: UnsafeRawBufferPointer) throws {
        if buffer.count + bytes.count > Self.bufferSize { try flush() }
        if bytes.count < Self.bufferSize / 4 {
            buffer.append(contentsOf: bytes)
        } else {
            try flush()
            try put(bytes)
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
        try conclude()
    }

    /// Adds the last bytes and makes the file appear.
    func commit(_ bytes: [UInt8]) throws {
        try flush()
        try bytes.withUnsafeBytes(put)
        try conclude()
    }

    /// Makes the file appear whose content has this table as text.
    func commit(_ table: ToldTable?) throws {
        content?.table = table
        try commit()
    }

    private func conclude() throws {
        if let temporary {
            guard !isSynced || fsync(descriptor) == 0 else { throw failure() }
            if let awaiting = Self.awaiting {
                awaiting.add(AwaitingFiles.File(url: url, temporary: temporary, target: target))
            } else {
                guard rename(temporary, target) == 0 else { throw failure() }
                UnfinishedFiles.remove(temporary)
            }
            if isSynced { syncFolder() }
        }
        if let content { scratch?.end(target, content) }
        close(descriptor)
        descriptor = -1
    }

    private func flush() throws {
        try buffer.withUnsafeBytes(put)
        buffer.removeAll(keepingCapacity: true)
    }

    private func put(_ bytes: UnsafeRawBufferPointer) throws {
        content?.add(bytes)
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
/// - Parameters:
///   - isSynced: whether it is on the disk then.
///   - isPrivate: whether it is its owner's alone, 0600; else the program's umask decides.
///   - keepsRights: whether those who may read and write the file that it replaces, if any, may do so still.
/// - Throws: `FormatError` when nothing can be written there; what was there before stays.
public func writeAtomically(
    _ bytes: [UInt8], to url: URL, isSynced: Bool = true, isPrivate: Bool = false, keepsRights: Bool = false
) throws {
    try AtomicFile(url, isSynced: isSynced, isPrivate: isPrivate, keepsRights: keepsRights).commit(bytes)
}
