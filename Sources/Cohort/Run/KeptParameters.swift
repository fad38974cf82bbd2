import Pipeline
import Synchronization

/// The parameters that were last asked for: a worker needs the same for one recording after another, and their name is the
/// hash of their content.
final class KeptParameters: Sendable {
    private let latest = Mutex<(hash: String, value: Parameters)?>(nil)

    /// The parameters of this hash.
    /// - Throws: `CohortError` when the folder has none such.
    func value(of hash: String, in folder: BatchFolder) throws -> Parameters {
        try latest.withLock { latest in
            if let latest, latest.hash == hash { return latest.value }
            let value = try folder.parameters(hash)
            latest = (hash, value)
            return value
        }
    }
}
