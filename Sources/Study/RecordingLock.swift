public import Foundation

/// The lock that a program holds on the recording it is making, or whose session it is ending, for as long as it lives.
public enum RecordingLock {
    /// Holds it while `body` runs; where another program holds it, or there is no such file, `body` runs without.
    public static func holding<Result>(_ file: URL, _ body: () throws -> Result) rethrows -> Result {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        defer { if descriptor >= 0 { close(descriptor) } }
        if descriptor >= 0 { flock(descriptor, LOCK_EX | LOCK_NB) }
        return try body()
    }

    /// Whether a file is being recorded now; false where there is none.
    public static func isHeld(on file: URL) -> Bool {
        let descriptor = open(file.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }
}
