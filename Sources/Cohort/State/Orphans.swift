import Formats
import Foundation

extension BatchFolder {
    /// Takes down which recordings were planned once that their data set no longer has: their results stay until
    /// someone deletes them, but neither group tables nor exports take them up.
    /// - Parameter dataset: all recordings that there are now.
    /// - Returns: the stems of the others, in order.
    /// - Throws: `FormatError` when nothing can be written.
    public func noteOrphans(besides dataset: CohortDataset) throws -> [String] {
        let known = Set(dataset.units.map(\.stem))
        let root = dataset.root.standardizedFileURL.path
        let (stems, before) = (stems(), orphans())
        let others = stems.compactMap { known.contains($0) ? nil : plan($0) }.filter { $0.dataset != root }
        // Where these data sets went, if anywhere: their recordings were planned once, and this one has them now.
        let moved = others.isEmpty ? [] : Set(known.compactMap { plan($0)?.dataset })
        let gone = stems.filter { stem in
            guard !known.contains(stem) else { return false }
            // Of one whose plan is damaged and of which there is nothing else, nobody will make another.
            guard let plan = latestPlan(stem) else { return refusal(of: stem) == nil }
            if plan.dataset == root { return true }
            // Another data set may have its results here, too, and may be out of reach for a while.
            let folder = URL(fileURLWithPath: plan.dataset, isDirectory: true)
            guard FileManager.default.fileExists(atPath: folder.path) else {
                return before.contains(stem) || moved.contains(plan.dataset)
            }
            return !FileManager.default.fileExists(atPath: folder.appendingPathComponent(plan.unit.recording).path)
        }
        if Set(gone) != before {
            try writeAtomically(Array(gone.map { $0 + "\n" }.joined().utf8), to: orphansFile)
        }
        return gone
    }

    /// The stems of recordings that the data set did not have when it was last looked at.
    func orphans() -> Set<String> {
        let data = FileManager.default.contents(atPath: orphansFile.path) ?? Data()
        return Set(String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init))
    }

    /// The stems of the others that were ever planned, in order.
    func present() -> [String] {
        let orphans = orphans()
        return stems().filter { !orphans.contains($0) }
    }

    private var orphansFile: URL { state("orphans.list") }
}
