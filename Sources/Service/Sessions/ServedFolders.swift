import Foundation
import Study

/// Where the files of a study lie that may be served: below its folder, wherever links lead. Raw data and results as a whole
/// may lie on another disk, to which the study links.
struct ServedFolders {
    private let roots: [String]

    init(_ study: StudyFolder) {
        roots = [study.root, study.sourcedata, study.derivatives].compactMap(Self.end)
    }

    /// The size of a plain file that may be served; nil for what is none, or what a link leads out of the study.
    func size(of url: URL) -> Int? {
        guard let found = try? FileManager.default.attributesOfItem(atPath: url.path),
            found[.type] as? FileAttributeType == .typeRegular, let end = Self.end(of: url),
            roots.contains(where: { end.hasPrefix($0 + "/") })
        else { return nil }
        return (found[.size] as? Int) ?? 0
    }

    /// Where a path leads when all links are followed; nil where nothing is there.
    private static func end(of url: URL) -> String? {
        guard let path = realpath(url.path, nil) else { return nil }
        defer { free(path) }
        return String(cString: path)
    }
}
