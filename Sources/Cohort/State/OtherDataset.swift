import Foundation
import Pipeline

extension BatchPlan {
    /// Demands that what lies in the folder under the labels of these recordings was made of this data set: results of
    /// another one that calls its people alike would be replaced.
    ///
    /// A data set may have moved, and may have changed since; one of whose recordings nothing is as it was is another.
    /// - Throws: `CohortError` when the results are another data set's.
    public func demandSameDataset() throws {
        var other: UnitPlan?
        for entry in entries {
            guard let earlier = folder.plan(entry.plan.unit.stem) else { continue }
            // Whatever changed in the same place is a change of the same data set.
            if earlier.dataset == entry.plan.dataset { return }
            switch isSame(entry.plan, earlier) {
            case true: return
            case false: if other == nil { other = earlier }
            default: break
            }
        }
        guard let other else { return }
        throw CohortError(
            folder.root,
            "holds results of the data set \(other.dataset), which calls its people alike: those of "
                + "\(other.unit.stem) and others would be replaced",
            advice: "name another folder for the results of this one; if it is the same data set with every recording "
                + "changed, delete the old results first")
    }

    /// Whether a recording is what an earlier plan found under its labels; nil where that cannot be told.
    private func isSame(_ plan: UnitPlan, _ earlier: UnitPlan) -> Bool? {
        let (files, before) = (plan.unit.files, earlier.unit.files)
        // Edits come and go beside the same recording.
        if !Set(files).isDisjoint(with: before) { return true }
        guard files.map(\.path) == before.map(\.path), files.map(\.bytes) == before.map(\.bytes) else { return false }
        // Another date, as copies have; the content tells, where it was taken down.
        let dataset = URL(fileURLWithPath: plan.dataset, isDirectory: true)
        guard let marker = folder.marker(plan.unit.stem), !marker.isPassing,
            let inputs = try? files.map({ try InputHash(of: URL(fileURLWithPath: $0.path, relativeTo: dataset)) }),
            let key = try? marker.plan.key(inputs)
        else { return nil }
        return key == marker.key
    }
}
