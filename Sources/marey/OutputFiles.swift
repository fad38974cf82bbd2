import Foundation

/// Keeps files that are there already.
enum OutputFiles {
    /// - Throws: when one of `files` exists and may not be replaced.
    static func refuseExisting(_ files: [URL], force: Bool) throws {
        guard !force, let existing = files.first(where: { FileManager.default.fileExists(atPath: $0.path) }) else {
            return
        }
        throw Failure.nothingDone("\(existing.relativePath): exists already; name another file or add --force")
    }
}
