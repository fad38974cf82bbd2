import Foundation
import Pipeline

/// Says that the results of a recording are complete, and pins them. It is written last: without it, whatever lies in
/// the output folder counts for nothing.
public struct DoneMarker: Hashable, Codable, Sendable {
    /// One result; its path is relative to the output folder.
    public typealias Output = ResultFile

    /// What was done.
    public var plan: UnitPlan
    /// Hash of inputs, parameters and version.
    public var key: String
    /// The results, in order of their paths.
    public var outputs: [Output]
    /// SHA-256 of each of the files that were read, in the order of the plan's; nil where an earlier version did not note them.
    public var inputs: [String]?

    /// Whether results are being put in their place, or were when the work was cut off: then it lists what may lie there.
    var isPassing: Bool { key.isEmpty }

    /// True where the results are up to date for a plan; the recording is not read.
    func isCurrent(for plan: UnitPlan, in folder: BatchFolder) -> Bool {
        guard !isPassing, self.plan.hasReport || !plan.hasReport else { return false }
        let sealed = UpToDate.changeTime(of: folder.doneFile(plan.unit.stem))
        return UpToDate.causes(
            made: self.plan.basis, wanted: plan.basis, files: outputs, in: folder.root, sealed: sealed
        ).isEmpty
    }

    /// What the results follow from that the plan asks for otherwise; nil where it is neither parameters nor version.
    func origin(besides plan: UnitPlan) -> String? {
        guard !isPassing else { return nil }
        if self.plan.parametersSHA256 != plan.parametersSHA256 { return "other parameters" }
        return self.plan.version != plan.version ? "version \(self.plan.version)" : nil
    }

    /// Whether all results are there with their contents.
    func isIntact(in root: URL) -> Bool { !isPassing && UpToDate.changes(of: outputs, in: root).isEmpty }
}
