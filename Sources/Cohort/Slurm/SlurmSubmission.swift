import Formats
public import Foundation

/// What a batch has given to a cluster, kept in its folder, so that whoever comes later finds the jobs.
struct SlurmSubmission: Codable, Hashable {
    /// The job arrays.
    var arrays: [String] = []
    /// The job that gathers the tables.
    var group: String?
    /// The list of recordings of each array, by its file's name.
    var lists: [String: String]?
    /// Jobs of earlier submissions that were in the queue still.
    var earlier: [String]?

    /// All its jobs.
    var jobs: [String] { (earlier ?? []) + arrays + (group.map { [$0] } ?? []) }

    /// What of it is in the queue still.
    func left(in queue: [Slurm.Entry]) -> SlurmSubmission {
        let waiting = Set(queue.map { entry in String(entry.job.prefix { $0 != "_" }) })
        return SlurmSubmission(
            arrays: arrays.filter(waiting.contains), group: group.flatMap { waiting.contains($0) ? $0 : nil },
            lists: lists?.filter { waiting.contains($0.key) }, earlier: earlier?.filter(waiting.contains))
    }
}

extension BatchFolder {
    private var submissionFile: URL { state("slurm/submission.json") }

    /// The latest submission; nil when there was none.
    var submission: SlurmSubmission? { StateFile.read(from: submissionFile) }

    func keep(_ submission: SlurmSubmission) throws {
        try StateFile.write(submission, to: submissionFile)
    }

    /// Writes down the recordings of a submission, one a line.
    /// - Returns: the list's file.
    func keepList(_ stems: [String]) throws -> URL {
        let folder = state("slurm")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createDirectory(
            at: root.appendingPathComponent("logs/slurm"), withIntermediateDirectories: true)
        let list = folder.appendingPathComponent("\(UUID().uuidString).list")
        try (stems.joined(separator: "\n") + "\n").write(to: list, atomically: true, encoding: .utf8)
        return list
    }

    /// The recordings of these arrays.
    func stems(of submission: SlurmSubmission) -> Set<String> {
        Set(Set((submission.lists ?? [:]).values).compactMap(stems(ofList:)).joined())
    }

    /// The recordings of the list of this name; nil when it is gone.
    func stems(ofList name: String) -> [String]? {
        let text = try? String(contentsOf: state("slurm/\(name)"), encoding: .utf8)
        return text?.split(separator: "\n").map(String.init)
    }

    /// Notes that a task of a job array, such as `12_3`, or the job that writes the group's tables has done what it had
    /// to, for whoever waits for it: a controller that is restarted may have lost word of it.
    public func noteEnd(of job: String) {
        guard let file = endNote(job) else { return }
        try? FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: file.path, contents: nil)
    }

    /// Notes that a task begins: one that is queued again may have noted its end before.
    public func noteBegin(of job: String) {
        if let file = endNote(job) { try? FileManager.default.removeItem(at: file) }
    }

    /// Whether a task or job has noted that it has done what it had to.
    func hasEnded(_ job: String) -> Bool {
        endNote(job).map { FileManager.default.fileExists(atPath: $0.path) } ?? false
    }

    /// Removes what jobs of earlier submissions noted: a controller that lost its state gives numbers again.
    func forgetEnds() { try? FileManager.default.removeItem(at: state("slurm/ended")) }

    private func endNote(_ job: String) -> URL? {
        let isJob = !job.isEmpty && job.allSatisfy { $0.isASCII && $0.isNumber || $0 == "_" }
        return isJob ? state("slurm/ended/\(job)") : nil
    }

    /// The log, relative to the output folder, of the job that was to write the group's tables by the latest submission
    /// and has not; nil where it has, or there is no such job.
    public var logOfLostGroup: String? {
        guard let job = submission?.group, endNote(job) != nil, !hasEnded(job) else { return nil }
        return "logs/slurm/group_\(job).log"
    }

    /// The recordings of one task of a submission.
    /// - Throws: `CohortError` when the list is gone or the task is beyond its end.
    public func plans(ofTask task: Int, unitsPerTask: Int, list: URL) throws -> [UnitPlan] {
        guard let text = try? String(contentsOf: list, encoding: .utf8) else {
            throw CohortError(list, "the list of recordings is gone", advice: "run the batch again")
        }
        let stems = text.split(separator: "\n").map(String.init)
        let (first, isBeyond) = task.multipliedReportingOverflow(by: unitsPerTask)
        guard task >= 0, unitsPerTask > 0, !isBeyond, first < stems.count else {
            throw CohortError("task \(task): there are only \(stems.count) recordings")
        }
        return stems.dropFirst(first).prefix(unitsPerTask).compactMap(plan)
    }
}
