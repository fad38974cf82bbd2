import Foundation

/// A file that one program at a time locks, or several that share it. The system gives the lock back when the program
/// ends, however it does.
struct FileLock {
    private let file: URL
    private let descriptor: CInt

    /// Opens the file, making it and its folder as needed; it is not locked yet. To be given back with `release`.
    /// - Throws: `StudyError` when it cannot be opened.
    init(_ file: URL) throws {
        self.file = file
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        descriptor = open(file.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.refusal(file) }
    }

    /// Locks the file.
    /// - Parameters:
    ///   - isShared: with others who share it, so that only somebody who wants it alone is kept out.
    ///   - waits: until the program that has it locked lets go.
    /// - Returns: whether it is ours; else another program has it locked.
    /// - Throws: `StudyError` when the disk knows no locks.
    func take(isShared: Bool = false, waits: Bool) throws -> Bool {
        while flock(descriptor, (isShared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)) != 0 {
            if errno == EWOULDBLOCK { return false }
            guard errno == EINTR else { throw Self.refusal(file) }
        }
        return true
    }

    /// Lets go of it for good.
    func release() { close(descriptor) }

    /// Writes down who has the file locked.
    func sign() {
        let process = ProcessIdentity.current
        let bytes = Array("\(process.pid) \(process.host)\n".utf8)
        ftruncate(descriptor, 0)
        _ = pwrite(descriptor, bytes, bytes.count, 0)
    }

    /// Who signed last, such as `process 123 on lab1`; nil where nobody did.
    var signature: String? {
        let text = FileManager.default.contents(atPath: file.path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count == 2, let pid = Int32(words[0]) else { return nil }
        return "process \(pid) on \(words[1])"
    }

    private static func refusal(_ file: URL) -> StudyError {
        let cause = errno
        return StudyError(
            file, "cannot be locked: \(String(cString: strerror(cause)))",
            advice: cause == EACCES ? "ask its owner for permission to write it" : nil)
    }
}

extension StudyFolder {
    /// Runs `body` while no other program changes `participants.tsv`.
    func lockingParticipants<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try FileLock(root.appendingPathComponent(".marey/participants.lock"))
        defer { lock.release() }
        _ = try lock.take(waits: true)
        return try body()
    }

    /// Runs `body` while no other program empties the outbox: two would take back what the other is sending.
    /// - Throws: `StudyError` that says who empties it, when somebody does.
    public func lockingOutbox<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try FileLock(root.appendingPathComponent(".marey/upload.lock"))
        defer { lock.release() }
        guard try lock.take(waits: false) else {
            throw StudyError(
                root, "is being uploaded by \(lock.signature ?? "another program") already",
                advice: "wait until that has ended, or stop it")
        }
        lock.sign()
        return try body()
    }
}
