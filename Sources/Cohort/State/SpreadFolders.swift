import Foundation

extension BatchFolder {
    /// Has the disk put each folder in `folder` apart from the others (`chattr +T`), where it is ext4 without a journal.
    ///
    /// ext4 makes the files of a folder beside one another. Without a journal, as on some virtual machines, it passes over
    /// each that was deleted there in the last minutes for every one that it makes (`recently_deleted` in its
    /// `ialloc.c`): results that somebody deleted just before would slow down all that follow.
    static func spreadFolders(in folder: URL) {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        var about = stat()
        guard fstat(descriptor, &about) == 0, hasNoJournal(about.st_dev) else { return }
        var flags: CInt = 0
        guard ioctl(descriptor, FileFlags.get, &flags) == 0, flags & FileFlags.topOfTree == 0 else { return }
        flags |= FileFlags.topOfTree
        // Who may not change the folder has it as it is.
        _ = ioctl(descriptor, FileFlags.set, &flags)
    }

    /// Whether a device is known to hold an ext4 without a journal.
    private static func hasNoJournal(_ device: dev_t) -> Bool {
        // As glibc's gnu_dev_major and gnu_dev_minor, which Swift does not import.
        let major = (device >> 8) & 0xFFF | (device >> 32) & ~0xFFF
        let minor = device & 0xFF | (device >> 12) & ~0xFF
        let place = "/sys/dev/block/\(major):\(minor)"
        guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: place) else { return false }
        let name = URL(fileURLWithPath: target).lastPathComponent
        let journal = FileManager.default.contents(atPath: "/sys/fs/ext4/\(name)/journal_task")
        return journal.map { $0.starts(with: "<none>".utf8) } ?? false
    }
}

/// Of `linux/fs.h`, which Swift does not import: `FS_IOC_GETFLAGS`, `FS_IOC_SETFLAGS` and `FS_TOPDIR_FL`.
private enum FileFlags {
    static let get: UInt = 0x8008_6601
    static let set: UInt = 0x4008_6602
    static let topOfTree: CInt = 0x0002_0000
}
