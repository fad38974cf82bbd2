import Foundation
public import Signals
public import Study

/// Empties a study's outbox: copies, verifies by checksum, notes, and tries again later what failed. The originals are
/// only ever read.
public struct Uploader {
    /// What became of one file.
    public struct Outcome: Hashable, Codable, Sendable {
        /// The file, relative to the study.
        public var file: String
        /// Where it went.
        public var remote: String
        /// Where it stands now.
        public var status: UploadRecord.Status
        /// How it was verified: `sha256`, `sha1`, `md5`, or `download` when it was read back whole.
        public var verifiedBy: String?
        /// Why it failed.
        public var message: String?
    }

    private let study: StudyFolder
    private let bookkeeping: Bookkeeping
    private let rclone: Rclone
    private let now: () -> Timestamp

    /// An uploader of a study's outbox.
    /// - Parameter now: the wall clock.
    public init(_ study: StudyFolder, _ bookkeeping: Bookkeeping, _ rclone: Rclone, now: @escaping () -> Timestamp) {
        (self.study, self.bookkeeping, self.rclone, self.now) = (study, bookkeeping, rclone, now)
    }

    /// Seconds to wait after so many failed attempts: a minute, then twice as long each time, at most an hour.
    public static func wait(afterAttempts attempts: Int) -> Seconds {
        var wait = 60.0
        for _ in 1..<max(1, min(attempts, 16)) { wait = min(wait * 2, 3_600) }
        return wait
    }

    /// Queues the files of every finished run, and again those that changed since they arrived.
    /// - Returns: how many files are new in the outbox, or queued again.
    @discardableResult
    public func queueFinishedRuns(to remote: String) throws -> Int {
        var added = 0
        for run in try bookkeeping.runs() where [.finished, .recovered].contains(run.status) {
            added += try bookkeeping.queueUploads(
                of: try study.files(of: run), run: run.id, to: remote, at: now())
        }
        for upload in try bookkeeping.uploads() where upload.status == .done && upload.remote == remote {
            let file = study.root.appendingPathComponent(upload.file)
            guard FileManager.default.fileExists(atPath: file.path), let arrived = upload.sha256,
                try rclone.hash("sha256", of: file.path) != arrived
            else { continue }
            try bookkeeping.queueAgain(upload.id, at: now())
            added += 1
        }
        return added
    }

    /// Tries every file that is not done.
    /// - Parameters:
    ///   - respectsWaits: leave those whose next attempt is not due.
    ///   - progress: told of each file when it has been tried.
    /// - Returns: what became of each file tried.
    public func sendAll(respectingWaits respectsWaits: Bool = false, progress: (Outcome) -> Void = { _ in }) throws
        -> [Outcome]
    {
        var outcomes: [Outcome] = []
        for upload in try bookkeeping.uploads() where upload.status != .done && upload.status != .dropped {
            if respectsWaits, upload.status == .failed || upload.notBefore > now().secondsSince1970 { continue }
            let outcome = try send(upload)
            outcomes.append(outcome)
            progress(outcome)
        }
        return outcomes
    }

    /// When the next attempt is due; nil when nothing waits.
    public func nextAttempt() throws -> Timestamp? {
        try bookkeeping.uploads().filter { $0.status == .queued || $0.status == .uploading }.map(\.notBefore).min()
            .map { Timestamp(secondsSince1970: $0) }
    }

    private func send(_ upload: UploadRecord) throws -> Outcome {
        try bookkeeping.beginUpload(upload.id, at: now())
        var outcome = Outcome(file: upload.file, remote: upload.remote, status: .done)
        do {
            let (sha256, method) = try copyAndVerify(upload)
            outcome.verifiedBy = method
            try bookkeeping.endUpload(upload.id, .done, sha256: sha256, at: now())
        } catch let error as UploadError {
            outcome.message = error.description
            outcome.status = error.isPassing ? .queued : .failed
            let next = now() + Self.wait(afterAttempts: upload.attempts + 1)
            try bookkeeping.endUpload(
                upload.id, outcome.status, message: error.description, notBefore: error.isPassing ? next : nil,
                at: now())
            if error == .noRclone { throw error }
        }
        return outcome
    }

    private func copyAndVerify(_ upload: UploadRecord) throws -> (sha256: String, method: String) {
        let file = study.root.appendingPathComponent(upload.file)
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw UploadError.changed("\(upload.file) is no longer in the study")
        }
        guard let sha256 = try rclone.hash("sha256", of: file.path) else {
            throw UploadError.failed("\(upload.file) could not be read")
        }
        let noted = try bookkeeping.runs().first { $0.file == upload.file }?.sha256
        if let noted, noted != sha256 {
            throw UploadError.changed("\(upload.file) is not what the study noted: see marey study validate")
        }
        let target = Self.path(upload.file, in: upload.remote)
        if !upload.isOurs, try rclone.exists(target) {
            guard let method = try sameness(of: target, as: file, sha256) else {
                throw UploadError.taken(
                    "\(target) is another file, which this study did not send: name another place with --to, or move "
                        + "it away")
            }
            try bookkeeping.claimPlace(ofUpload: upload.id)
            return (sha256, method)
        }
        try bookkeeping.claimPlace(ofUpload: upload.id)
        try rclone.copy(file, to: target)
        guard let method = try sameness(of: target, as: file, sha256) else {
            throw UploadError.differs("what arrived at \(target) differs from the original")
        }
        return (sha256, method)
    }

    /// How it was found that a place holds the same as a file; nil when it does not.
    private func sameness(of target: String, as file: URL, _ sha256: String) throws -> String? {
        for kind in ["sha256", "sha1", "md5"] {
            guard let there = try? rclone.hash(kind, of: target), let here = try rclone.hash(kind, of: file.path) else {
                continue
            }
            return here == there ? kind : nil
        }
        return try rclone.hash("sha256", of: target, byDownload: true) == sha256 ? "download" : nil
    }

    static func path(_ file: String, in remote: String) -> String {
        remote.hasSuffix("/") || remote.hasSuffix(":") ? remote + file : remote + "/" + file
    }
}

extension StudyFolder {
    /// The files of a run, relative to the study: the recording and what lies beside it under the same name.
    public func files(of run: RunRecord) throws -> [String] {
        let url = root.appendingPathComponent(run.file)
        let folder = url.deletingLastPathComponent()
        let stem = url.lastPathComponent.split(separator: ".").first.map(String.init) ?? url.lastPathComponent
        let beside = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let names = beside.filter { $0 == url.lastPathComponent || $0.hasPrefix(stem + ".") }.sorted()
        return names.compactMap { relativePath(of: folder.appendingPathComponent($0)) }
    }
}
