import Foundation

/// What lies in the folders of a data set, so far as it may be recordings.
enum DatasetContent {
    /// An empty file by which a folder of exported tables is known.
    static let exportMark = ".marey-export"

    /// The names in a folder, in order, without hidden ones and without folders that a batch writes its results into, or
    /// that group tables were exported to;
    /// none where there is no folder of that name.
    /// - Throws: `CohortError` when the folder cannot be listed: nobody in it gets lost without a word.
    static func names(in folder: URL) throws -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            try demandNoFolder(folder)
            return []
        }
        return names.filter { name in
            guard !name.hasPrefix(".") else { return false }
            let place = folder.appendingPathComponent(name, isDirectory: true)
            return !BatchFolder(place).exists && access(place.appendingPathComponent(exportMark).path, F_OK) != 0
        }.sorted()
    }

    private static func demandNoFolder(_ folder: URL) throws {
        if let stream = opendir(folder.path) {
            closedir(stream)
        } else if errno == ENOENT || errno == ENOTDIR {
            return
        }
        throw CohortError(
            folder, "cannot be listed: \(String(cString: strerror(errno)))",
            advice: "make it readable (chmod u+rx) or move it out of the data set")
    }
}
