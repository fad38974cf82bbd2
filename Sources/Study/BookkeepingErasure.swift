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
            let tables = try Self.tables(db)
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

    /// Where what somebody wrote, or a program told, still names a participant: the name of a key, a cause, a message.
    /// - Parameter isTold: whether a text names the participant.
    /// - Returns: tables and columns with the numbers of their rows, in order.
    func mentions(of participant: String, where isTold: (Substring) -> Bool) throws -> [String] {
        try database.read { db in
            var found: [String] = []
            for table in try Self.tables(db).sorted() {
                for column in try db.columns(in: table) where column.type.uppercased() == "TEXT" {
                    let rows = try Row.fetchCursor(
                        db, sql: "SELECT rowid AS number, \"\(column.name)\" AS content FROM \"\(table)\"")
                    while let row = try rows.next() {
                        guard let text = String.fromDatabaseValue(row["content"]) else { continue }
                        // Keys are often called after who uses them.
                        let isKey = table == "accessKeys" && column.name == "name" && text == participant
                        guard isKey || isTold(text[...]) else { continue }
                        found.append("\(table).\(column.name), row \(row["number"] as Int64)")
                    }
                }
            }
            return found
        }
    }

    private static func tables(_ db: Database) throws -> [String] {
        try String.fetchAll(
            db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    }
}
