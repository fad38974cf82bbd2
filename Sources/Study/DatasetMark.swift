public import Foundation

/// What tells that a folder is a data set of its own.
public enum DatasetMark {
    /// Whether a folder holds recordings or bookkeeping, by what it says of itself, and is not a place for results.
    public static func holdsRecordings(_ folder: URL) -> Bool {
        isStudy(folder) || isDescribed(folder) && isRaw(folder)
    }

    /// Whether it is a study with bookkeeping.
    static func isStudy(_ folder: URL) -> Bool { has(".marey/study.sqlite", folder) }

    /// Whether it describes itself as a data set.
    static func isDescribed(_ folder: URL) -> Bool { has("dataset_description.json", folder) }

    /// Whether a folder, linked to or behind a link, is another data set than the one it is reached from.
    ///
    /// Results describe themselves, too: what lies in `derivatives` itself belongs to the data set, unless it was found
    /// there behind a link and says that it is raw.
    /// - Parameter path: how it is reached, relative to the data set.
    static func isOther(_ target: String, at path: String, isLink: Bool) -> Bool {
        let folder = URL(fileURLWithPath: target, isDirectory: true)
        if isStudy(folder) { return true }
        guard isDescribed(folder) else { return false }
        let steps = path.split(separator: "/")
        guard steps.first == "derivatives", steps.count <= 2 else { return true }
        return !isLink && isRaw(folder)
    }

    /// Whether the description is that of raw data, which BIDS takes all for that do not say otherwise.
    private static func isRaw(_ folder: URL) -> Bool {
        let file = folder.appendingPathComponent("dataset_description.json", isDirectory: false)
        guard let data = FileManager.default.contents(atPath: file.path),
            let fields = try? JSONSerialization.jsonObject(with: data) as? [String: Any], fields["Name"] != nil
        else { return false }
        if let type = fields["DatasetType"] as? String { return type == "raw" }
        return fields["GeneratedBy"] == nil && fields["PipelineDescription"] == nil
    }

    private static func has(_ path: String, _ folder: URL) -> Bool {
        ErasedFile.isThere(folder.appendingPathComponent(path, isDirectory: false))
    }
}
