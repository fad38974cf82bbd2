import Foundation
import Synchronization

/// Folders in which files got their names and whose entries are still to be brought to the disk.
final class ChangedFolders: Sendable {
    private let paths = Mutex<Set<String>>([])

    /// A file appeared in the folder at `path`.
    func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

    /// Brings the entries of all of them to the disk.
    func sync() { paths.withLock { $0 }.forEach(Self.sync) }

    /// Brings the entries of a folder to the disk.
    static func sync(_ path: String) {
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }
}
