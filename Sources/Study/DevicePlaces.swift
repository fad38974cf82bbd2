import GRDB
public import Signals

/// The places of devices that the owner of a study listed: keys with the right to record connect to these alone.
extension Bookkeeping {
    /// Lists a place, such as `polar@A0:9E:1A:00:11:22`; `*` in it matches anything.
    /// - Returns: whether it is new.
    @discardableResult
    public func addDevicePlace(_ place: String, at now: Timestamp) throws -> Bool {
        try database.write { db in
            try db.execute(
                sql: "INSERT INTO devicePlaces (place, addedAt) VALUES (?, ?) ON CONFLICT (place) DO NOTHING",
                arguments: [place, now.secondsSince1970])
            return db.changesCount == 1
        }
    }

    /// Takes a place off the list.
    /// - Returns: whether it was on it.
    public func removeDevicePlace(_ place: String) throws -> Bool {
        try database.write { db in
            try db.execute(sql: "DELETE FROM devicePlaces WHERE place = ?", arguments: [place])
            return db.changesCount > 0
        }
    }

    /// The places, in alphabetical order.
    public func devicePlaces() throws -> [String] {
        try database.read { db in try String.fetchAll(db, sql: "SELECT place FROM devicePlaces ORDER BY place") }
    }
}
