import GRDB
public import Signals

/// One file on its way to a place off this machine.
public struct UploadRecord: Hashable, Codable, Sendable {
    /// Where an upload stands.
    public enum Status: String, Codable, CaseIterable, Sendable {
        /// Waiting for its turn, or for its next attempt.
        case queued
        /// Being sent.
        case uploading
        /// Arrived, and found equal there.
        case done
        /// Can't be sent as it is: the file is gone or changed.
        case failed
        /// Given up by somebody before it arrived.
        case dropped
    }

    /// Its number in the bookkeeping.
    public var id: Int64
    /// The run it belongs to.
    public var run: Int64
    /// The file, relative to the study.
    public var file: String
    /// The folder it goes to, as rclone writes it (`remote:path`).
    public var remote: String
    /// Where it stands.
    public var status: Status
    /// How often it was tried.
    public var attempts: Int
    /// Not to be tried again before this moment, seconds since 1970.
    public var notBefore: Seconds
    /// The SHA-256 of what arrived and was found equal there; nil where nothing was, or another copy was sent since.
    public var sha256: String?
    /// Whether what is there under its name was sent by this study: the last copy ended well.
    public var isOurs: Bool
    /// Whether a copy was begun and did not end well: what is there, if anything, may be what is left of it, or what
    /// another put there since.
    public var isBegun: Bool
    /// Why the last attempt failed.
    public var message: String?
}

/// The outbox: files of finished sessions that wait to be copied elsewhere. It outlives the program, so nothing is
/// forgotten when the network or the machine goes down.
extension Bookkeeping {
    /// Queues files of a run; those queued or sent already stay as they are, those given up are queued anew.
    /// - Parameters:
    ///   - files: relative to the study.
    ///   - remote: the folder they go to, as rclone writes it.
    /// - Returns: how many are new.
    @discardableResult
    public func queueUploads(of files: [String], run: Int64, to remote: String, at now: Timestamp) throws -> Int {
        try database.write { db in
            var added = 0
            for file in files {
                try db.execute(
                    sql: """
                        INSERT INTO uploads (run, file, remote, status, attempts, notBefore, queuedAt, changedAt)
                        VALUES (?, ?, ?, 'queued', 0, 0, ?, ?) ON CONFLICT (file, remote)
                        DO UPDATE SET status = 'queued', attempts = 0, notBefore = 0 WHERE status = 'dropped'
                        """,
                    arguments: [run, file, remote, now.secondsSince1970, now.secondsSince1970])
                added += db.changesCount
            }
            return added
        }
    }

    /// Queues a file again that arrived and is another by now.
    public func queueAgain(_ id: Int64, at now: Timestamp) throws {
        try database.write { db in
            try db.execute(
                sql: """
                    UPDATE uploads SET status = 'queued', attempts = 0, notBefore = 0, message = NULL, changedAt = ?
                    WHERE id = ? AND status = 'done'
                    """,
                arguments: [now.secondsSince1970, id])
        }
    }

    /// Notes that a copy is about to begin: until `claimPlace`, nobody knows whose is what lies there.
    public func noteSending(ofUpload id: Int64) throws {
        try database.write { db in
            try db.execute(
                sql: "UPDATE uploads SET isOurs = ? WHERE id = ?", arguments: [UploadClaim.begun.rawValue, id])
        }
    }

    /// Notes that a place holds what this study sent, or the same, whether or not it is found equal.
    public func claimPlace(ofUpload id: Int64) throws {
        try database.write { db in
            try db.execute(
                sql: "UPDATE uploads SET isOurs = ?, sha256 = NULL WHERE id = ?",
                arguments: [UploadClaim.ours.rawValue, id])
        }
    }

    /// Notes where somebody wants this study's files to go, whether or not there are any yet.
    public func noteUploadPlace(_ remote: String, at now: Timestamp) throws {
        try database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO uploadPlaces (remote, namedAt) VALUES (?, ?)
                    ON CONFLICT (remote) DO UPDATE SET namedAt = excluded.namedAt
                    """, arguments: [remote, now.secondsSince1970])
        }
    }

    /// Where this study's files go when nobody says: where one arrived last, or, before any did, where they were last
    /// to go, or, before there were any, where somebody wanted them.
    /// - Returns: nil when nobody ever named a place.
    public func uploadDestination() throws -> String? {
        try database.read { db in
            let sent = try String.fetchOne(
                db,
                sql: """
                    SELECT remote FROM uploads WHERE status <> 'dropped'
                    ORDER BY status = 'done' DESC, CASE status WHEN 'done' THEN changedAt END DESC, id DESC LIMIT 1
                    """)
            return try sent
                ?? String.fetchOne(db, sql: "SELECT remote FROM uploadPlaces ORDER BY namedAt DESC LIMIT 1")
        }
    }

    /// Gives up what has not arrived at a place, and the place itself where nothing has.
    /// - Parameter remote: the place as it was queued.
    /// - Returns: how many files that were.
    public func dropUploads(to remote: String) throws -> Int {
        try database.write { db in
            try db.execute(sql: "DELETE FROM uploadPlaces WHERE remote = ?", arguments: [remote])
            // Rows stay: something may lie there already, which an erasure has to name.
            try db.execute(
                sql: """
                    UPDATE uploads SET status = 'dropped' WHERE remote = ? AND status NOT IN ('done', 'dropped')
                    """, arguments: [remote])
            return db.changesCount
        }
    }

    /// All files of the outbox, oldest first.
    public func uploads() throws -> [UploadRecord] {
        try database.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM uploads ORDER BY id").compactMap(UploadRecord.init(row:))
        }
    }

    /// How files looked, by upload, when they were last found to be what arrived at a place.
    public func looksOfArrived(at remote: String) throws -> [Int64: String] {
        try database.read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT id, look FROM uploads WHERE remote = ? AND status = 'done' AND look IS NOT NULL",
                arguments: [remote])
            return Dictionary(rows.map { ($0["id"] as Int64, $0["look"] as String) }) { first, _ in first }
        }
    }

    /// Notes how a file looks that was found to be what arrived.
    public func noteLook(_ look: String, ofUpload id: Int64) throws {
        try database.write { db in
            try db.execute(
                sql: "UPDATE uploads SET look = ? WHERE id = ? AND status = 'done'", arguments: [look, id])
        }
    }

    /// Takes back what a program that no longer runs was sending. Call once, before the first `beginUpload`, within
    /// `StudyFolder.lockingOutbox`: what another program is sending now looks the same.
    public func requeueInterruptedUploads() throws {
        try database.write { db in
            try db.execute(sql: "UPDATE uploads SET status = 'queued' WHERE status = 'uploading'")
        }
    }

    /// Marks a file as being sent, one attempt more.
    public func beginUpload(_ id: Int64, at now: Timestamp) throws {
        try database.write { db in
            try db.execute(
                sql: "UPDATE uploads SET status = 'uploading', attempts = attempts + 1, changedAt = ? WHERE id = ?",
                arguments: [now.secondsSince1970, id])
        }
    }

    /// Notes how an attempt ended.
    /// - Parameters:
    ///   - sha256: of what arrived; nil leaves what was noted before.
    ///   - look: how the file looked that arrived; nil where that would not tell whether it changes.
    ///   - notBefore: for another attempt: the earliest moment.
    public func endUpload(
        _ id: Int64, _ status: UploadRecord.Status, sha256: String? = nil, look: String? = nil,
        message: String? = nil, notBefore: Timestamp? = nil, at now: Timestamp
    ) throws {
        try database.write { db in
            try db.execute(
                sql: """
                    UPDATE uploads SET status = ?, sha256 = COALESCE(?, sha256), look = ?, message = ?,
                    notBefore = ?, changedAt = ? WHERE id = ?
                    """,
                arguments: [
                    status.rawValue, sha256, look, message, notBefore?.secondsSince1970 ?? 0, now.secondsSince1970, id,
                ])
        }
    }
}

/// What the column `isOurs` says of a place. Whatever is not zero may have left a copy there.
private enum UploadClaim: Int {
    case nothing
    /// Also where an older version claimed a place before it had sent anything there.
    case begun
    case ours
}

extension UploadRecord {
    init?(row: Row) {
        guard let status = Status(rawValue: row["status"]) else { return nil }
        let claim = UploadClaim(rawValue: row["isOurs"])
        self.init(
            id: row["id"], run: row["run"], file: row["file"], remote: row["remote"], status: status,
            attempts: row["attempts"], notBefore: row["notBefore"], sha256: row["sha256"],
            isOurs: claim == .ours, isBegun: claim == .begun, message: row["message"])
    }
}
