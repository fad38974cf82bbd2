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

    /// All files of a run, by name.
    func items(of run: RunRecord) -> [Item] {
        let raw = ((try? study.files(of: run)) ?? []).map { study.root.appendingPathComponent($0) }
        let folder = study.derivatives.appendingPathComponent(run.name.folder)
        let stem = run.name.stem + "_"
        let results = ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
            .filter { $0.hasPrefix(stem) }
        let items =
            raw.compactMap { item("recording." + Self.ending($0), $0) }
            + results.compactMap { item(String($0.dropFirst(stem.count)), folder.appendingPathComponent($0)) }
        return items.sorted { $0.name < $1.name }
    }

    /// The file of this name; nil where there is none.
    func item(_ name: String, of run: RunRecord) -> Item? {
        items(of: run).first { $0.name == name }
    }

    /// Whether a run has a report.
    func hasReport(_ run: RunRecord) -> Bool {
        let folder = study.derivatives.appendingPathComponent(run.name.folder)
        return FileManager.default.fileExists(atPath: ResultFolder(folder, stem: run.name.stem).report.path)
    }

    private static func ending(_ url: URL) -> String {
        url.lastPathComponent.split(separator: ".", maxSplits: 1).dropFirst().joined()
    }

    /// Only plain files: nothing that links elsewhere is served.
    private func item(_ name: String, _ url: URL) -> Item? {
        guard let found = try? FileManager.default.attributesOfItem(atPath: url.path),
            found[.type] as? FileAttributeType == .typeRegular
        else { return nil }
        return Item(name: name, url: url, size: (found[.size] as? Int) ?? 0)
    }

    /// The media type of a file by its ending.
    static func type(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "json": "application/json"
        case "tsv": "text/tab-separated-values; charset=utf-8"
        case "csv": "text/csv; charset=utf-8"
        case "svg": "image/svg+xml"
        default: "application/octet-stream"
        }
    }
}
