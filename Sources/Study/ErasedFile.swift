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

    /// - Returns: its bytes.
    /// - Throws: `StudyError` when it cannot be deleted.
    static func delete(_ url: URL) throws -> Int {
        var status = stat()
        guard lstat(url.path, &status) == 0 else { return 0 }
        var length = 0
        // A link is removed, not what it points to; of a file with several names the content is shared.
        if status.st_mode & S_IFMT == S_IFREG {
            length = Int(status.st_size)
            chmod(url.path, 0o600)
            let descriptor = open(url.path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
            overwrite(descriptor, length)
            close(descriptor)
        }
        guard unlink(url.path) == 0 else {
            throw StudyError(url, "cannot be deleted: \(String(cString: strerror(errno)))")
        }
        return length
    }

    /// Writes `bytes` in the place of a file, for its owner alone, and overwrites what was there: at no moment is there
    /// neither the old nor the new one.
    /// - Throws: `StudyError` when it cannot be written; the old file is there then, as it was.
    static func replace(_ url: URL, with bytes: [UInt8]) throws {
        let descriptor = open(url.path, O_WRONLY | O_CLOEXEC)
        defer { close(descriptor) }
        try StudyFolder.write(Data(bytes), to: url)
        var status = stat()
        // Under another name it is a copy that somebody keeps, with the rows of others.
        guard fstat(descriptor, &status) == 0, status.st_nlink == 0 else { return }
        overwrite(descriptor, Int(status.st_size))
    }

    private static func overwrite(_ descriptor: CInt, _ length: Int) {
        guard descriptor >= 0 else { return }
        let zeros = [UInt8](repeating: 0, count: 1 << 16)
        var left = length
        while left > 0 {
            let count = write(descriptor, zeros, min(left, zeros.count))
            guard count > 0 else { break }
            left -= count
        }
        fsync(descriptor)
    }
}
