import Formats
import Foundation
import Study

/// What a data set has that is not taken for a recording, or taken otherwise than it may be meant: nobody and nothing gets lost
/// without a word.
struct DatasetRemarks {
    /// Files that are recordings by their endings, but not named as BIDS wants.
    var unnamed: [String] = []
    /// Recordings that `.bidsignore` leaves out.
    var ignored: [String] = []
    /// Recordings with `desc-` in their names.
    var derived: [String] = []
    /// Recordings of which nothing is computed.
    var unanalyzed: [String] = []
    /// Recordings whose session only their folder tells.
    var sessionless: [String] = []
    /// Recordings whose run is no number.
    var runless: [String] = []
    /// Folders of people without any recording.
    var empty: [String] = []
    /// People that `participants.tsv` lists without any recording.
    var absent: [String] = []
    /// Why it cannot be told whom `participants.tsv` lists; nil where it can, or there is no such table.
    var listProblem: String?

    /// Takes over what was found elsewhere in the data set.
    mutating func add(_ others: DatasetRemarks) {
        unnamed += others.unnamed
        ignored += others.ignored
        derived += others.derived
        unanalyzed += others.unanalyzed
        sessionless += others.sessionless
        runless += others.runless
    }

    /// The labels of a recording with the session of the folder that it lies in, where its name tells none.
    mutating func completed(_ labels: BIDSLabels, of path: String, _ name: BIDSFileName) -> BIDSLabels {
        var labels = labels
        if labels.session == nil, let session = RefusedRecording.sessionFolder(path), RunName.isLabel(session) {
            labels.session = session
            sessionless.append(path)
        }
        if labels.run == nil, name.entities["run"] != nil { runless.append(path) }
        return labels
    }

    /// A line for each of them that there is.
    var lines: [String] {
        [
            Self.line(
                unnamed, "file looks like a recording, but is left out: \(Self.naming)",
                "files look like recordings, but are left out: \(Self.naming)"),
            Self.line(
                ignored, "recording is left out, as .bidsignore says", "recordings are left out, as .bidsignore says"),
            Self.line(
                derived, "recording is left out, as desc- in its name says that it was made from another",
                "recordings are left out, as desc- in their names says that they were made from others"),
            Self.line(
                unanalyzed, "recording is left out, as nothing is computed of its signals (\(Self.modalities))",
                "recordings are left out, as nothing is computed of their signals (\(Self.modalities))"),
            Self.line(
                sessionless, "recording does not tell its session; that of its folder is taken",
                "recordings do not tell their sessions; those of their folders are taken"),
            Self.line(
                runless, "recording has a run that is no number; it is left away",
                "recordings have a run that is no number; it is left away"),
        ].compactMap(\.self) + linesOnPeople
    }

    /// Those of them about people without a recording.
    var linesOnPeople: [String] {
        [
            Self.line(empty, "folder of a person has no recording", "folders of people have no recording"),
            Self.line(
                absent, "person in participants.tsv has no recording", "people in participants.tsv have no recording"),
            listProblem.map { "it cannot be told who in participants.tsv has no recording: \($0)" },
        ].compactMap(\.self)
    }

    private static func line(_ paths: [String], _ one: String, _ several: String) -> String? {
        guard !paths.isEmpty else { return nil }
        return (paths.count == 1 ? "1 \(one)" : "\(paths.count) \(several)") + ": " + Listing.text(paths)
    }

    private static let naming = "BIDS wants sub-LABEL[_ses-LABEL]_task-LABEL_SUFFIX, such as sub-01_task-rest_eeg.edf"
    private static let modalities = "iEEG, EMG, MEG, NIRS, eye tracking"

    /// Looks for people without a recording: the folders `sub-…` of the data set, and the rows of its `participants.tsv`.
    /// - Parameters:
    ///   - people: the labels of those who have one.
    ///   - folders: the labels of those who have a folder.
    mutating func look(for people: Set<String>, folders: [String], in root: URL) {
        let listed = listed(in: root)
        absent = listed.filter { text in
            let label = Self.label(text)
            return !people.contains(label) && !people.contains(RunName.label(from: label))
        }
        let told = Set(absent.map(Self.label))
        empty = folders.filter { !people.contains($0) && !told.contains($0) }.map { "sub-" + $0 }
    }

    /// Whom the table lists, as it writes them.
    private mutating func listed(in root: URL) -> [String] {
        let url = root.appendingPathComponent("participants.tsv")
        guard (try? FileManager.default.attributesOfItem(atPath: url.path)) != nil else { return [] }
        do {
            let table = try TextTable(reading: url)
            try table.demandUTF8()
            // That it has no such column is told where groups are compared.
            guard table.has("participant_id") else { return [] }
            return try table.texts("participant_id").compactMap(\.self)
        } catch {
            listProblem = "\(error)"
            return []
        }
    }

    private static func label(_ text: String) -> String { text.hasPrefix("sub-") ? String(text.dropFirst(4)) : text }
}
