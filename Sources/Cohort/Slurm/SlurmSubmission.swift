public import Foundation

/// What a batch has given to a cluster, kept in its folder, so that whoever comes later finds the jobs.
struct SlurmSubmission: Codable, Hashable {
    /// The job arrays.
    var arrays: [String] = []
    /// The job that gathers the tables.
    var group: String?

    /// All its jobs.
    var jobs: [String] { arrays + (group.map { [$0] } ?? []) }
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

    /// The recordings of one task of a submission.
    /// - Throws: `CohortError` when the list is gone or the task is beyond its end.
    public func plans(ofTask task: Int, unitsPerTask: Int, list: URL) throws -> [UnitPlan] {
        guard let text = try? String(contentsOf: list, encoding: .utf8) else {
            throw CohortError(list, "the list of recordings is gone", advice: "run the batch again")
        }
        let stems = text.split(separator: "\n").map(String.init)
        guard task >= 0, unitsPerTask > 0, task <= stems.count / unitsPerTask else {
            throw CohortError("task \(task): there are only \(stems.count) recordings")
        }
        return stems.dropFirst(task * unitsPerTask).prefix(unitsPerTask).compactMap(plan)
    }
}
