import Foundation

/// Whether the lock of a batch on a recording is held: its holder touches it every ten seconds.
enum WorkLock {
    private struct Holder: Decodable {
        var host: String
        var pid: Int32
        var processStart: String
    }

    /// How long a holder on another machine may be silent, in seconds.
    private static let patience = 120.0

    /// Whether whoever holds it lives, as far as can be told.
    static func isHeld(_ lock: URL) -> Bool {
        var status = stat()
        guard stat(lock.path, &status) == 0, let data = FileManager.default.contents(atPath: lock.path),
            let holder = try? JSONDecoder().decode(Holder.self, from: data)
        else { return false }
        let process = ProcessIdentity(host: holder.host, pid: holder.pid, start: holder.processStart)
        return process.isAlive ?? (abs(Double(time(nil) - status.st_mtim.tv_sec)) < patience)
    }
}
