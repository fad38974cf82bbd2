import GRDB
public import Signals

/// What the holder of a key may do with a study's service.
public enum AccessRight: String, Codable, CaseIterable, Sendable {
    /// See participants, sessions, live data and results.
    case read
    /// Look for devices; start, tag and finish sessions; add participants; write what belongs to a session.
    case record
    /// Send ECG messages to the relay and read its answers.
    case relay
}

/// A key to a study's service, as the bookkeeping knows it: never the key itself.
public struct AccessKey: Hashable, Codable, Sendable {
    /// Row id.
    public var id: Int64
    /// What people call it, unique among the keys of a study.
    public var name: String
    /// What its holder may do.
    public var rights: Set<AccessRight>
    /// The predictions its holder may start and see, by code name; nil: all.
    public var predictions: Set<String>?
    /// When it was made, seconds since 1970.
    public var createdAt: Seconds
    /// When it was taken back, seconds since 1970; nil while it is valid.
    public var revokedAt: Seconds?
    /// When the service last took it, to a minute, seconds since 1970; nil: never.
    public var lastUsedAt: Seconds?
    /// When it ends by itself, seconds since 1970; nil: never.
    public var expiresAt: Seconds?

    /// True where the service takes the key at a moment.
    public func isValid(at now: Timestamp) -> Bool {
        revokedAt == nil && expiresAt.map { $0 > now.secondsSince1970 } ?? true
    }

    /// What the service signs with for who started it and for itself: no key is called so.
    public static let reservedNames: Set<String> = ["owner", "service"]
}

/// Keys to the study's service. Only the SHA-256 of a key is kept: whoever reads the file cannot use one.
extension Bookkeeping {
    /// Notes a key.
    /// - Parameters:
    ///   - name: what people call it.
    ///   - hash: the SHA-256 of the key, in hexadecimal.
    ///   - predictions: the predictions its holder may start and see; nil: all.
    ///   - end: when it ends by itself; nil: never.
    /// - Returns: the key's row id; nil when there is a key of this name already, or the name is reserved.
    public func addKey(
        _ name: String, hash: String, rights: Set<AccessRight>, predictions: Set<String>?,
        until end: Timestamp? = nil, at now: Timestamp
    ) throws -> Int64? {
        guard !AccessKey.reservedNames.contains(name) else { return nil }
        return try database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO accessKeys (name, hash, rights, predictions, createdAt, expiresAt)
                    VALUES (?, ?, ?, ?, ?, ?)
                    ON CONFLICT (name) DO NOTHING
                    """,
                arguments: [
                    name, hash, rights.map(\.rawValue).sorted().joined(separator: " "),
                    predictions?.sorted().joined(separator: " "), now.secondsSince1970, end?.secondsSince1970,
                ])
            return db.changesCount == 1 ? db.lastInsertedRowID : nil
        }
    }

    /// All keys, the oldest first, those taken back included.
    public func keys() throws -> [AccessKey] {
        try database.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM accessKeys ORDER BY id").map(AccessKey.init(row:))
        }
    }

    /// The key with this hash that is valid at a moment; nil when there is none.
    public func key(hash: String, at now: Timestamp) throws -> AccessKey? {
        let key = try database.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM accessKeys WHERE hash = ?", arguments: [hash])
                .map(AccessKey.init(row:))
        }
        return key.flatMap { $0.isValid(at: now) ? $0 : nil }
    }

    /// The key of this row id where it is valid at a moment; nil when it is not.
    public func key(id: Int64, at now: Timestamp) throws -> AccessKey? {
        let key = try database.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM accessKeys WHERE id = ?", arguments: [id]).map(
                AccessKey.init(row:))
        }
        return key.flatMap { $0.isValid(at: now) ? $0 : nil }
    }

    /// Notes that a key was used.
    public func noteKeyUse(_ id: Int64, at now: Timestamp) throws {
        try database.write { db in
            try db.execute(
                sql: "UPDATE accessKeys SET lastUsedAt = ? WHERE id = ?", arguments: [now.secondsSince1970, id])
        }
    }

    /// Forgets a key that nobody has seen: its name is free again.
    public func forgetKey(hash: String) throws {
        try database.write { db in try db.execute(sql: "DELETE FROM accessKeys WHERE hash = ?", arguments: [hash]) }
    }

    /// Takes a key back.
    /// - Returns: whether there was a valid one of this name.
    public func revokeKey(_ name: String, at now: Timestamp) throws -> Bool {
        try database.write { db in
            try db.execute(
                sql: "UPDATE accessKeys SET revokedAt = ? WHERE name = ? AND revokedAt IS NULL",
                arguments: [now.secondsSince1970, name])
            return db.changesCount > 0
        }
    }
}

extension AccessKey {
    init(row: Row) {
        func words(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
        self.init(
            id: row["id"], name: row["name"], rights: Set(words(row["rights"]).compactMap(AccessRight.init)),
            predictions: (row["predictions"] as String?).map { Set(words($0)) }, createdAt: row["createdAt"],
            revokedAt: row["revokedAt"], lastUsedAt: row["lastUsedAt"], expiresAt: row["expiresAt"])
    }
}
