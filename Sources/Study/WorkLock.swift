public import Foundation

/// Says who is working on a recording of a batch, so that nobody else begins, and nobody erases the person meanwhile.
///
/// The file appears with its content at once (written under another name, then linked), on shared disks too. Its
/// holder touches it as long as it lives; a lock whose process is gone, or on another machine has not been touched
/// for a while, is taken over. Should two take the same one over, both compute the same bytes.
public struct WorkLock: Hashable, Codable, Sendable {
    /// The machine.
    public var host: String
    /// The process.
    public var pid: Int32
    /// When that process started, in clock ticks since the machine did: process numbers are used again.
    public var processStart: String
    /// When the work began, ISO 8601; nil where it does not say.
    public var started: String?
    /// The job of a cluster it belongs to, such as `12_3`.
    public var job: String?

    /// How often its holder touches it, in seconds.
    public static let touchInterval = 10.0
    /// How long a lock of another machine may go without being touched, in seconds.
    private static let patience = 120.0

    /// A lock for this process.
    private init(job: String?, now: Date) {
        let process = ProcessIdentity.current
        (host, pid, processStart) = (process.host, process.pid, process.start)
        started = now.formatted(.iso8601)
        self.job = job
    }

    /// The lock at `url`; nil where there is none, or it says nothing.
    public init?(at url: URL) {
        guard let data = FileManager.default.contents(atPath: url.path),
            let lock = try? JSONDecoder().decode(WorkLock.self, from: data)
        else { return nil }
        self = lock
    }

    private var process: ProcessIdentity { ProcessIdentity(host: host, pid: pid, start: processStart) }

    /// Takes the lock at `url`, over from a dead holder if need be.
    /// - Parameter job: the job of a cluster that this process belongs to.
    /// - Returns: whether it is ours now.
    /// - Throws: `StudyError` when it cannot be made.
    public static func take(_ url: URL, job: String? = nil, now: Date = Date()) throws -> Bool {
        for _ in 0..<8 {
            let name = ".\(ProcessIdentity.thisHost).\(getpid()).draft"
            let draft = url.deletingLastPathComponent().appendingPathComponent(name, isDirectory: false).path
            try write(WorkLock(job: job, now: now), to: draft)
            defer { unlink(draft) }
            if link(draft, url.path) == 0 { return true }
            let cause = errno
            // On a network the answer to a request that was carried out may be lost, and the second one refused (open(2)).
            if names(of: draft) == 2 { return true }
            guard cause == EEXIST else {
                throw StudyError(url, "cannot be made: \(String(cString: strerror(cause)))")
            }
            guard isLost(url) else { return false }
            // Only one of several that find it lost moves it away.
            let away = url.appendingPathExtension("lost.\(getpid())")
            if rename(url.path, away.path) == 0 {
                // Somebody may have taken it over in between: theirs goes back.
                if !isLost(away) { link(away.path, url.path) }
                unlink(away.path)
            }
        }
        return false
    }

    /// Writes down who takes a lock. A lock need not outlive a power cut, and nobody reads it before it has its name.
    private static func write(_ lock: WorkLock, to draft: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = [UInt8](try encoder.encode(lock))
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        let isWritten = descriptor >= 0 && Foundation.write(descriptor, bytes, bytes.count) == bytes.count
        let cause = errno
        if descriptor >= 0 { close(descriptor) }
        guard isWritten else {
            unlink(draft)
            throw StudyError(
                URL(fileURLWithPath: draft), "cannot be written: \(String(cString: strerror(cause)))")
        }
    }

    /// How many names a file has.
    private static func names(of path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_nlink) : 0
    }

    /// Gives the lock back, unless somebody took it over who thought its holder dead.
    public static func release(_ url: URL) {
        if let lock = WorkLock(at: url), lock.process != .current { return }
        unlink(url.path)
    }

    /// Takes away the lock of a process of this machine that is known to have ended.
    public static func release(_ url: URL, of pid: Int32) {
        if let lock = WorkLock(at: url), lock.pid == pid { unlink(url.path) }
    }

    /// Shows that the holder is alive.
    public static func touch(_ url: URL) { _ = utimes(url.path, nil) }

    /// Whether there is a lock whose holder is gone.
    public static func isLost(_ url: URL) -> Bool { hasHolder(url) == false }

    /// Whether there is a lock whose holder lives, as far as can be told.
    public static func isHeld(_ url: URL) -> Bool { hasHolder(url) == true }

    /// Whether the holder of a lock lives; nil where there is no lock.
    private static func hasHolder(_ url: URL) -> Bool? {
        guard let lock = WorkLock(at: url) else {
            // What says nothing was written by nobody: a lock appears with its content.
            return FileManager.default.fileExists(atPath: url.path) ? false : nil
        }
        if let isAlive = lock.process.isAlive { return isAlive }
        // A clock that was set back must not keep a lock for ever.
        return secondsSinceTouched(url).map { abs($0) <= patience } ?? true
    }

    /// Seconds since the lock was touched, by the clock of the disk it lies on: that of this machine may differ.
    private static func secondsSinceTouched(_ url: URL) -> Double? {
        let probe = url.deletingLastPathComponent().appendingPathComponent(
            ".\(ProcessIdentity.thisHost).\(getpid()).clock")
        guard FileManager.default.createFile(atPath: probe.path, contents: nil) else { return nil }
        defer { unlink(probe.path) }
        func modified(_ url: URL) -> Double? {
            var status = stat()
            guard stat(url.path, &status) == 0 else { return nil }
            return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) * 1e-9
        }
        guard let now = modified(probe), let then = modified(url) else { return nil }
        return now - then
    }
}
