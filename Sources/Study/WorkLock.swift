public import Foundation

/// Says who is working on a recording of a batch, so that nobody else begins, and nobody erases the person meanwhile.
///
/// The file appears with its content at once (written under another name, then linked), on shared disks too. Its
/// holder touches it as long as it lives; a lock whose process is gone, or on another machine or in another container
/// has not been touched for a while, is taken over. Should two take the same one over, both compute the same bytes.
public struct WorkLock: Hashable, Codable, Sendable {
    /// The machine.
    public var host: String
    /// The process.
    public var pid: Int32
    /// When that process started, in clock ticks since the machine did: process numbers are used again.
    public var processStart: String
    /// The run of the machine, as in `ProcessIdentity`; nil in locks of earlier versions.
    public var boot: String?
    /// The namespace that the number of the process counts in; nil in locks of earlier versions.
    public var namespace: String?
    /// When the work began, ISO 8601; nil where it does not say.
    public var started: String?
    /// The job of a cluster it belongs to, such as `12_3`.
    public var job: String?

    /// How often its holder touches it, in seconds.
    public static let touchInterval = 10.0
    /// How long a lock of another machine may go without being touched, in seconds.
    private static let patience = 120.0

    /// How long a lock may be empty at first, in seconds: on some disks it is seen before its content.
    private static let settling = 10.0

    /// A lock for this process.
    private init(job: String?, now: Date) {
        let process = ProcessIdentity.current
        (host, pid, processStart) = (process.host, process.pid, process.start)
        (boot, namespace) = (process.boot, process.namespace)
        started = now.formatted(.iso8601)
        self.job = job
    }

    /// The lock at `url`; nil where there is none, or it cannot be read or says nothing.
    public init?(at url: URL) {
        guard case .lock(let lock) = LockReading(url) else { return nil }
        self = lock
    }

    private var process: ProcessIdentity {
        ProcessIdentity(host: host, pid: pid, start: processStart, boot: boot, namespace: namespace)
    }

    /// Takes the lock at `url`, over from a dead holder if need be.
    /// - Parameter job: the job of a cluster that this process belongs to.
    /// - Returns: whether it is ours now.
    /// - Throws: `StudyError` when it cannot be made.
    public static func take(_ url: URL, job: String? = nil, now: Date = Date()) throws -> Bool {
        try take(url, job: job, now: now, by: ExclusiveName.ways)
    }

    /// Takes it where the disk knows some of the `ways` to give a file a name.
    package static func take(
        _ url: URL, job: String? = nil, now: Date = Date(), by ways: [ExclusiveName.Way]
    ) throws -> Bool {
        for _ in 0..<8 {
            let draft = own("draft", beside: url)
            try write(WorkLock(job: job, now: now), to: draft)
            defer { unlink(draft) }
            switch ExclusiveName.give(url.path, to: draft, by: ways) {
            case .given: return true
            case .taken: break
            case .refused(let cause): throw refusal(url, cause)
            }
            guard isLost(url) else { return false }
            // Only one of several that find it lost moves it away.
            let away = url.appendingPathExtension("lost.\(UInt32.random(in: 0...UInt32.max)).\(getpid())")
            if rename(url.path, away.path) == 0 {
                // Somebody may have taken it over in between: theirs goes back.
                if !isLost(away) { _ = ExclusiveName.give(url.path, to: away.path, by: ways) }
                unlink(away.path)
            }
        }
        return false
    }

    private static func refusal(_ url: URL, _ cause: CInt) -> StudyError {
        StudyError(
            url, "cannot be made: \(String(cString: strerror(cause)))",
            advice: ExclusiveName.isUnknown(cause)
                ? "this disk knows no hard links; give the output a folder on another" : nil)
    }

    /// A hidden file of this process in the folder of a lock. Containers may share its name and its number.
    private static func own(_ ending: String, beside url: URL) -> String {
        let name = ".\(ProcessIdentity.thisPlace).\(UInt32.random(in: 0...UInt32.max)).\(getpid()).\(ending)"
        return url.deletingLastPathComponent().appendingPathComponent(name, isDirectory: false).path
    }

    /// Writes down who takes a lock. A lock need not outlive a power cut, and nobody reads it before it has its name.
    private static func write(_ lock: WorkLock, to draft: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let bytes = [UInt8](try encoder.encode(lock))
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        let isWritten = descriptor >= 0 && Foundation.write(descriptor, bytes, bytes.count) == bytes.count
        let cause = errno
        if descriptor >= 0 {
            // Whatever the umask says: who shares the folder must see who is at work.
            fchmod(descriptor, 0o644)
            close(descriptor)
        }
        guard isWritten else {
            unlink(draft)
            throw StudyError(
                URL(fileURLWithPath: draft), "cannot be written: \(String(cString: strerror(cause)))")
        }
    }

    /// Gives the lock back, unless somebody took it over who thought its holder dead.
    public static func release(_ url: URL) {
        switch LockReading(url) {
        case .lock(let lock) where lock.process != .current: return
        // Ours can be read.
        case .unreadable: return
        default: unlink(url.path)
        }
    }

    /// Takes away the lock of a process beside this one that is known to have ended.
    public static func release(_ url: URL, of pid: Int32) {
        guard let lock = WorkLock(at: url) else { return }
        var ended = ProcessIdentity.current
        (ended.pid, ended.start) = (pid, lock.processStart)
        if lock.process == ended { unlink(url.path) }
    }

    /// Shows that the holder is alive.
    public static func touch(_ url: URL) { _ = utimes(url.path, nil) }

    /// Whether there is a lock whose holder is gone.
    public static func isLost(_ url: URL) -> Bool { hasHolder(url) == false }

    /// Whether there is a lock whose holder lives, as far as can be told.
    public static func isHeld(_ url: URL) -> Bool { hasHolder(url) == true }

    /// Why a lock that is there cannot be read, in the system's words; nil where it can, or is not there.
    public static func unreadableReason(_ url: URL) -> String? {
        guard case .unreadable(let cause) = LockReading(url) else { return nil }
        return String(cString: strerror(cause))
    }

    /// Whether the holder of a lock lives; nil where there is no lock.
    private static func hasHolder(_ url: URL) -> Bool? {
        switch LockReading(url) {
        case .none: return nil
        // Somebody else's, of whom nothing can be known.
        case .unreadable: return true
        case .empty: return secondsSinceTouched(url).map { abs($0) <= settling } ?? true
        // A lock has its content with one stroke: what says nothing was written by nobody.
        case .senseless: return false
        case .lock(let lock):
            if let isAlive = lock.process.isAlive { return isAlive }
            // A clock that was set back must not keep a lock for ever.
            return secondsSinceTouched(url).map { abs($0) <= patience } ?? true
        }
    }

    /// Seconds since the lock was touched, by the clock of the disk it lies on: that of this machine may differ.
    private static func secondsSinceTouched(_ url: URL) -> Double? {
        let probe = own("clock", beside: url)
        guard FileManager.default.createFile(atPath: probe, contents: nil) else { return nil }
        defer { unlink(probe) }
        func modified(_ path: String) -> Double? {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            return Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) * 1e-9
        }
        guard let now = modified(probe), let then = modified(url.path) else { return nil }
        return now - then
    }
}
