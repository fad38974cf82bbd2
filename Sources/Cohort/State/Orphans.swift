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
        let gone = stems().filter { stem in
            guard !known.contains(stem), let plan = plan(stem) else { return false }
            let recording = URL(fileURLWithPath: plan.dataset).appendingPathComponent(plan.unit.recording)
            // Another data set may have its results here, too.
            return plan.dataset == root || !FileManager.default.fileExists(atPath: recording.path)
        }
        if Set(gone) != orphans() {
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
