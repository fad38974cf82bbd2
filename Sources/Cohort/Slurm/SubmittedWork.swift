import Foundation

/// The recordings that the jobs of a submission were given, and since when: with it the folder alone tells what came of
/// them, whether or not the cluster answers.
struct SubmittedWork {
    private let folder: BatchFolder
    private let group: String?
    /// When the list was written that a recording is on, by the disk's clock, nanoseconds since 1970.
    private var since: [String: Int] = [:]
    /// Whether it can be told what all of the jobs were given.
    private var isKnown: Bool

    init(_ submission: SlurmSubmission, in folder: BatchFolder) {
        (self.folder, group) = (folder, submission.group)
        let lists = submission.lists ?? [:]
        isKnown = submission.arrays.allSatisfy { lists[$0] != nil }
        for name in Set(lists.values) {
            guard let stems = folder.stems(ofList: name),
                let written = FileStamp(".marey/batch/slurm/\(name)", in: folder.root)?.modified
            else {
                isKnown = false
                continue
            }
            for stem in stems { since[stem] = max(written, since[stem] ?? .min) }
        }
    }

    /// Of some recordings those that are done, or failed since they were submitted: an older failure is one that is tried
    /// again.
    func ended(of status: BatchStatus) -> Set<String> {
        let rows = status.rows.filter { $0.state == .done || $0.state == .failed && hasFailed($0.plan.unit.stem) }
        return Set(rows.map(\.plan.unit.stem))
    }

    private func hasFailed(_ stem: String) -> Bool {
        guard let begun = since[stem],
            let noted = FileStamp(".marey/batch/failed/\(stem).json", in: folder.root)?.modified
        else { return false }
        return noted >= begun
    }

    /// Whether nothing is left to wait for: all of these recordings that were submitted have ended, and the job that
    /// writes the group's tables, if there is one, says that it has.
    func isOver(_ status: BatchStatus, ended: Set<String>) -> Bool {
        guard isKnown, group.map(folder.hasEnded) ?? true else { return false }
        return status.rows.allSatisfy { since[$0.plan.unit.stem] == nil || ended.contains($0.plan.unit.stem) }
    }
}
