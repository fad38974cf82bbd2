import GRDB

extension Bookkeeping {
    /// The schema's history. A migration that has shipped is never edited; changes are new migrations.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerRuns()
        migrator.registerUploads()
        migrator.registerAccessKeys()
        migrator.registerCalibrations()
        migrator.registerOutputs()
        migrator.registerOwnPlaces()
        migrator.registerUploadPlaces()
        migrator.registerRunMessages()
        migrator.registerLooks()
        migrator.registerKeyTimes()
        migrator.registerDevicePlaces()
        migrator.registerCalibrationTests()
        migrator.registerResultFiles()
        return migrator
    }
}

extension DatabaseMigrator {
    /// Who took part, which runs there are, and what was computed from them.
    fileprivate mutating func registerRuns() {
        registerMigration("1: participants, sessions, runs, analyses") { db in
            try db.create(table: "participants") { table in
                table.primaryKey("label", .text)
                table.column("addedAt", .double).notNull()
            }
            try db.create(table: "sessions") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("participant", .text).notNull()
                    .references("participants", onDelete: .cascade, onUpdate: .cascade)
                table.column("label", .text).notNull()
                table.column("addedAt", .double).notNull()
                table.uniqueKey(["participant", "label"])
            }
            try db.create(table: "runs") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("session", .integer).notNull().indexed().references("sessions", onDelete: .cascade)
                table.column("task", .text)
                table.column("run", .integer)
                table.column("file", .text).notNull().unique()
                table.column("sha256", .text)
                table.column("status", .text).notNull()
                table.column("addedAt", .double).notNull()
                table.column("changedAt", .double).notNull()
            }
            try db.create(table: "analyses") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("run", .integer).notNull().indexed().references("runs", onDelete: .cascade)
                table.column("version", .text).notNull()
                table.column("parameters", .text).notNull()
                table.column("parametersHash", .text).notNull()
                table.column("inputSHA256", .text).notNull()
                table.column("status", .text).notNull()
                table.column("message", .text)
                table.column("startedAt", .double).notNull()
                table.column("finishedAt", .double)
            }
        }
    }

    /// Files on their way to a place off this machine.
    fileprivate mutating func registerUploads() {
        registerMigration("2: uploads") { db in
            try db.create(table: "uploads") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("run", .integer).notNull().indexed().references("runs", onDelete: .cascade)
                table.column("file", .text).notNull()
                table.column("remote", .text).notNull()
                table.column("status", .text).notNull()
                table.column("attempts", .integer).notNull()
                table.column("notBefore", .double).notNull()
                table.column("sha256", .text)
                table.column("message", .text)
                table.column("queuedAt", .double).notNull()
                table.column("changedAt", .double).notNull()
                table.uniqueKey(["file", "remote"])
            }
        }
    }

    /// Keys to the service.
    fileprivate mutating func registerAccessKeys() {
        registerMigration("3: keys to the service") { db in
            try db.create(table: "accessKeys") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("name", .text).notNull().unique()
                table.column("hash", .text).notNull().unique()
                table.column("rights", .text).notNull()
                table.column("predictions", .text)
                table.column("createdAt", .double).notNull()
                table.column("revokedAt", .double)
            }
        }
    }

    /// Outputs of batches that lie elsewhere.
    fileprivate mutating func registerOutputs() {
        registerMigration("outputs of batches elsewhere") { db in
            try db.create(table: "outputs") { table in
                table.primaryKey("path", .text)
                table.column("addedAt", .double).notNull()
            }
        }
    }

    /// Whether what lies at the place of an upload is ours.
    fileprivate mutating func registerOwnPlaces() {
        registerMigration("places of uploads that are ours") { db in
            try db.alter(table: "uploads") { table in
                table.add(column: "isOurs", .boolean).notNull().defaults(to: false)
            }
            // Older versions looked at no place before they sent something there.
            try db.execute(sql: "UPDATE uploads SET isOurs = attempts > 0")
        }
    }

    /// Places that somebody wanted files to go to.
    fileprivate mutating func registerUploadPlaces() {
        registerMigration("places that uploads were wanted for") { db in
            try db.create(table: "uploadPlaces") { table in
                table.primaryKey("remote", .text)
                table.column("namedAt", .double).notNull()
            }
        }
    }

    /// Why runs failed.
    fileprivate mutating func registerRunMessages() {
        registerMigration("why runs failed") { db in
            try db.alter(table: "runs") { table in
                table.add(column: "message", .text)
            }
        }
    }

    /// When keys were used last, and when they end.
    fileprivate mutating func registerKeyTimes() {
        registerMigration("when keys were used and end") { db in
            try db.alter(table: "accessKeys") { table in
                table.add(column: "lastUsedAt", .double)
                table.add(column: "expiresAt", .double)
            }
        }
    }

    /// Places of devices that keys may connect to.
    fileprivate mutating func registerDevicePlaces() {
        registerMigration("places of devices") { db in
            try db.create(table: "devicePlaces") { table in
                table.primaryKey("place", .text)
                table.column("addedAt", .double).notNull()
            }
        }
    }

    /// Files of results.
    fileprivate mutating func registerResultFiles() {
        registerMigration("files of results") { db in
            try db.alter(table: "analyses") { table in
                table.add(column: "files", .text)
            }
        }
    }

    /// How files looked that arrived.
    fileprivate mutating func registerLooks() {
        registerMigration("how files looked that arrived") { db in
            try db.alter(table: "uploads") { table in
                table.add(column: "look", .text)
            }
        }
    }
}

extension RunRecord {
    init?(row: Row) {
        guard
            let status = RunStatus(rawValue: row["status"]),
            let name = RunName(
                subject: row["participant"],
                session: (row["sessionLabel"] as String?).flatMap { $0.isEmpty ? nil : $0 },
                task: row["task"], run: row["run"])
        else { return nil }
        self.init(
            id: row["id"], name: name, file: row["file"], sha256: row["sha256"], status: status,
            message: row["message"], addedAt: row["addedAt"])
    }
}

extension AnalysisRecord {
    init?(row: Row) {
        guard let status = AnalysisStatus(rawValue: row["status"]) else { return nil }
        self.init(
            id: row["id"], run: row["run"], version: row["version"], parameters: row["parameters"],
            parametersHash: row["parametersHash"], inputSHA256: row["inputSHA256"], status: status,
            message: row["message"], files: row["files"])
    }
}
