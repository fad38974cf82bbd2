import Foundation
import Signals

/// A file as it looks from outside. Whoever writes to it changes that, even where size and time of modification are set back:
/// the system itself notes when anything of it was changed last (`st_ctim`, inode(7)).
struct FileLook {
    /// Its size, the times of its last modification and of its last change of any kind, and its number on the disk.
    let text: String
    /// Its length in bytes.
    let bytes: Int
    /// Whether a later change would show: one in the same moment as the last might not.
    let isSettled: Bool

    /// How coarse clocks of disks are, in seconds.
    private static let tick = 2.0

    /// How the file at a place looks now; nil where there is none.
    init?(_ url: URL, at now: Timestamp) {
        var status = stat()
        guard stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        func moment(_ time: timespec) -> String { "\(time.tv_sec).\(time.tv_nsec)" }
        bytes = Int(status.st_size)
        text = "\(bytes) \(moment(status.st_mtim)) \(moment(status.st_ctim)) \(status.st_ino)"
        isSettled = Double(status.st_ctim.tv_sec) + Self.tick < now.secondsSince1970
    }

    /// What to note of it: nil where it would not tell a later change.
    var note: String? { isSettled ? text : nil }
}
