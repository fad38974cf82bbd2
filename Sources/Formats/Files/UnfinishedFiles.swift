import Foundation
import Synchronization

/// The temporary files of writes under way, so that a program that is told to stop can take them away.
public enum UnfinishedFiles {
    private static let paths = Mutex<Set<String>>([])

    static func add(_ path: String) {
        paths.withLock { _ = $0.insert(path) }
    }

    static func remove(_ path: String) {
        paths.withLock { _ = $0.remove(path) }
    }

    /// Gives files their names, one after the other. A stop of the program waits until all have them: half of the results
    /// of a run beside half of an earlier one would be taken for those of either.
    /// - Returns: the first that cannot get it and the system's number of the reason; nil where all did.
    static func appear(_ files: [AwaitingFiles.File]) -> (index: Int, error: CInt)? {
        paths.withLock { paths -> (index: Int, error: CInt)? in
            for (index, file) in files.enumerated() {
                guard rename(file.temporary, file.target) == 0 else { return (index: index, error: errno) }
                paths.remove(file.temporary)
            }
            return nil
        }
    }

    /// Deletes them all. What was there before under their final names stays.
    public static func deleteAll() {
        for path in paths.withLock({ $0 }) { unlink(path) }
    }
}
