import Foundation

/// The lock that keeps erasures apart from whoever puts results or models into the study. The system lets go of it when a
/// program ends, however it ends.
extension StudyFolder {
    private var resultsLock: URL { root.appendingPathComponent(".marey/results.lock") }

    /// Runs `body`, which puts something of a participant into the study, while nobody is erased; it waits for an erasure
    /// that goes on. Hold it for what is written, not for what is computed before, and look first, in `body`, whether who
    /// it is of is still there.
    /// - Throws: `StudyError` where it cannot be held, or what `body` throws.
    public func writingResults<Result>(_ body: () throws -> Result) throws -> Result {
        let descriptor = try openResultsLock()
        defer { close(descriptor) }
        while flock(descriptor, LOCK_SH) != 0 {
            guard errno == EINTR else { throw unlockable(errno) }
        }
        return try body()
    }

    /// Runs `body` while nobody puts results or models into the study.
    /// - Throws: `StudyError` where somebody does, or what `body` throws.
    func withoutWriters<Result>(_ body: () throws -> Result) throws -> Result {
        let descriptor = try openResultsLock()
        defer { close(descriptor) }
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno == EINTR { continue }
            guard errno == EWOULDBLOCK else { throw unlockable(errno) }
            throw StudyError(
                root, "another program is writing results or a model into the study, or erasing somebody",
                advice: "wait a moment, or stop marey analyze and the like, then erase")
        }
        return try body()
    }

    private func openResultsLock() throws -> CInt {
        try? FileManager.default.createDirectory(
            at: resultsLock.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let descriptor = open(resultsLock.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unlockable(errno) }
        return descriptor
    }

    private func unlockable(_ code: CInt) -> StudyError {
        StudyError(resultsLock, "cannot be locked: \(String(cString: strerror(code)))")
    }
}

extension StudyError {
    /// What was to be written is of somebody who was erased since.
    /// - Parameter study: whose path is told, which names nobody.
    public static func erasedMeanwhile(in study: StudyFolder) -> StudyError {
        StudyError(
            study.root, "the participant, or the recording, was erased from the study meanwhile: nothing of it was kept"
        )
    }
}
