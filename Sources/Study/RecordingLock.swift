public import Foundation

/// The lock that a program holds on the recording it is making, for as long as it lives.
public enum RecordingLock {
    /// Whether a file is being recorded now; false where there is none.
    public static func isHeld(on file: URL) -> Bool {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}
