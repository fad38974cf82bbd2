import Foundation
import Synchronization

/// Files that are complete under temporary names and get their own together.
final class AwaitingFiles: Sendable {
    /// One of them.
    struct File: Sendable {
        /// The file, as the user named it.
        var url: URL
        /// Where it is.
        var temporary: String
        /// Where it is to be.
        var target: String
    }

    private let files = Mutex<[File]>([])

    /// Takes a file that is complete.
    func add(_ file: File) { files.withLock { $0.append(file) } }

    /// Gives all of them their names, in the order they were completed.
    /// - Throws: `FormatError` where one cannot get it.
    func appear() throws {
        let all = files.withLock { $0 }
        guard let failed = UnfinishedFiles.appear(all) else { return }
        throw FormatError(
            all[failed.index].url, "cannot be put in its place: \(String(cString: strerror(failed.error)))")
    }

    /// Takes away those that have no name yet; what was there before stays.
    func abandon() {
        for file in files.withLock({ $0 }) {
            unlink(file.temporary)
            UnfinishedFiles.remove(file.temporary)
        }
    }
}
