public import Formats
import Foundation
import Pipeline
import Study

/// One recording of a cohort: the piece of work that a batch is made of.
public struct CohortUnit: Hashable, Codable, Sendable {
    /// Participant label, without `sub-`.
    public var participant: String
    /// Session label, without `ses-`.
    public var session: String?
    /// Task label, without `task-`.
    public var task: String?
    /// Acquisition label, without `acq-`; also tells apart recordings that have all other labels in common.
    public var acquisition: String?
    /// What was added to the acquisition label, or stands for one, to tell the recording from another that has all labels
    /// in common; nil where nothing was. Comparisons take no notice of it.
    public var difference: String?
    /// Run number, from 1 on.
    public var run: Int?
    /// The recording, relative to the data set.
    public var recording: String
    /// The files it is made of, relative to the data set, the table of its channels and edits to its beats among them.
    public var files: [FileStamp]
    /// What its columns are, for delimited text that does not say so itself.
    public var columns: ColumnMap?
    /// What the data set calls the participant and the rest, by entity, where a label is not what stands there.
    public var spelling: [String: String]?

    /// The recording at `path` in the data set `root`.
    /// - Parameters:
    ///   - name: its labels.
    ///   - captured: what the labels were made from, by entity.
    init(
        _ name: BIDSLabels, at path: String, in root: URL, columns: ColumnMap? = nil, captured: [String: String] = [:]
    ) {
        participant = name.participant
        session = name.session
        task = name.task
        acquisition = name.acquisition
        run = name.run
        recording = path
        self.columns = columns
        files = Self.files(of: path, in: root).compactMap { FileStamp($0, in: root) }
        let labels = self.labels
        let differing = captured.filter { labels[$0.key] != $0.value }
        if !differing.isEmpty { spelling = differing }
    }

    /// The same recording of the data set `root`, its files as they are now.
    func current(in root: URL) -> CohortUnit {
        var unit = self
        unit.files = Self.files(of: recording, in: root).compactMap { FileStamp($0, in: root) }
        return unit
    }

    /// Its labels by entity, as patterns call them; those it lacks are empty.
    var labels: [String: String] {
        [
            "subject": participant, "session": session ?? "", "task": task ?? "", "run": run.map(String.init) ?? "",
        ]
    }

    /// The acquisition label that the data set itself gives; nil where it gives none.
    var givenAcquisition: String? {
        guard let difference, let acquisition else { return acquisition }
        let given = acquisition.dropLast(difference.count)
        return given.isEmpty ? nil : String(given)
    }

    /// The run number with the zeros that the data set puts before it, so that results are called as what they are from.
    var spelledRun: String? {
        guard let run, let text = spelling?["run"] else { return run.map(String.init) }
        return text.allSatisfy { $0.isASCII && $0.isNumber } ? text : String(run)
    }

    /// What the names of all its results begin with: BIDS entities in their order (BIDS 1.10, "Entities").
    public var stem: String {
        var parts = ["sub-\(participant)"]
        if let session { parts.append("ses-\(session)") }
        if let task { parts.append("task-\(task)") }
        if let acquisition { parts.append("acq-\(acquisition)") }
        if let spelledRun { parts.append("run-\(spelledRun)") }
        return parts.joined(separator: "_")
    }

    /// The folder of its results below the output folder.
    public var folder: String { "sub-\(participant)" + (session.map { "/ses-\($0)" } ?? "") }

    /// The bytes of all its files.
    public var bytes: Int { files.reduce(0) { $0 + $1.bytes } }

    /// The files that are read for a recording, relative to `root`. What cannot be read is the recording itself: it
    /// fails when its turn comes, with a reason.
    private static func files(of path: String, in root: URL) -> [String] {
        let recording = root.appendingPathComponent(path)
        let files = (try? RecordingFile.inputs(of: recording)) ?? [recording]
        let edits = BeatEditsFile.found(beside: recording).map { [$0] } ?? []
        let base = root.standardizedFileURL.path + "/"
        return (files + edits).map { file in
            let full = file.standardizedFileURL.path
            return full.hasPrefix(base) ? String(full.dropFirst(base.count)) : full
        }
    }
}
