import GRDB
public import Signals

extension Bookkeeping {
    /// Notes a folder outside of the study that holds results of its recordings, so that a person can be erased there,
    /// too.
    /// - Parameter path: the folder's whole path.
    /// - Throws: what SQLite says.
    public func noteOutput(_ path: String, at now: Timestamp) throws {
        try database.write { db in
            try db.execute(
                sql: "INSERT INTO outputs (path, addedAt) VALUES (?, ?) ON CONFLICT DO NOTHING",
                arguments: [path, now.secondsSince1970])
        }
    }

    /// The folders outside of the study that hold results of its recordings, in order.
    /// - Throws: what SQLite says.
    public func outputs() throws -> [String] {
        try database.read { try String.fetchAll($0, sql: "SELECT path FROM outputs ORDER BY path") }
    }
}
