import Foundation

/// Which files of a data set apply to one of its recordings: those in its folder or above it, up to the data set's own, whose
/// names have no entity that the recording's has not, in the same order (BIDS 1.10, "The inheritance principle").
enum BIDSInheritance {
    private static let mostLevels = 8
    /// No recording has more entities that tell it apart.
    private static let mostEntities = 10

    /// The file's folder and those above it up to the data set's own, which has a dataset_description.json.
    static func folders(of url: URL) -> [URL] {
        let own = url.standardizedFileURL.deletingLastPathComponent()
        var folders: [URL] = []
        var folder = own
        for _ in 0..<mostLevels {
            folders.append(folder)
            if isThere("dataset_description.json", in: folder) { return folders }
            let above = folder.deletingLastPathComponent()
            if above == folder { break }
            folder = above
        }
        return [own]
    }

    /// The files that apply, the nearest first, and of several in one folder those with most entities.
    /// - Parameters:
    ///   - ending: what follows their entities, such as `channels.tsv`.
    ///   - demanded: what the entity begins with that none of them lacks where the recording has it.
    static func files(
        _ ending: String, for recording: URL, entities: [String], demanding demanded: String? = nil
    ) -> some Sequence<URL> {
        let names = names(
            ending, entities, demanding: entities.first { entity in demanded.map(entity.hasPrefix) ?? false })
        // Folders of a thousand people are not listed for each of them.
        return folders(of: recording).lazy.flatMap { folder in
            names.lazy.filter { isThere($0, in: folder) }.map { folder.appendingPathComponent($0, isDirectory: false) }
        }
    }

    /// The entities in the name of a BIDS file or of the folder of a run; nil where it is not called as they are.
    static func entities(of recording: URL) -> [String]? {
        let stem = recording.lastPathComponent.prefix { $0 != "." }
        guard stem.hasPrefix("sub-") else { return nil }
        return stem.split(separator: "_").filter { $0.contains("-") }.map(String.init)
    }

    /// What files that apply to a recording of these entities may be called, those with most of them first.
    private static func names(_ ending: String, _ entities: [String], demanding demanded: String?) -> [String] {
        let entities = entities.prefix(mostEntities)
        let chosen = (0..<1 << entities.count).sorted { ($1.nonzeroBitCount, $1) < ($0.nonzeroBitCount, $0) }
        return chosen.compactMap { chosen in
            let kept = entities.enumerated().filter { chosen >> $0.offset & 1 == 1 }.map(\.element)
            guard demanded.map(kept.contains) ?? true else { return nil }
            return (kept + [ending]).joined(separator: "_")
        }
    }

    /// Whether a folder has a file of this name. A link to content that was not fetched is one: it applies, and is refused.
    static func isThere(_ name: String, in folder: URL) -> Bool { UnfetchedFile.isNamed("\(folder.path)/\(name)") }
}
