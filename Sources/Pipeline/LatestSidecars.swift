import Formats
import Signals
import Synchronization

/// The sidecars that were written last: a batch writes the same for one recording after another.
final class LatestSidecars: Sendable {
    /// How many kinds of tables are kept.
    private static let most = 64

    private let latest = Mutex<[String: (columns: [Column], text: [UInt8])]>([:])

    /// The sidecar of a table of these columns.
    /// - Parameter ending: what kind of table it is: of each kind one is kept.
    func text(of columns: [Column], for ending: String) -> [UInt8] {
        latest.withLock { latest in
            if let known = latest[ending], known.columns == columns { return known.text }
            let text = TableJSON.sidecar(columns)
            if latest.count >= Self.most { latest = [:] }
            latest[ending] = (columns, text)
            return text
        }
    }
}
