public import Foundation
import Study

/// The recordings of a data set, however they are found.
public struct CohortDataset: Sendable {
    /// The data set's folder.
    public let root: URL
    /// All its recordings, in order of their labels.
    public let units: [CohortUnit]
    /// The paths of recordings that are left out, as it cannot be told whose they are.
    public let leftOut: [String]
    /// Recordings that are left out as well, as their names contradict their places or cannot be written into tables.
    public let refused: [RefusedRecording]
    /// What people should know of the data set, such as who has no recording and which files are left out, a line each.
    public let warnings: [String]
    /// Those of the warnings that tell which people have no recording.
    public let warningsOnPeople: [String]

    /// Finds the recordings of `root`: with `mapping` where there is one, else as those of a BIDS data set.
    /// - Parameter isValidated: whether a folder that is no BIDS data set is refused, or holds recordings that do not tell
    ///   whose they are.
    /// - Throws: `CohortError` when there is no such folder, it cannot be searched, or no recording is in it.
    public init(_ root: URL, mapping: CohortMapping?, isValidated: Bool = true) throws {
        self.root = root
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: root.path, isDirectory: &isDirectory), isDirectory.boolValue else {
            throw CohortError(root, "there is no such folder")
        }
        if let mapping {
            (units, leftOut, refused, warnings) = (try mapping.units(in: root), [], [], [])
            warningsOnPeople = []
            guard !units.isEmpty else {
                let patterns = mapping.recordings.map { "'\($0)'" }.joined(separator: " or ")
                let present = Self.examples(in: root)
                throw CohortError(
                    root, "no file matches \(patterns)",
                    advice: present.isEmpty
                        ? "the folder is empty" : "it holds \(present.joined(separator: ", ")), for example")
            }
            return
        }
        let dataset = BIDSDataset(root)
        if isValidated, let problem = dataset.problem() {
            throw CohortError(
                root, problem,
                advice: "describe other folders in study.yaml (cohort: recordings: \"{subject}/*.zip\") or add "
                    + "--skip-bids-validation")
        }
        let content = try dataset.content()
        if isValidated { try dataset.refuse(content.strays) }
        (units, leftOut, refused) = (content.units, content.strays, content.refused)
        warnings = content.remarks.lines
        warningsOnPeople = content.remarks.linesOnPeople
        guard !units.isEmpty else {
            if let first = refused.first {
                let others = refused.count > 1 ? " (and \(refused.count - 1) more that cannot be taken)" : ""
                throw CohortError(
                    root, "has no other recording than \(first.shownPath), which \(first.problem)\(others)")
            }
            let reasons = warnings.isEmpty ? "" : " that can be analyzed: " + warnings.joined(separator: "; ")
            throw CohortError(
                root, "has no recordings" + reasons,
                advice: "they are sought as sub-*/[ses-*/]*/*_eeg.edf and the like, and under "
                    + "sourcedata; other layouts are told by study.yaml")
        }
    }

    /// Demands that results get a folder of their own: recordings that lie in it would not be found the next time.
    /// - Throws: `CohortError` when a recording lies in `output`, or another data set does.
    public func demandApart(from output: URL) throws {
        let folder = output.resolvingSymlinksInPath().standardizedFileURL.path + "/"
        let own = units.first { unit in
            let file = root.appendingPathComponent(unit.recording).resolvingSymlinksInPath().standardizedFileURL
            return file.path.hasPrefix(folder)
        }
        let advice = "name a folder for the results alone, such as \(root.relativePath)/derivatives/marey"
        if let own {
            throw CohortError(
                output, "holds recordings of the data set, such as \(own.recording)", advice: advice)
        }
        if DatasetMark.holdsRecordings(output), !BatchFolder(output).exists {
            throw CohortError(output, "is a data set itself", advice: advice)
        }
    }

    /// The paths of three files at or below `root`, without hidden ones, tables and sidecars.
    private static func examples(in root: URL) -> [String] {
        let all = FileManager.default.enumerator(
            at: root, includingPropertiesForKeys: [.isRegularFileKey], options: [.skipsHiddenFiles])
        var found: [String] = []
        while found.count < 3, let url = all?.nextObject() as? URL {
            let isFile = (try? url.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile) ?? false
            if isFile, !["yaml", "json", "tsv", "html", "md"].contains(url.pathExtension.lowercased()) {
                found.append(String(url.standardizedFileURL.path.dropFirst(root.standardizedFileURL.path.count + 1)))
            }
        }
        return found.sorted()
    }
}
