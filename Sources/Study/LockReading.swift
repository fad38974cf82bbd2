import Foundation

/// What the file of a lock says.
enum LockReading {
    /// There is no such file.
    case none
    /// There is one, or may be one, and it cannot be read, by the system's reason.
    case unreadable(CInt)
    /// There is nothing in it.
    case empty
    /// It tells of no process.
    case senseless
    /// It tells of one.
    case lock(WorkLock)

    /// Reads the file at `url`.
    init(_ url: URL) {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            self = [ENOENT, ENOTDIR].contains(errno) ? .none : .unreadable(errno)
            return
        }
        defer { close(descriptor) }
        // One that is longer was written by nobody.
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        var length = 0
        while length < bytes.count {
            let count = bytes[length...].withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                self = .unreadable(errno)
                return
            }
            if count == 0 { break }
            length += count
        }
        if length == 0 {
            self = .empty
        } else if let lock = try? JSONDecoder().decode(WorkLock.self, from: Data(bytes[..<length])) {
            self = .lock(lock)
        } else {
            self = .senseless
        }
    }
}
