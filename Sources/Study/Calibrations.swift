import GRDB
public import Signals

/// One change of where a participant stands with a prediction, as the bookkeeping keeps it. None is ever edited or
/// removed: the history is the status.
public struct CalibrationEntry: Hashable, Codable, Sendable {
    /// The participant's label.
    public var participant: String
    /// The prediction's name.
    public var prediction: String
    /// When, in seconds since 1970.
    public var time: Seconds
    /// What happened.
    public var action: String
    /// The code of the status it led to.
    public var status: Int
    /// Why.
    public var cause: String
    /// Who did it.
    public var who: String
    /// The cause of a refusal, as a word for programs; nil for other changes, and in rows of versions that noted none.
    public var reason: String?
    /// The labels of the channels a model was tested with; nil where none was tested.
    public var montage: String?
    /// A hash of the EEG that a model was tested with, whatever its file is called.
    public var recording: String?
    /// The significance level that the test had.
    public var level: Double?

    /// A change as it is to be kept.
    public init(
        participant: String, prediction: String, time: Timestamp, action: String, status: Int, cause: String,
        who: String, reason: String? = nil, montage: String? = nil, recording: String? = nil, level: Double? = nil
    ) {
        (self.reason, self.montage, self.recording, self.level) = (reason, montage, recording, level)
        (self.participant, self.prediction, self.time) = (participant, prediction, time.secondsSince1970)
        (self.action, self.status, self.cause, self.who) = (action, status, cause, who)
    }
}

/// A participant's fitted model as the bookkeeping knows it; the model itself is a file of the study.
public struct ModelRecord: Hashable, Codable, Sendable {
    /// Row id; later models have higher ones.
    public var id: Int64
    /// The participant's label.
    public var participant: String
    /// The prediction's name.
    public var prediction: String
    /// The model's file, relative to the study.
    public var file: String
    /// The file's SHA-256, in hexadecimal.
    public var sha256: String
    /// Version of the software that fitted it.
    public var version: String
    /// When, in seconds since 1970.
    public var fittedAt: Seconds
}

extension Bookkeeping {
    /// Notes the changes that follow from a participant's earlier ones, adding the participant where it is new. Nobody,
    /// in this program or another, changes anything between what is read and what is noted.
    /// - Parameter decide: is given the earlier changes in their order; when it throws, nothing is noted.
    public func noteCalibration(
        of participant: String, decide: ([CalibrationEntry]) throws -> [CalibrationEntry]
    ) throws {
        try database.write { db in
            for entry in try decide(Self.calibrations(of: participant, db)) { try Self.note(entry, db) }
        }
    }

    /// Notes a change, adding the participant where it is new.
    public func noteCalibration(_ entry: CalibrationEntry) throws {
        try database.write { try Self.note(entry, $0) }
    }

    private static func note(_ entry: CalibrationEntry, _ db: Database) throws {
        try addParticipant(entry.participant, at: entry.time, db)
        try db.execute(
            sql: """
                INSERT INTO calibrations
                (participant, prediction, time, action, status, cause, who, reason, montage, recording, level)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                entry.participant, entry.prediction, entry.time, entry.action, entry.status, entry.cause, entry.who,
                entry.reason, entry.montage, entry.recording, entry.level,
            ])
    }

    /// All changes in the order they were noted, of one participant or of all.
    public func calibrations(of participant: String? = nil) throws -> [CalibrationEntry] {
        try database.read { try Self.calibrations(of: participant, $0) }
    }

    private static func calibrations(of participant: String?, _ db: Database) throws -> [CalibrationEntry] {
        try Row.fetchAll(
            db, sql: "SELECT * FROM calibrations WHERE ?1 IS NULL OR participant = ?1 ORDER BY id",
            arguments: [participant]
        ).map { row in
            CalibrationEntry(
                participant: row["participant"], prediction: row["prediction"],
                time: Timestamp(secondsSince1970: row["time"]), action: row["action"], status: row["status"],
                cause: row["cause"], who: row["who"], reason: row["reason"], montage: row["montage"],
                recording: row["recording"], level: row["level"])
        }
    }

    /// Notes a fitted model, adding the participant where it is new.
    public func noteModel(
        participant: String, prediction: String, file: String, sha256: String, version: String, at now: Timestamp
    ) throws {
        try database.write { db in
            try Self.addParticipant(participant, at: now.secondsSince1970, db)
            try db.execute(
                sql: """
                    INSERT INTO models (participant, prediction, file, sha256, version, fittedAt)
                    VALUES (?, ?, ?, ?, ?, ?)
                    """, arguments: [participant, prediction, file, sha256, version, now.secondsSince1970])
        }
    }

    /// The model of this row id; nil where there is none.
    public func model(_ id: Int64) throws -> ModelRecord? {
        try database.read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM models WHERE id = ?", arguments: [id]).map(ModelRecord.init(row:))
        }
    }

    /// The latest model of a participant and prediction; nil where there is none.
    public func latestModel(participant: String, prediction: String) throws -> ModelRecord? {
        try database.read { db in
            try Row.fetchOne(
                db, sql: "SELECT * FROM models WHERE participant = ? AND prediction = ? ORDER BY id DESC LIMIT 1",
                arguments: [participant, prediction]
            ).map(ModelRecord.init(row:))
        }
    }

    /// All models in the order they were noted.
    public func models() throws -> [ModelRecord] {
        try database.read { db in
            try Row.fetchAll(db, sql: "SELECT * FROM models ORDER BY id").map(ModelRecord.init(row:))
        }
    }
}

extension ModelRecord {
    init(row: Row) {
        self.init(
            id: row["id"], participant: row["participant"], prediction: row["prediction"], file: row["file"],
            sha256: row["sha256"], version: row["version"], fittedAt: row["fittedAt"])
    }
}

extension DatabaseMigrator {
    /// Causes of refusals, and what each test of a model spent.
    mutating func registerCalibrationTests() {
        registerMigration("causes of refusals and tests of models") { db in
            try db.alter(table: "calibrations") { table in
                table.add(column: "reason", .text)
                table.add(column: "montage", .text)
                table.add(column: "recording", .text)
                table.add(column: "level", .double)
            }
        }
    }

    /// Where participants stand with predictions, and their models.
    mutating func registerCalibrations() {
        registerMigration("calibrations and models") { db in
            try db.create(table: "calibrations") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("participant", .text).notNull().indexed()
                    .references("participants", onDelete: .cascade, onUpdate: .cascade)
                table.column("prediction", .text).notNull()
                table.column("time", .double).notNull()
                table.column("action", .text).notNull()
                table.column("status", .integer).notNull()
                table.column("cause", .text).notNull()
                table.column("who", .text).notNull()
            }
            try db.create(table: "models") { table in
                table.autoIncrementedPrimaryKey("id")
                table.column("participant", .text).notNull().indexed()
                    .references("participants", onDelete: .cascade, onUpdate: .cascade)
                table.column("prediction", .text).notNull()
                table.column("file", .text).notNull()
                table.column("sha256", .text).notNull()
                table.column("version", .text).notNull()
                table.column("fittedAt", .double).notNull()
            }
        }
    }
}
