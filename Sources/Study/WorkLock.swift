import Foundation

/// Whether the lock of a batch on a recording is held: its holder touches it every ten seconds.
enum WorkLock {
    private struct Holder: Decodable {
        var host: String
        var pid: Int32
    }

    /// How long a holder may be silent, in seconds.
    private static let patience = 120.0

    /// Whether whoever holds it lives, as far as can be told.
    static func isHeld(_ lock: URL) -> Bool {
        var status = stat()
        guard stat(lock.path, &status) == 0, abs(Double(time(nil) - status.st_mtim.tv_sec)) < patience,
            let data = FileManager.default.contents(atPath: lock.path),
            let holder = try? JSONDecoder().decode(Holder.self, from: data)
        else { return false }
        guard holder.host == thisHost else { return true }
        return kill(holder.pid, 0) == 0 || errno == EPERM
    }

    private static var thisHost: String {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
