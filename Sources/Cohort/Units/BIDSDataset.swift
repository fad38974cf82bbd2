import Formats
public import Foundation
import Signals
import Study

/// Finds the recordings of a BIDS data set, and of a study's raw data.
///
/// Below `sub-<label>` folders: EEG, ECG and the like as EDF, BDF, BrainVision or EEGLAB, and physio as `.tsv.gz`; below
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
            return Self.absence(of: url)
        }
        guard let fields = try? JSONSerialization.jsonObject(with: data) as? [String: Any] else {
            return "has a dataset_description.json that is no JSON object"
        }
        for field in ["Name", "BIDSVersion"] where !(fields[field] is String) {
            return "has a dataset_description.json without \(field)"
        }
        return nil
    }

    /// Why a file cannot be read, in words on the data set.
    private static func absence(of url: URL) -> String {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        let number = errno
        if descriptor >= 0 { close(descriptor) }
        if descriptor < 0, number == ENOENT,
            (try? FileManager.default.destinationOfSymbolicLink(atPath: url.path)) != nil
        {
            return
                "has a \(url.lastPathComponent) that is a link to nothing: if git-annex keeps its content, datalad get "
                + "\(ShellWord.quoted(url.relativePath)) gets it"
        }
        if descriptor < 0, number == ENOENT || number == ENOTDIR {
            return "is no BIDS data set: it has no \(url.lastPathComponent)"
        }
        let cause = String(cString: strerror(descriptor < 0 ? number : EISDIR))
        return "has a \(url.lastPathComponent) that cannot be read (\(cause)): make it readable"
    }

    /// All recordings, in order of their labels. Where a run's raw recording is under `sourcedata`, it stands for the
    /// files exported from it.
    /// - Throws: `CohortError` when a folder cannot be listed, or recordings do not tell whose they are.
    public func units() throws -> [CohortUnit] {
        let found = try content()
        try refuse(found.strays)
        return found.units
    }

    /// All recordings, in order of their labels; the paths of those whose names do not tell whose they are, in a folder
    /// `sub-…` that is no label, or called after somebody else than their folder; those with another fault of their
    /// name; and what else there is to tell.
    /// - Throws: `CohortError` when a folder cannot be listed.
    func content() throws -> Content {
        let raw = try found(in: "sourcedata", accepting: isRaw)
        let taken = Set(raw.candidates.map(\.labels))
        var exported = try found(in: "", accepting: isExported)
        let candidates = raw.candidates + exported.candidates.filter { !taken.contains($0.labels) }
        exported.remarks.add(raw.remarks)
        exported.remarks.look(for: raw.people.union(exported.people), folders: exported.folders, in: root)
        return Content(
            units: named(candidates).sorted { $0.stem < $1.stem }, strays: raw.strays + exported.strays,
            refused: raw.refused + exported.refused, remarks: exported.remarks)
    }

    /// What a data set has.
    struct Content {
        var units: [CohortUnit]
        /// Recordings whose names do not tell whose they are.
        var strays: [String]
        var refused: [RefusedRecording]
        var remarks: DatasetRemarks
    }

    /// Refuses recordings that do not tell whose they are: nobody gets lost, and no two people become one.
    /// - Throws: `CohortError` that names them.
    func refuse(_ strays: [String]) throws {
        guard !strays.isEmpty else { return }
        throw CohortError(
            root,
            "it cannot be told whose \(Listing.text(strays)) are: a label is letters and digits, the same in the "
                + "names of the folder sub-… and of the file",
            advice: "rename them, tell in study.yaml how they are called (cohort: recordings: "
                + "\"sub-{subject}/*/*_eeg.edf\"), or leave them out with --skip-bids-validation")
    }

    private struct Candidate {
        var labels: BIDSLabels
        var path: String
        /// Its run as its name spells it, where results are called so.
        var run: String?
        /// What tells it from another recording with the same labels.
        var difference: String
        /// Whether that stands in its name as such, and is told whether or not there is another: a label that a person's other
        /// recordings decided would be another for each.
        var isNamed = false
    }

    private static let modalities: Set<String> = [
        "eeg", "ieeg", "ecg", "ppg", "emg", "eog", "eda", "physio", "nirs", "meg",
    ]
    /// Those of which only what is beside their own signals can be analyzed.
    private static let unanalyzed: Set<String> = ["ieeg", "emg", "nirs", "meg"]
    private static let waveforms: Set<String> = [".edf", ".bdf", ".vhdr", ".set", ".edf.gz", ".bdf.gz"]
    /// Endings of recordings, or of the files that lead to their others.
    private static let readable: Set<String> = [
        ".edf", ".bdf", ".rec", ".xdf", ".vhdr", ".set", ".zip", ".hea", ".hrm", ".rr", ".rri", ".ibi", ".nn", ".csv",
        ".txt",
    ]
    /// The same of files that are called after their run; in a run's own folder they may belong to another, as the marks
    /// of beats `x.ecg` to `x.hea`.
    private static let single: Set<String> = [".ecg", ".avro", ".acq"]

    private func isExported(_ name: BIDSFileName, isFolder: Bool) -> Bool {
        guard !isFolder, let suffix = name.suffix, Self.modalities.contains(suffix) else { return false }
        return Self.waveforms.contains(name.ending) || (suffix == "physio" && name.ending == ".tsv.gz")
    }

    private var isStudy: Bool {
        FileManager.default.fileExists(atPath: root.appendingPathComponent(".marey").path)
    }

    private func isRaw(_ name: BIDSFileName, isFolder: Bool) -> Bool {
        if !isFolder, name.ending == ".xdf" || name.ending == ".xdf.gz" { return true }
        guard isStudy, name.suffix == nil, !isFolder else { return false }
        if Self.single.contains(name.ending) { return name.entities["sub"] != nil }
        return Self.readable.contains(name.ending) || name.ending.hasSuffix(".gz")
    }

    /// What lies below the folders of people.
    private struct Found {
        var candidates: [Candidate] = []
        /// Recordings whose names do not tell whose they are.
        var strays: [String] = []
        /// Recordings with another fault of their name.
        var refused: [RefusedRecording] = []
        var remarks = DatasetRemarks()
        /// The labels of people with a recording, whether it is taken or not.
        var people: Set<String> = []
        /// The labels of people with a folder that is not left out.
        var folders: [String] = []
    }

    private func found(
        in part: String, accepting accepts: @escaping (BIDSFileName, _ isFolder: Bool) -> Bool
    ) throws -> Found {
        var found = Found()
        let base = part.isEmpty ? root : root.appendingPathComponent(part)
        // Raw data are no part of what BIDS describes.
        let ignore = part.isEmpty ? BIDSIgnore(of: root) : BIDSIgnore("")
        for subject in try DatasetContent.names(in: base) where subject.hasPrefix("sub-") {
            let path = part.isEmpty ? subject : part + "/" + subject
            let isFolder = Self.isFolder(root.appendingPathComponent(path))
            let isIgnored = ignore.leavesOut(path, isFolder: isFolder)
            let participant = String(subject.dropFirst(4))
            if isFolder, !isIgnored { found.folders.append(participant) }
            let walk = Walk(participant: participant, isRaw: !part.isEmpty, ignore: ignore, accepts: accepts)
            try self.walk(path, walk, depth: 0, isIgnored: isIgnored, &found)
        }
        return found
    }

    /// How the folder of a person is searched.
    private struct Walk {
        /// Whose folder it is, by its name.
        var participant: String
        var isRaw: Bool
        var ignore: BIDSIgnore
        var accepts: (BIDSFileName, _ isFolder: Bool) -> Bool
    }

    private func walk(_ path: String, _ walk: Walk, depth: Int, isIgnored: Bool, _ found: inout Found) throws {
        for entry in try DatasetContent.names(in: root.appendingPathComponent(path)) {
            let inner = path + "/" + entry
            let isFolder = Self.isFolder(root.appendingPathComponent(inner))
            let isIgnored = isIgnored || walk.ignore.leavesOut(inner, isFolder: isFolder)
            let name = BIDSFileName(entry)
            let labels = BIDSLabels(entities: name.entities)
            var recording: (path: String, difference: String)?
            let named = name.entities["recording"]
            if walk.accepts(name, isFolder) {
                recording = (inner, named ?? name.suffix ?? "")
            } else if labels != nil, isFolder, isStudy {
                recording = try self.recording(inFolder: inner).map { (path: $0, difference: "") }
            }
            if let recording {
                if isIgnored || name.entities["desc"] != nil {
                    if isIgnored { found.remarks.ignored.append(inner) } else { found.remarks.derived.append(inner) }
                    found.people.insert(walk.participant)
                    continue
                }
                if let labels, labels.participant == walk.participant {
                    found.people.insert(walk.participant)
                    if let refused = RefusedRecording(inner, labels) {
                        found.refused.append(refused)
                    } else if hasNoAnalysis(recording.path, name) {
                        found.remarks.unanalyzed.append(inner)
                    } else {
                        let labels = found.remarks.completed(labels, of: inner, name)
                        found.candidates.append(
                            Candidate(
                                labels: labels, path: recording.path,
                                run: walk.isRaw ? nil : name.entities["run"], difference: recording.difference,
                                isNamed: named != nil && !recording.difference.isEmpty))
                    }
                    continue
                }
                if entry.hasPrefix("sub-") {
                    found.people.insert(walk.participant)
                    found.strays.append(inner)
                    continue
                }
            }
            if !isFolder, !isIgnored, !walk.isRaw, Self.looksRecorded(name) { found.remarks.unnamed.append(inner) }
            if isFolder, depth < 3 { try self.walk(inner, walk, depth: depth + 1, isIgnored: isIgnored, &found) }
        }
    }

    /// Whether a file among those that BIDS describes is a recording by its ending.
    private static func looksRecorded(_ name: BIDSFileName) -> Bool {
        waveforms.contains(name.ending) || [".xdf", ".xdf.gz"].contains(name.ending)
            || name.suffix == "physio" && name.ending == ".tsv.gz"
    }

    /// Whether nothing is computed of a recording, by what it is said to be and the kinds of all its signals: an ECG beside an
    /// EMG is analyzed. One that cannot be read fails when its turn comes, with a reason.
    private func hasNoAnalysis(_ path: String, _ name: BIDSFileName) -> Bool {
        let url = root.appendingPathComponent(path)
        if name.suffix == "physio" { return BIDSPhysioSidecar.isOfEyes(url) }
        guard let suffix = name.suffix, Self.unanalyzed.contains(suffix),
            let header = try? RecordingFile.open(url).header
        else { return false }
        return header.streams.allSatisfy { $0.kind == .other || $0.kind == .marker }
    }

    /// The recording of several files that lies in a run's own folder: a header of WFDB or BrainVision, a data set of EEGLAB,
    /// or the folder of an E4 session.
    private func recording(inFolder path: String) throws -> String? {
        let names = try DatasetContent.names(in: root.appendingPathComponent(path))
        let headers = names.filter { $0.hasSuffix(".hea") || $0.hasSuffix(".vhdr") || $0.hasSuffix(".set") }
        if let header = headers.first(where: { isWhole(path + "/" + $0) }) { return path + "/" + header }
        if names.contains("ACC.csv") || names.contains("BVP.csv") { return path }
        let found = names.first { Self.isFolder(root.appendingPathComponent(path + "/" + $0)) }
        // What is not whole fails when its turn comes, with a reason.
        return (found ?? names.first { isWhole(path + "/" + $0) } ?? headers.first).map { path + "/" + $0 }
    }

    /// Whether a file leads to others that belong to it, as one of physio does to its sidecar, and all of them are there.
    private func isWhole(_ path: String) -> Bool {
        let files = (try? RecordingFile.files(of: root.appendingPathComponent(path))) ?? []
        return files.count > 1 && files.allSatisfy { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Gives every recording labels of its own: what tells apart those with the same labels, and what a name calls
    /// `recording-`, is put behind the acquisition label, and is nothing that another recording is called already.
    private func named(_ candidates: [Candidate]) -> [CohortUnit] {
        func made(_ candidate: Candidate) -> CohortUnit {
            let captured = candidate.run.map { ["run": $0] } ?? [:]
            return CohortUnit(candidate.labels, at: candidate.path, in: root, captured: captured)
        }
        let groups = Dictionary(grouping: candidates, by: \.labels).values.map { $0.sorted { $0.path < $1.path } }
        let (single, alike) = groups.reduce(into: ([[Candidate]](), [[Candidate]]())) { parts, group in
            if group.count == 1, !group[0].isNamed { parts.0.append(group) } else { parts.1.append(group) }
        }
        let unique = single.map { made($0[0]) }
        var stems = DistinctNames(taken: Set(unique.map(\.stem)))
        return unique
            + alike.sorted { $0[0].path < $1[0].path }.joined().map { candidate -> CohortUnit in
                var unit = made(candidate)
                let given = unit.acquisition ?? ""
                var difference = ""
                _ = stems.next { number in
                    difference = candidate.difference + (number.map(String.init) ?? "")
                    if given.isEmpty, difference.isEmpty { difference = "1" }
                    unit.acquisition = given + difference
                    return unit.stem
                }
                unit.difference = difference.isEmpty ? nil : difference
                return unit
            }
    }

    private static func isFolder(_ url: URL) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) && isDirectory.boolValue
    }
}
