public import Cardiac
import Formats
public import Foundation
import Signals

/// Reads the edits that a person made to a recording's beats.
///
/// A tab-separated table with a header row: `onset` (s from the recording's start), `action` (`add`, `move`, `delete`),
/// for moves `to` (s); if wanted, `kind` of an added beat, `recording` (the label of the source in the names of its
/// result files, such as `ecg`; without it the first source is meant) and `note`. Other columns are passed over.
public enum BeatEditsFile {
    /// What the names of such files end in.
    public static let ending = "_desc-edits_beats.tsv"

    /// The edits that lie beside a recording: `<name>_desc-edits_beats.tsv` in its folder or, where the recording is
    /// several files in a folder of their own, beside that folder under its name. Nil where there are none.
    public static func found(beside recording: URL) -> URL? {
        let recording = recording.standardizedFileURL
        let folder = recording.deletingLastPathComponent()
        func stem(_ url: URL) -> String {
            let name = url.lastPathComponent
            return name.firstIndex(of: ".").map { String(name[..<$0]) } ?? name
        }
        return [
            folder.appendingPathComponent(stem(recording) + ending),
            folder.deletingLastPathComponent().appendingPathComponent(folder.lastPathComponent + ending),
        ].first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// The edits of a file.
    /// - Throws: `FormatError`, naming the line, when a row makes no sense.
    public static func read(_ url: URL) throws -> BeatEdits {
        let table = try TextTable(reading: url)
        let onsets = try table.numbers("onset")
        let actions = try table.texts("action")
        let targets = table.has("to") ? try table.numbers("to") : []
        let kinds = table.has("kind") ? try table.texts("kind") : []
        let labels = table.has("recording") ? try table.texts("recording") : []
        var edits = BeatEdits(file: url)
        for row in onsets.indices {
            let edit = try edit(
                onsets[row], actions[row], row < targets.count ? targets[row] : .nan,
                row < kinds.count ? kinds[row] : nil, FormatError.Line(url, table.line(ofRow: row)))
            edits.list.append((edit, row < labels.count ? labels[row] : nil))
        }
        return edits
    }

    private static func edit(
        _ onset: Double, _ word: String?, _ target: Double, _ kind: String?, _ line: FormatError.Line
    ) throws -> BeatEdit {
        guard onset.isFinite else { throw line.error("an edit without an onset") }
        guard onset.isPlaceable else {
            throw line.error(
                "the onset is \(onset) s", "it is in seconds from the recording's start, and none is so long")
        }
        guard let action = word.flatMap(BeatEdit.Action.init) else {
            throw line.error("the action is \(word ?? "missing")", "it must be add, move or delete")
        }
        guard (action == .move) == target.isFinite else {
            throw line.error(
                action == .move ? "a move without a place to move to" : "\(action.rawValue) has a place to move to",
                "the column to is for moves alone")
        }
        guard !target.isFinite || abs(target - onset) <= BeatEdit.farthest else {
            throw line.error(
                "moves a beat by more than \(BeatEdit.farthest) s", "delete the one beat and add the other")
        }
        guard let kind = kind.map(BeatKind.init(rawValue:)) ?? .beat else {
            throw line.error(
                "the kind is \(kind ?? "")",
                "it must be one of " + BeatKind.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return BeatEdit(
            action, onset: onset, target: target.isFinite ? target : nil, kind: kind, line: line.number)
    }
}

extension FormatError {
    /// A line of a file, to complain about.
    fileprivate struct Line {
        let url: URL
        let number: Int

        init(_ url: URL, _ number: Int) {
            self.url = url
            self.number = number
        }

        func error(_ problem: String, _ advice: String? = nil) -> FormatError {
            FormatError(url, at: "line \(number)", problem, advice: advice)
        }
    }
}

/// The edits of a file, and which source each is for.
public struct BeatEdits: Sendable {
    /// The file.
    public let file: URL
    /// Whether rows without a label are for whatever source is asked for, and not for the first of the recording.
    public var areForAnySource = false
    /// The edits, and the label of the source each is for; nil: the first.
    public internal(set) var list: [(edit: BeatEdit, recording: String?)] = []

    /// The edits for one of a recording's sources.
    /// - Throws: `PipelineError` when an edit is for none of the sources, or for one that has no beats.
    func edits(for source: CardiacSource, in header: RecordingHeader) throws -> [BeatEdit] {
        let sources = SourceRequest.all(in: header)
        let labels = ResultFolder.labels(SourceNames.told(sources, in: header))
        let label = zip(sources, labels).first { $0.0.stream == source.stream }?.1 ?? source.fileLabel
        let isFirst = areForAnySource || source.stream == (sources.first ?? source).stream
        for (edit, recording) in list {
            if let recording, recording != label, !labels.contains(recording) {
                throw PipelineError(
                    "\(file.relativePath): line \(edit.line): there is no source \(recording)",
                    advice: "the recording has \(labels.joined(separator: ", "))")
            }
        }
        let mine = list.filter { $0.recording.map { $0 == label } ?? isFirst }.map(\.edit)
        if let first = mine.first, source.kind == .ibi {
            throw PipelineError(
                "\(file.relativePath): line \(first.line): \(source.name) holds intervals, and no beats to edit")
        }
        return mine
    }

    /// More lines than this are counted, not named: all edits may be those of another recording.
    private static let mostTold = 5

    /// - Throws: `PipelineError`, naming the first lines and how many there are, when some of the edits could not be made.
    func demandMade(_ results: [BeatEditResult]) throws {
        let failures = results.filter { $0.failure != nil }.sorted { $0.edit.line < $1.edit.line }
        guard !failures.isEmpty else { return }
        var lines = failures.prefix(Self.mostTold).map { result in
            "line \(result.edit.line), \(result.edit.action.rawValue) at \(result.edit.onset) s: "
                + (result.failure?.description ?? "")
        }
        if failures.count > lines.count {
            lines.append("and \(failures.count - lines.count) more edits that could not be made")
        }
        throw PipelineError(
            "\(file.relativePath): \(lines.joined(separator: "; "))",
            advice: "the beats may come from another channel or version; mend or remove these lines")
    }
}

extension CardiacResult {
    /// What correction did and, before it, a person, in the order of the intervals.
    public var audit: [CorrectionRow] {
        guard !edits.isEmpty else { return corrections }
        let byHand = edits.filter { $0.failure == nil }.map(row).sorted { $0.onset < $1.onset }
        var merged: [CorrectionRow] = []
        var next = 0
        for row in corrections {
            while next < byHand.count, byHand[next].index <= row.index {
                merged.append(byHand[next])
                next += 1
            }
            merged.append(row)
        }
        return merged + byHand[next...]
    }

    private func row(_ result: BeatEditResult) -> CorrectionRow {
        let onset = Beat.onGrid(result.edit.target ?? result.edit.onset)
        let reason: CorrectionReason =
            switch result.edit.action {
            case .add: .addedByHand
            case .move: .movedByHand
            case .delete: .deletedByHand
            }
        return CorrectionRow(
            index: intervals.partitioningIndex { $0.onset >= onset - 1e-6 }, onset: onset, kind: .manual,
            old: result.old, new: result.new, reason: reason)
    }
}
