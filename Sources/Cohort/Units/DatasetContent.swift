import Foundation

/// What lies in the folders of a data set, so far as it may be recordings.
enum DatasetContent {
    /// The names in a folder, in order, without hidden ones and without folders that a batch writes its results into;
    /// none where there is no folder of that name.
    /// - Throws: `CohortError` when the folder cannot be listed: nobody in it gets lost without a word.
    static func names(in folder: URL) throws -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else {
            try demandNoFolder(folder)
            return []
        }
        return names.filter { name in
            !name.hasPrefix(".") && !BatchFolder(folder.appendingPathComponent(name, isDirectory: true)).exists
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
