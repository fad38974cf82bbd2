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

    /// Deletes them all. What was there before under their final names stays.
    public static func deleteAll() {
        for path in paths.withLock({ $0 }) { unlink(path) }
    }
}
