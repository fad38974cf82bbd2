import Foundation
import Pipeline

extension BatchFolder {
    /// Where a recording that was planned stands with its files as they are now, as the group judges it: one that has
    /// changed is pending, other dates of the same content are no change, and one that its data set no longer has is
    /// orphaned. Where the data set is out of reach, it stands as it was planned. Nothing is written.
    func standing(_ plan: UnitPlan) -> UnitState {
        let dataset = URL(fileURLWithPath: plan.dataset, isDirectory: true)
        let recording = dataset.appendingPathComponent(plan.unit.recording)
        guard FileManager.default.fileExists(atPath: dataset.path) else { return state(of: plan) }
        // A link to nothing is there, too: its recording failed for that.
        let isLink = (try? FileManager.default.destinationOfSymbolicLink(atPath: recording.path)) != nil
        if !isLink, access(recording.path, F_OK) != 0 {
            // One that is out of reach may be there.
            return [ENOENT, ENOTDIR].contains(errno) ? .orphaned : state(of: plan)
        }
        var present = plan
        present.unit = plan.unit.current(in: dataset)
        return stateByContent(of: present)
    }

    /// Where a recording stands whose files were just looked at: other dates of the same content are no change. Nothing is
    /// written.
    func stateByContent(of plan: UnitPlan) -> UnitState {
        let found = state(of: plan)
        guard found == .pending, let marker = marker(plan.unit.stem), renewed(marker, for: plan) != nil else {
            return found
        }
        return .done
    }

    /// A marker as one of this plan, where the files of its recording have other dates than when its results were made,
    /// but the same content; nil where anything else differs, results among it. All these files are read.
    func renewed(_ marker: DoneMarker, for plan: UnitPlan) -> DoneMarker? {
        let dataset = URL(fileURLWithPath: plan.dataset, isDirectory: true)
        var wanted = plan
        wanted.hasReport = marker.plan.hasReport
        var made = marker.plan
        made.unit.files = plan.unit.files
        guard made.serves(wanted), marker.plan.unit.files.map(\.bytes) == plan.unit.files.map(\.bytes),
            let inputs = try? plan.unit.files.map({
                try InputHash(of: URL(fileURLWithPath: $0.path, relativeTo: dataset))
            }),
            plan.unit.files.allSatisfy({ FileStamp($0.path, in: dataset) == $0 }),
            let key = try? wanted.key(inputs), marker.key == key, marker.isIntact(in: root)
        else { return nil }
        var renewed = marker
        renewed.plan = wanted
        return renewed
    }
}
