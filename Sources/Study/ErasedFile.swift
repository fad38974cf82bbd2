import Foundation

/// Files that go for good: overwritten, then deleted. On disks that write elsewhere (SSD, snapshots, backups) older blocks
/// may live on.
enum ErasedFile {
    static func isFile(_ url: URL) -> Bool {
        var status = stat()
        return lstat(url.path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }

    static func isThere(_ url: URL) -> Bool {
        var status = stat()
        return lstat(url.path, &status) == 0
    }

    static func isFolder(_ url: URL) -> Bool {
        var status = stat()
        return stat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    static func isLink(_ url: URL) -> Bool {
        var status = stat()
        return lstat(url.path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Where a path leads when all links are followed, as a whole path; nil where nothing is there.
    static func end(of url: URL) -> String? {
        guard let path = realpath(url.path, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }

    /// Lets its owner delete what lies in a folder; what others may do there stays.
    static func unlock(folder: URL) {
        var status = stat()
        guard stat(folder.path, &status) == 0 else { return }
        chmod(folder.path, status.st_mode & 0o7777 | 0o700)
    }

    /// What was deleted.
    struct Deleted {
        var bytes = 0
        /// What it was on the disk, where it had other names besides, which keep the content.
        var shared: FileNumber?
        /// Whether nothing of its content is left here, or others keep it.
        var isOverwritten = true
        /// The file on the disk, whatever its names.
        var number: FileNumber?
    }

    /// A file, whatever its names.
    struct FileNumber: Hashable {
        var device: UInt64
        var node: UInt64
    }

    /// Deletes a name, and overwrites the content where it is the only one: under another it may be somebody else's.
    /// - Throws: `StudyError` when it cannot be deleted.
    static func delete(_ url: URL) throws -> Deleted {
        var status = stat()
        var deleted = Deleted()
        guard lstat(url.path, &status) == 0 else { return deleted }
        // A link is removed, not what it points to.
        if status.st_mode & S_IFMT == S_IFREG {
            deleted.bytes = Int(status.st_size)
            let number = FileNumber(device: UInt64(status.st_dev), node: UInt64(status.st_ino))
            deleted.number = number
            if status.st_nlink > 1 {
                deleted.shared = number
            } else {
                chmod(url.path, 0o600)
                let descriptor = open(url.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
                deleted.isOverwritten = overwrite(descriptor, deleted.bytes)
                if descriptor >= 0 { close(descriptor) }
            }
        }
        guard unlink(url.path) == 0 else {
            throw StudyError(url, "cannot be deleted: \(String(cString: strerror(errno)))")
        }
        return deleted
    }

    /// Writes `bytes` in the place of a file, with its rights, and overwrites what was there: at no moment is there
    /// neither the old nor the new one.
    /// - Throws: `StudyError` when it cannot be written; the old file is there then, as it was.
    static func replace(_ url: URL, with bytes: [UInt8]) throws {
        let descriptor = open(url.path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        try StudyFolder.write(Data(bytes), to: url)
        var status = stat()
        // Under another name it is a copy that somebody keeps, with the rows of others.
        guard fstat(descriptor, &status) == 0, status.st_nlink == 0 else { return }
        _ = overwrite(descriptor, Int(status.st_size))
    }

    /// - Returns: whether all of it is on the disk.
    private static func overwrite(_ descriptor: CInt, _ length: Int) -> Bool {
        guard descriptor >= 0 else { return false }
        let zeros = [UInt8](repeating: 0, count: 1 << 16)
        var left = length
        while left > 0 {
            let count = write(descriptor, zeros, min(left, zeros.count))
            guard count > 0 else { return false }
            left -= count
        }
        return fsync(descriptor) == 0
    }
}
