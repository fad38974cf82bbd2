import GRDB

extension Bookkeeping {
    /// Where copies of a participant's files were sent.
    func copiesElsewhere(of participant: String) throws -> [String] {
        try database.read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT uploads.remote, uploads.file FROM uploads JOIN runs ON runs.id = uploads.run
                    JOIN sessions ON sessions.id = runs.session
                    WHERE sessions.participant = ? AND (uploads.isOurs OR uploads.status IN ('done', 'uploading'))
                    ORDER BY uploads.remote, uploads.file
                    """, arguments: [participant]
            ).map { ($0["remote"] as String) + "/" + ($0["file"] as String) }
        }
    }

    /// Deletes everything about a participant, and makes sure that the file holds no trace of it: deleted content is
    /// overwritten (`PRAGMA secure_delete`), the file rebuilt (`VACUUM`), the log emptied.
    /// - Returns: how many rows went, by table, and whether the file still has what went, because another program has been
    ///   reading it since before: then it goes when that program ends.
    func erase(_ participant: String) throws -> (rows: [String: Int], isKeptByReader: Bool) {
        try database.writeWithoutTransaction { db in
            try db.execute(sql: "PRAGMA secure_delete = ON")
            let tables = try String.fetchAll(
                db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
            func counts() throws -> [String: Int] {
                try Dictionary(
                    tables.map { ($0, try Int.fetchOne(db, sql: "SELECT COUNT(*) FROM \"\($0)\"") ?? 0) }
                ) { first, _ in first }
            }
            let before = try counts()
            try db.inTransaction {
                for table in tables {
                    let columns = try db.columns(in: table).map(\.name)
                    for column in ["participant", "subject"] where columns.contains(column) {
                        try db.execute(
                            sql: "DELETE FROM \"\(table)\" WHERE \"\(column)\" = ?", arguments: [participant])
                    }
                }
                try db.execute(sql: "DELETE FROM participants WHERE label = ?", arguments: [participant])
                return .commit
            }
            let after = try counts()
            try db.execute(sql: "VACUUM")
            let checkpoint = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
            let rows = before.merging(after) { $0 - $1 }.filter { $0.value > 0 }
            return (rows, checkpoint?["busy"] != 0)
        }
    }
}
