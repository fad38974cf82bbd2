public import Foundation
import Study

/// Finds the recordings of a BIDS data set, and of a study's raw data.
///
/// Below `sub-<label>` folders: EEG, ECG and the like as EDF, BDF or BrainVision, and physio as `.tsv.gz`; below
/// `sourcedata`: our own XDF, and in a study made by `marey study init` whatever was added to it.
public struct BIDSDataset {
    /// The folder with `dataset_description.json`.
    public let root: URL

    /// The data set in `root`.
    public init(_ root: URL) {
        self.root = root
    }

    /// Whether `root` has a `dataset_description.json` with a name and a version (BIDS 1.10, "Modality agnostic
    /// files"), or what it lacks.
    public func problem() -> String? {
        let url = root.appendingPathComponent("dataset_description.json")
        guard let data = FileManager.default.contents(atPath: url.path) else {
            return "is no BIDS data set: it has no dataset_description.json"
        }
        guard let fields = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            return "has a dataset_description.json that is no JSON object"
        }
        for field in ["Name", "BIDSVersion"] where !(fields[field] is String) {
            return "has a dataset_description.json without \(field)"
        }
        return nil
    }

    /// All recordings, in order of their labels. Where a run's raw recording is under `sourcedata`, it stands for the
    /// files exported from it.
    /// - Throws: `CohortError` when a folder cannot be listed.
    public func units() throws -> [CohortUnit] {
        let raw = try candidates(in: "sourcedata", accepting: isRaw)
        let taken = Set(raw.map(\.labels))
        let exported = try candidates(in: "", accepting: isExported).filter { !taken.contains($0.labels) }
        return named(raw + exported).sorted { $0.stem < $1.stem }
    }

    private struct Candidate {
        var labels: BIDSLabels
        var path: String
        /// What tells it from another recording with the same labels.
        var difference: String
    }

    private static let modalities: Set<String> = [
        "eeg", "ieeg", "ecg", "ppg", "emg", "eog", "eda", "physio", "nirs", "meg",
    ]
    private static let waveforms: Set<String> = [".edf", ".bdf", ".vhdr", ".edf.gz", ".bdf.gz"]
    private static let readable: Set<String> = [
        ".edf", ".bdf", ".rec", ".xdf", ".xdf.gz", ".vhdr", ".zip", ".hea", ".hrm", ".rr", ".rri", ".ibi", ".nn",
        ".csv",
        ".txt", ".gz",
    ]

    private func isExported(_ name: BIDSFileName, isFolder: Bool) -> Bool {
        guard !isFolder, let suffix = name.suffix, Self.modalities.contains(suffix) else { return false }
        return Self.waveforms.contains(name.ending) || (suffix == "physio" && name.ending == ".tsv.gz")
    }

    private var isStudy: Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(".marey").path)
    }

    private func isRaw(_ name: BIDSFileName, isFolder: Bool) -> Bool {
        if !isFolder, name.ending == ".xdf" || name.ending == ".xdf.gz" { return true }
        return isStudy && name.suffix == nil && !isFolder && Self.readable.contains(name.ending)
    }

    private func candidates(
        in part: String, accepting accepts: (BIDSFileName, _ isFolder: Bool) -> Bool
    ) throws -> [Candidate] {
        var found: [Candidate] = []
        let base = part.isEmpty ? root : root.appendingPathComponent(part)
        for subject in try DatasetContent.names(in: base) where subject.hasPrefix("sub-") {
            try walk(part.isEmpty ? subject : part + "/" + subject, depth: 0, accepts, &found)
        }
        return found
    }

    private func walk(
        _ path: String, depth: Int, _ accepts: (BIDSFileName, Bool) -> Bool, _ found: inout [Candidate]
    ) throws {
        for entry in try DatasetContent.names(in: root.appendingPathComponent(path)) {
            let inner = path + "/" + entry
            let isFolder = Self.isFolder(root.appendingPathComponent(inner))
            let name = BIDSFileName(entry)
            if let labels = BIDSLabels(entities: name.entities) {
                if accepts(name, isFolder) {
                    let difference = name.entities["recording"] ?? name.suffix ?? ""
                    found.append(Candidate(labels: labels, path: inner, difference: difference))
                    continue
                }
                if isFolder, isStudy, let inside = try recording(inFolder: inner) {
                    found.append(Candidate(labels: labels, path: inside, difference: ""))
                    continue
                }
            }
            if isFolder, depth < 3 { try walk(inner, depth: depth + 1, accepts, &found) }
        }
    }

    /// The recording of several files that lies in a run's own folder: a WFDB header, or the folder of an E4 session.
    private func recording(inFolder path: String) throws -> String? {
        let names = try DatasetContent.names(in: root.appendingPathComponent(path))
        if let header = names.first(where: { $0.hasSuffix(".hea") || $0.hasSuffix(".vhdr") }) {
            return path + "/" + header
        }
        if names.contains("ACC.csv") || names.contains("BVP.csv") { return path }
        return names.first { Self.isFolder(root.appendingPathComponent(path + "/" + $0)) }.map { path + "/" + $0 }
    }

    /// Gives every recording labels of its own.
    private func named(_ candidates: [Candidate]) -> [CohortUnit] {
        var byLabels: [BIDSLabels: [Candidate]] = [:]
        for candidate in candidates { byLabels[candidate.labels, default: []].append(candidate) }
        var units: [CohortUnit] = []
        for (labels, alike) in byLabels {
            var taken: Set<String> = []
            for candidate in alike.sorted(by: { $0.path < $1.path }) {
                var labels = labels
                if alike.count > 1 {
                    let base = (labels.acquisition ?? "") + candidate.difference
                    var name = base.isEmpty ? "1" : base
                    var number = 2
                    while !taken.insert(name).inserted {
                        name = base + String(number)
                        number += 1
                    }
                    labels.acquisition = name
                }
                units.append(CohortUnit(labels, at: candidate.path, in: root))
            }
        }
        return units
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && isDirectory.boolValue
    }
}
