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
            if descriptor >= 0 {
                defer { close(descriptor) }
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
        guard unlink(url.path) == 0 else {
            throw StudyError(url, "cannot be deleted: \(String(cString: strerror(errno)))")
        }
        return length
    }

    /// Deletes the file and writes `text` in its place, for its owner alone.
    static func replace(_ url: URL, with text: String) throws {
        _ = try delete(url)
        do {
            try Data(text.utf8).write(to: url, options: .atomic)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
        } catch { throw StudyError(url, "cannot be written: \(error.localizedDescription)") }
    }
}
