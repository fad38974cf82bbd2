import Foundation
public import Signals
public import Study
import Upload

/// What became of a session's run after it was recorded.
public struct SessionConclusion {
    /// The place its files are queued for; nil: none.
    public var remote: String?
    /// Whether nobody has said yet where the study's files go.
    public var lacksPlace = false
    /// What could not be done. The recording is whole all the same.
    public var problems: [any Error] = []

    /// What is to be known of the copies of the study's files, with the next command, in words for whoever follows the session.
    public func copying(of study: StudyFolder) -> String? {
        let command = "marey upload \(ShellWord.quoted(study.root.relativePath))"
        if let remote { return "queued for \(Rclone.bare(remote)): send it with \(command)" }
        return lacksPlace ? "not queued for copying: say where this study goes with \(command) --to REMOTE:PATH" : nil
    }
}

extension SessionTarget {
    /// Ends a run that was recorded whole. It is `finishing` while its summaries are computed and its files are queued,
    /// which happens whatever becomes of the summaries, and `finished` after that. One in which nothing arrived has
    /// `failed`: its file is kept, but there is nothing to compute or to send.
    /// - Parameters:
    ///   - hasArrived: whether any stream brought anything.
    ///   - markers: the session's tags and device markers, for the table of events.
    ///   - analyze: computes the summaries.
    /// - Throws: what keeps the bookkeeping from being written; `StudyError` where the run was erased meanwhile.
    public func conclude(
        hasArrived: Bool = true, markers: [Marker] = [], now: () -> Timestamp, analyze: () throws -> Void
    ) throws -> SessionConclusion {
        guard hasArrived else {
            var conclusion = SessionConclusion()
            do { try writeEvents(markers) } catch { conclusion.problems.append(error) }
            try noteAtLast(.failed, because: "nothing arrived", now)
            return conclusion
        }
        // Until the end nobody takes it for a run whose program was stopped.
        return try RecordingLock.holding(file) {
            try noteAtLast(.finishing, now)
            var conclusion = SessionConclusion()
            do { try analyze() } catch { conclusion.problems.append(error) }
            do { try writeEvents(markers) } catch { conclusion.problems.append(error) }
            do {
                conclusion.remote = try queueUpload(at: now())
                conclusion.lacksPlace = try study.map { try Bookkeeping($0).uploadDestination() == nil } ?? false
            } catch { conclusion.problems.append(error) }
            try noteAtLast(.finished, now)
            return conclusion
        }
    }

    /// Notes what a run has come to. While another program keeps the bookkeeping to itself, for which each attempt waits some
    /// seconds, that is tried again: nobody would do it later.
    private func noteAtLast(_ status: RunStatus, because message: String? = nil, _ now: () -> Timestamp) throws {
        for _ in 1..<Self.attempts {
            do {
                try noteWhileThere(status, because: message, now)
                return
            } catch { continue }
        }
        try noteWhileThere(status, because: message, now)
    }

    /// Whoever was erased since the recording was closed must not come back into the bookkeeping.
    private func noteWhileThere(_ status: RunStatus, because message: String?, _ now: () -> Timestamp) throws {
        guard let study else { return }
        try study.writingResults {
            guard FileManager.default.fileExists(atPath: file.path) else {
                throw StudyError.erasedMeanwhile(in: study)
            }
            try note(status, because: message, at: now())
        }
    }

    private static let attempts = 6
}
