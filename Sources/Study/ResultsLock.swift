import Foundation

/// The lock that keeps erasures apart from whoever puts results or models into the study. The system lets go of it when a
/// program ends, however it ends.
extension StudyFolder {
    /// Runs `body`, which puts something of a participant into the study, while nobody is erased; it waits for an erasure
    /// that goes on. Hold it for what is written, not for what is computed before, and look first, in `body`, whether who
    /// it is of is still there.
    /// - Throws: `StudyError` where it cannot be held, or what `body` throws.
    public func writingResults<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try resultsLock()
        defer { lock.release() }
        _ = try lock.take(isShared: true, waits: true)
        return try body()
    }

    /// Runs `body` while nobody puts results or models into the study.
    /// - Throws: `StudyError` where somebody does, or what `body` throws.
    func withoutWriters<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try resultsLock()
        defer { lock.release() }
        guard try lock.take(waits: false) else {
            throw StudyError(
                root, "another program is writing results or a model into the study, or erasing somebody",
                advice: "wait a moment, or stop marey analyze and the like, then erase")
        }
        return try body()
    }

    private func resultsLock() throws -> FileLock {
        try FileLock(root.appendingPathComponent(".marey/results.lock"))
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
