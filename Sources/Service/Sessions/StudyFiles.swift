import Cohort
import Decoding
import Foundation
import Pipeline
import Study
import Upload

/// The files of a run that may be fetched: the recording with what lies beside it, and its results. A file is meant by
/// a short name from this list and by nothing else, so that no path can lead out of the study.
struct StudyFiles {
    /// One file.
    struct Item {
        /// Unique within the run, without the participant: `recording.xdf`, `report.html`, `desc-hrv_physio.tsv`.
        var name: String
        var url: URL
        var size: Int
    }

    let study: StudyFolder

    /// The files of a run that a key may see, by name: a key that allows some predictions alone sees neither the tables of
    /// others nor a report that shows them. Where it cannot be told what a session was asked for, it may be any.
    func items(of run: RunRecord, for caller: Caller) -> [Item] {
        let items = items(of: run)
        guard caller.predictions != nil else { return items }
        let hidden = Prediction.all.filter { !caller.allows($0.name) }
        let tables = hidden.flatMap(\.tables)
        let open = items.filter { item in !tables.contains { item.name.contains("desc-\($0)_") } }
        guard open.count < items.count || !told(in: run).isDisjoint(with: hidden) else { return items }
        return open.filter { item in
            item.name != "report.html" && !item.name.hasPrefix("compatibility-") && !item.name.hasPrefix("desc-drift")
        }
    }

    /// The predictions that a run was to tell; all of them where that cannot be read.
    private func told(in run: RunRecord) -> Set<Prediction> {
        do {
            let plan = try PredictionPlan(beside: study.root.appendingPathComponent(run.file))
            return Set((plan?.predictions ?? []).compactMap(Prediction.named))
        } catch { return Set(Prediction.all) }
    }

    /// All files of a run, by name.
    func items(of run: RunRecord) -> [Item] {
        let served = ServedFolders(study)
        func item(_ name: String, _ url: URL) -> Item? {
            served.size(of: url).map { Item(name: name, url: url, size: $0) }
        }
        let raw = ((try? study.files(of: run)) ?? []).map { study.root.appendingPathComponent($0) }
        let folder = study.derivatives.appendingPathComponent(run.name.folder)
        let stem = run.name.stem + "_"
        let results = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { $0.hasPrefix(stem) }
        let compatibility = folder.appendingPathComponent(stem + "compatibility")
        let sessions = ((try? FileManager.default.contentsOfDirectory(atPath: compatibility.path)) ?? [])
            .compactMap { name in
                // Names in addresses say nothing of the participant.
                let short = name.hasPrefix(run.name.stem + " ") ? String(name.dropFirst(run.name.stem.count + 1)) : name
                return item("compatibility-" + short, compatibility.appendingPathComponent(name))
            }
        let items =
            sessions + raw.compactMap { item(Self.name(ofRaw: $0, among: raw, of: run.name.subject), $0) }
            + results.compactMap { item(String($0.dropFirst(stem.count)), folder.appendingPathComponent($0)) }
        return items.sorted { $0.name < $1.name }
    }

    /// The file of this name, where the key may see it; nil where there is none.
    func item(_ name: String, of run: RunRecord, for caller: Caller) -> Item? {
        items(of: run, for: caller).first { $0.name == name }
    }

    /// Whether a run has a report that the key may see.
    func hasReport(_ run: RunRecord, for caller: Caller) -> Bool {
        let folder = study.derivatives.appendingPathComponent(run.name.folder)
        let report = ResultFolder(folder, stem: run.name.stem).report
        guard ServedFolders(study).size(of: report) != nil else { return false }
        return caller.predictions == nil || item("report.html", of: run, for: caller) != nil
    }

    /// The file's ending tells it; of several with one ending, as in the folder of an E4 session, its name, too, or its
    /// number where the name holds the participant's.
    private static func name(ofRaw file: URL, among files: [URL], of participant: String) -> String {
        let alike = files.filter { ending($0) == ending(file) }
        guard alike.count > 1 else { return "recording." + ending(file) }
        let isTelling = alike.contains { $0.lastPathComponent.localizedCaseInsensitiveContains(participant) }
        guard isTelling else { return "recording-" + file.lastPathComponent }
        let number = (alike.map(\.path).sorted().firstIndex(of: file.path) ?? 0) + 1
        return "recording-\(number)." + ending(file)
    }

    private static func ending(_ url: URL) -> String {
        url.lastPathComponent.split(separator: ".", maxSplits: 1).dropFirst().joined()
    }

    /// The media type of a file by its ending.
    static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "json": "application/json"
        case "tsv": "text/tab-separated-values; charset=utf-8"
        case "csv": "text/csv; charset=utf-8"
        case "txt": "text/plain; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }
}
