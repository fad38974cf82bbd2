import ArgumentParser
import Dispatch
import Foundation
import Signals
import Study
import Upload

struct UploadCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "upload", abstract: "Copy finished sessions of a study to another place.",
        discussion: """
            Example: marey upload my-study --to lab-cloud:backups/my-study

            Every recording is copied with rclone (any of its storages; set one up with: rclone config), compared by \
            checksum with what arrived, and noted. What fails waits in the study's outbox for the next time. The \
            originals are never changed or removed.
            """)

    @Argument(help: "The study folder.")
    var folder: String

    @Option(help: "Where to, as rclone writes it: REMOTE:PATH or a folder (default: where its files arrived last).")
    var to: String?

    @Option(help: "Take what has not arrived there out of the outbox: the place was mistyped, or is gone.")
    var drop: String?

    @Flag(help: "Keep trying until everything has arrived: after a minute, then twice as long, at most an hour.")
    var wait = false

    @Flag(help: "Compare all that arrived with what was sent, also files that by size and times are unchanged.")
    var ignoreTimes = false

    @Flag(
        help:
            "Compare every copy at the place with its original by checksum, and send again what differs or is missing.")
    var verify = false

    @Flag(help: "Only list the outbox.")
    var list = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let study = try StudyFolder(opening: URL(fileURLWithPath: folder, isDirectory: true))
        let bookkeeping = try Bookkeeping(study)
        if list { return try show(try bookkeeping.uploads()) }
        if let drop {
            // As it was queued: older versions kept a path as it was written.
            let places = Set([drop, (try? Rclone.place(drop)) ?? drop])
            let before = try bookkeeping.uploadDestination()
            let count = try places.reduce(0) { try $0 + bookkeeping.dropUploads(to: $1) }
            guard try count > 0 || bookkeeping.uploadDestination() != before else {
                throw Failure.nothingDone("nothing waits for \(drop); see --list")
            }
            return StandardOutput.tell("took \(count.counted("file")) for \(drop) out of the outbox")
        }
        let rclone = try Rclone()
        let uploader = Uploader(study, bookkeeping, rclone) { .now }
        guard let remote = try to.map(Self.place) ?? bookkeeping.uploadDestination() else {
            throw Failure.misuse("say where to with --to REMOTE:PATH")
        }
        do { try Rclone.demandPlace(remote, outside: study) } catch { throw Failure.misuse(error.description) }
        let stopped = DispatchSemaphore(value: 0)
        StopRequest.handle {
            rclone.stop()
            stopped.signal()
        }
        do {
            try study.lockingOutbox {
                try bookkeeping.requeueInterruptedUploads()
                try send(with: uploader, bookkeeping, to: remote, until: stopped)
            }
        } catch UploadError.stopped {
            throw Failure(code: ExitStatus.someFailed, message: UploadError.stopped.description)
        }
    }

    private static func place(_ text: String) throws -> String {
        do { return try Rclone.place(text) } catch { throw Failure.misuse(error.description) }
    }

    private func send(
        with uploader: Uploader, _ bookkeeping: Bookkeeping, to remote: String, until stopped: DispatchSemaphore
    ) throws {
        try queue(with: uploader, to: remote)
        let comparison = verify ? try compare(with: uploader, at: remote) : nil
        var outcomes = try uploader.sendAll(progress: tell)
        while wait, let next = try uploader.nextAttempt() {
            let isStopped = stopped.wait(timeout: .now() + max(0, next - .now)) == .success
            if isStopped { throw UploadError.stopped }
            let later = try uploader.sendAll(respectingWaits: true, progress: tell)
            let tried = Set(later.map(\.file))
            outcomes = outcomes.filter { !tried.contains($0.file) } + later
        }
        if json { try OutputOptions.tellJSON(outcomes) }
        if outcomes.isEmpty {
            let isNew = try bookkeeping.uploads().isEmpty
            Terminal.note(isNew ? "no session is finished yet: those to come wait for \(remote)" : compared(comparison))
        }
        if let failed = comparison?.failures, !failed.isEmpty {
            throw Failure(
                code: ExitStatus.someFailed, message: "\(failed.count.counted("copy", "copies")) could not be compared")
        }
        if let failure = Failure.inputs(failed: outcomes.count { $0.status != .done }, of: outcomes.count) {
            throw failure
        }
    }

    private func queue(with uploader: Uploader, to remote: String) throws {
        let bar = ProgressBar("comparing")
        defer { bar.clear() }
        try uploader.queueFinishedRuns(to: remote, ignoringTimes: ignoreTimes, progress: bar.show)
    }

    /// What is known where nothing was to be sent.
    private func compared(_ comparison: Uploader.Comparison?) -> String {
        guard comparison == nil else { return "nothing was to be sent" }
        return ignoreTimes
            ? "everything has arrived already: the originals are what was sent; the copies were not read, which --verify does"
            : "everything has arrived already: the originals have the sizes and times they had when they were sent; the copies "
                + "were not read, which --verify does"
    }

    /// Compares the copies, and says what was compared.
    private func compare(with uploader: Uploader, at remote: String) throws -> Uploader.Comparison {
        let comparison: Uploader.Comparison
        do {
            let bar = ProgressBar("comparing copies")
            defer { bar.clear() }
            comparison = try uploader.verifyArrived(at: remote, progress: bar.show)
        }
        for file in comparison.different {
            Terminal.note("\(file): the copy differs from the original; it is sent again")
        }
        for file in comparison.missing { Terminal.note("\(file): the copy is missing; it is sent again") }
        for (file, reason) in comparison.failures.sorted(by: { $0.key < $1.key }) {
            Terminal.note("\(file): not compared: \(reason)")
        }
        let equal = comparison.equal.sorted { $0.key < $1.key }.map { method, count in
            "\(count) equal by \(method == "download" ? "sha256 of what was read back" : method)"
        }
        let counts =
            (equal.isEmpty ? ["0 equal"] : equal) + [
                "\(comparison.different.count) different", "\(comparison.missing.count) missing",
            ]
        Terminal.note(
            "compared \(comparison.count.counted("copy", "copies")) at \(remote) with the originals: "
                + counts.joined(separator: ", "))
        return comparison
    }

    private func tell(_ outcome: Uploader.Outcome) {
        if let message = outcome.message {
            Terminal.note("\(outcome.file): \(message)")
        } else if !json {
            StandardOutput.tell("\(outcome.file)\t\(outcome.remote)\tverified by \(outcome.verifiedBy ?? "")")
        }
    }

    private func show(_ uploads: [UploadRecord]) throws {
        if json { return try OutputOptions.emitJSON(uploads) }
        StandardOutput.print("file\tremote\tstatus\tattempts\tmessage")
        for upload in uploads {
            StandardOutput.print(
                "\(upload.file)\t\(upload.remote)\t\(upload.status.rawValue)\t\(upload.attempts)\t\(upload.message ?? "n/a")"
            )
        }
    }
}
