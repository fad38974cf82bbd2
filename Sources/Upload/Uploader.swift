import Foundation
import Pipeline
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

    /// Queues the files of every finished run, and again those that changed since they arrived. Runs that are finished
    /// later go there as well, where none has arrived elsewhere.
    /// - Parameters:
    ///   - ignoringTimes: compare the content of all that arrived, also of files that look unchanged by their times.
    ///   - progress: told which share (0…1) of what has to be compared was read.
    /// - Returns: how many files are new in the outbox, or queued again.
    /// - Throws: `UploadError.stopped` when rclone is stopped meanwhile.
    @discardableResult
    public func queueFinishedRuns(
        to remote: String, ignoringTimes: Bool = false, progress: (Double) -> Void = { _ in }
    ) throws -> Int {
        var added = 0
        try bookkeeping.noteUploadPlace(remote, at: now())
        for run in try bookkeeping.runs() where [.finished, .recovered].contains(run.status) {
            added += try bookkeeping.queueUploads(
                of: try study.files(of: run), run: run.id, to: remote, at: now())
        }
        // Older versions queued the folder of a recording of several files as if it were one.
        for upload in try bookkeeping.uploads() where ![.done, .dropped].contains(upload.status) {
            let place = study.root.appendingPathComponent(upload.file)
            guard FileManager.default.fileExists(atPath: place.path), !study.isPlain(place) else { continue }
            try bookkeeping.endUpload(upload.id, .dropped, at: now())
        }
        return try added + queueChanged(to: remote, ignoringTimes: ignoringTimes, progress)
    }

    /// Queues again what arrived and is another by now. Only what looks another than when it was found equal is read.
    /// - Returns: how many files that are.
    private func queueChanged(
        to remote: String, ignoringTimes: Bool, _ progress: (Double) -> Void
    ) throws -> Int {
        let noted = ignoringTimes ? [:] : try bookkeeping.looksOfArrived(at: remote)
        let arrived = try bookkeeping.uploads().filter {
            $0.status == .done && $0.remote == remote && $0.sha256 != nil
        }
        let doubtful = arrived.compactMap { upload -> (upload: UploadRecord, look: FileLook)? in
            guard let look = currentLook(of: upload), look.text != noted[upload.id] else { return nil }
            return (upload, look)
        }
        let all = max(1, doubtful.reduce(0) { $0 + $1.look.bytes })
        var (added, read) = (0, 0)
        for (upload, look) in doubtful {
            // What cannot be read is told when its turn to be sent comes.
            let sha256 = try? rclone.sha256(of: study.root.appendingPathComponent(upload.file)) { count in
                read += count
                progress(Double(read) / Double(all))
            }
            if rclone.isStopped { throw UploadError.stopped }
            if sha256 != upload.sha256 {
                try bookkeeping.queueAgain(upload.id, at: now())
                added += 1
            } else if let note = look.note {
                try bookkeeping.noteLook(note, ofUpload: upload.id)
            }
        }
        return added
    }

    /// The copies at a place, compared with the originals.
    public struct Comparison: Hashable, Codable, Sendable {
        /// Copies that are equal, by the way they were compared: `sha256`, `sha1`, `md5`, or `download` for those that were
        /// read back whole.
        public var equal: [String: Int] = [:]
        /// Files whose copies differ; they are queued again.
        public var different: [String] = []
        /// Files whose copies are missing; they are queued again.
        public var missing: [String] = []
        /// Files that could not be compared, with the reason.
        public var failures: [String: String] = [:]

        /// The number of copies that were compared or searched for.
        public var count: Int {
            equal.values.reduce(0, +) + different.count + missing.count + failures.count
        }
    }

    /// Compares every copy that arrived at a place with its original by checksum, and queues again what differs or is missing.
    /// - Parameter progress: called with the share (0…1) of the copies that was compared.
    /// - Throws: `UploadError.stopped` when rclone is stopped meanwhile.
    public func verifyArrived(at remote: String, progress: (Double) -> Void = { _ in }) throws -> Comparison {
        let arrived = try bookkeeping.uploads().filter { $0.status == .done && $0.remote == remote }
        var comparison = Comparison()
        for (index, upload) in arrived.enumerated() {
            let file = study.root.appendingPathComponent(upload.file)
            let target = Self.path(upload.file, in: remote)
            do throws(UploadError) {
                guard FileManager.default.fileExists(atPath: file.path) else {
                    throw .changed("the original is no longer in the study")
                }
                let sha256 = try rclone.sha256(of: file)
                guard try rclone.exists(target) else {
                    comparison.missing.append(upload.file)
                    try? sendAgain(upload)
                    continue
                }
                let size = try rclone.size(of: target)
                let isOtherSize = size != nil && size != FileLook(file, at: now())?.bytes
                if !isOtherSize, let method = try rclone.sameness(of: target, as: file, sha256) {
                    comparison.equal[method, default: 0] += 1
                } else {
                    comparison.different.append(upload.file)
                    try? sendAgain(upload)
                }
            } catch {
                if error == .stopped { throw error }
                comparison.failures[upload.file] = error.description
            }
            progress(Double(index + 1) / Double(arrived.count))
        }
        return comparison
    }

    /// Queues a file whose copy is not what arrived: its place is this study's, and the copy may be replaced.
    private func sendAgain(_ upload: UploadRecord) throws {
        try bookkeeping.queueAgain(upload.id, at: now())
        try bookkeeping.claimPlace(ofUpload: upload.id)
    }

    private func currentLook(of upload: UploadRecord) -> FileLook? {
        FileLook(study.root.appendingPathComponent(upload.file), at: now())
    }

    /// How many files in a row fail to reach a storage before the others for it wait unasked: each may take minutes to
    /// fail.
    private static let mostFailuresInARow = 3

    /// Tries every file that is not done; none for a storage that could not be reached several times in a row.
    /// - Parameters:
    ///   - respectsWaits: leave those whose next attempt is not due.
    ///   - progress: told of each file when it has been tried.
    /// - Returns: what became of each file tried.
    public func sendAll(respectingWaits respectsWaits: Bool = false, progress: (Outcome) -> Void = { _ in }) throws
        -> [Outcome]
    {
        var outcomes: [Outcome] = []
        var hashes: [String: String] = [:]
        var failuresInARow: [String: Int] = [:]
        for upload in try bookkeeping.uploads() where upload.status != .done && upload.status != .dropped {
            if respectsWaits, upload.status == .failed || upload.notBefore > now().secondsSince1970 { continue }
            let isReached = failuresInARow[upload.remote, default: 0] < Self.mostFailuresInARow
            let outcome = isReached ? try send(upload, &hashes) : try postpone(upload)
            // What was refused for good was an answer.
            failuresInARow[upload.remote, default: 0] += 1
            if outcome.status != .queued { failuresInARow[upload.remote] = 0 }
            outcomes.append(outcome)
            progress(outcome)
        }
        return outcomes
    }

    /// Leaves a file for the next time, like one that failed once.
    private func postpone(_ upload: UploadRecord) throws -> Outcome {
        let message = "not tried: the storage was not reached \(Self.mostFailuresInARow) times in a row"
        try bookkeeping.endUpload(
            upload.id, .queued, message: message, notBefore: now() + Self.wait(afterAttempts: upload.attempts + 1),
            at: now())
        return Outcome(file: upload.file, remote: upload.remote, status: .queued, message: message)
    }

    /// When the next attempt is due; nil when nothing waits.
    public func nextAttempt() throws -> Timestamp? {
        try bookkeeping.uploads().filter { $0.status == .queued || $0.status == .uploading }.map(\.notBefore).min()
            .map { Timestamp(secondsSince1970: $0) }
    }

    private func send(_ upload: UploadRecord, _ hashes: inout [String: String]) throws -> Outcome {
        try bookkeeping.beginUpload(upload.id, at: now())
        var outcome = Outcome(file: upload.file, remote: upload.remote, status: .done)
        do {
            // Before it is read: what changes meanwhile looks another afterwards.
            let look = currentLook(of: upload)
            let (sha256, method) = try copyAndVerify(upload, &hashes)
            outcome.verifiedBy = method
            try bookkeeping.endUpload(upload.id, .done, sha256: sha256, look: look?.note, at: now())
        } catch UploadError.stopped {
            try bookkeeping.endUpload(upload.id, .queued, at: now())
            throw UploadError.stopped
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

    /// Whether a file's recording is what the study noted of it. What lies beside a recording was not noted.
    /// - Parameter hashes: of the other files of recordings, by path.
    private func isAsNoted(_ upload: UploadRecord, _ sha256: String, _ hashes: inout [String: String]) throws -> Bool {
        guard let run = try bookkeeping.run(upload.run), let noted = run.sha256 else { return true }
        let files = study.recordingFiles(of: run)
        let paths = files.map(study.relativePath)
        guard paths.contains(upload.file) else { return true }
        hashes[upload.file] = sha256
        let all = try zip(files, paths).map { file, path in
            let key = path ?? file.path
            let hash = try hashes[key] ?? rclone.sha256(of: file)
            hashes[key] = hash
            return hash
        }
        return InputHash.combined(all) == noted
    }

    private func copyAndVerify(
        _ upload: UploadRecord, _ hashes: inout [String: String]
    ) throws -> (sha256: String, method: String) {
        let file = study.root.appendingPathComponent(upload.file)
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw UploadError.changed("\(upload.file) is no longer in the study")
        }
        let sha256 = try rclone.sha256(of: file)
        if try !isAsNoted(upload, sha256, &hashes) {
            throw UploadError.changed("\(upload.file) is not what the study noted: see marey study validate")
        }
        let target = Self.path(upload.file, in: upload.remote)
        if try rclone.exists(target), let method = try samenessBeforehand(of: target, upload, as: file, sha256) {
            try bookkeeping.claimPlace(ofUpload: upload.id)
            return (sha256, method)
        }
        try bookkeeping.noteSending(ofUpload: upload.id)
        try rclone.copy(file, to: target)
        // Not before: after a copy that failed, what lies there may be somebody else's.
        try bookkeeping.claimPlace(ofUpload: upload.id)
        guard let method = try rclone.sameness(of: target, as: file, sha256) else {
            throw UploadError.differs("what arrived at \(target) differs from the original")
        }
        return (sha256, method)
    }

    /// How it was found that a place which is not free holds a file already; nil where what it holds may be replaced.
    /// - Throws: `UploadError.taken` where it may not.
    private func samenessBeforehand(
        of target: String, _ upload: UploadRecord, as file: URL, _ sha256: String
    ) throws -> String? {
        // A copy ended well and was found to differ: whatever it is, it may be beyond reading.
        let isDamaged = upload.isOurs && upload.sha256 == nil
        let found = Result { () throws(UploadError) -> Found in try self.found(at: target, upload, file, sha256) }
        switch found {
        case .success(.same(let method)): return method
        case .success(.ours): return nil
        case .success(.another) where isDamaged, .failure(.failed) where isDamaged: return nil
        case .success(.another): break
        case .failure(.failed(let words)):
            throw UploadError.failed(
                "what lies at \(target) cannot be compared (\(words)): where that lasts, move it away or name another "
                    + "place with --to")
        case .failure(let error): throw error
        }
        let reason =
            upload.isOurs || upload.isBegun
            ? "and neither what this study sent there earlier nor what an interrupted attempt leaves"
            : "which this study did not send"
        throw UploadError.taken(
            "\(target) is another file, \(reason): name another place with --to, or move it away")
    }

    /// What lies at a place that is not free.
    private enum Found {
        /// The file itself, as this way to compare says.
        case same(String)
        /// What this study sent there earlier, or a beginning of the file, which an interrupted attempt leaves.
        case ours
        case another
    }

    private func found(
        at target: String, _ upload: UploadRecord, _ file: URL, _ sha256: String
    ) throws(UploadError) -> Found {
        if let method = try rclone.sameness(of: target, as: file, sha256) { return .same(method) }
        guard upload.isOurs || upload.isBegun else { return .another }
        let beginning = upload.isBegun ? file : nil
        return try rclone.holds(upload.sha256, orBeginningOf: beginning, at: target) ? .ours : .another
    }

    static func path(_ file: String, in remote: String) -> String {
        remote.hasSuffix("/") || remote.hasSuffix(":") ? remote + file : remote + "/" + file
    }
}
