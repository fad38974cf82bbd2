import Foundation
import GRDB
public import Signals

/// The study's SQLite file: who took part, which runs there are and in which state, and what was computed from them
/// with which parameters and version. That can be rebuilt from the files; where participants stand with their calibrations,
/// which model is whose, what waits to be copied, and keys are here alone. One process writes at a time.
public final class Bookkeeping: Sendable {
    let database: StudyDatabase

    /// Opens the bookkeeping of `study`, making or migrating the file as needed; on a disk that can only be read, to be read.
    /// - Throws: `StudyError` when the file cannot be opened, is damaged, or was made by a newer version.
    public convenience init(_ study: StudyFolder) throws {
        try self.init(study, isOnReadOnlyDisk: Self.isOnReadOnlyDisk(study.root))
    }

    /// See above.
    /// - Parameter isOnReadOnlyDisk: whether nothing can be written where the study lies.
    package init(_ study: StudyFolder, isOnReadOnlyDisk: Bool) throws {
        let url = study.database
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        if !FileManager.default.fileExists(atPath: url.path) {
            // SQLite gives its -wal and -shm files the permissions of the database file.
            _ = FileManager.default.createFile(
                atPath: url.path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        database = try StudyDatabase(study, configuration, Self.migrator, isOnReadOnlyDisk: isOnReadOnlyDisk)
    }

    private static func isOnReadOnlyDisk(_ folder: URL) -> Bool {
        var status = statvfs()
        return statvfs(folder.path, &status) == 0 && status.f_flag & UInt(ST_RDONLY) != 0
    }

    /// What SQLite finds wrong with the file; empty when it is sound.
    public func integrityProblems() throws -> [String] {
        try database.read { db in
            try String.fetchAll(db, sql: "PRAGMA integrity_check").filter { $0 != "ok" }
        }
    }

    // MARK: Runs

    /// Notes a run and its file, adding participant and session where they are new; an existing run keeps its id.
    /// - Parameter message: why it failed.
    /// - Returns: the run's row id.
    /// - Throws: `StudyError` when another file has these labels: the results of one would replace those of the other.
    @discardableResult
    public func noteRun(
        _ name: RunName, file: String, sha256: String?, status: RunStatus, message: String? = nil, at now: Timestamp
    ) throws -> Int64 {
        try database.write { db in
            try Self.addParticipant(name.subject, at: now.secondsSince1970, db)
            try db.execute(
                sql: """
                    INSERT INTO sessions (participant, label, addedAt) VALUES (?, ?, ?)
                    ON CONFLICT (participant, label) DO NOTHING
                    """, arguments: [name.subject, name.session ?? "", now.secondsSince1970])
            let session = try Int64.fetchOne(
                db, sql: "SELECT id FROM sessions WHERE participant = ? AND label = ?",
                arguments: [name.subject, name.session ?? ""])
            let other = try String.fetchOne(
                db, sql: "SELECT file FROM runs WHERE session = ? AND task IS ? AND run IS ? AND file <> ?",
                arguments: [session, name.task, name.run, file])
            if let other { throw StudyError.taken(name, by: other) }
            try db.execute(
                sql: """
                    INSERT INTO runs (session, task, run, file, sha256, status, message, addedAt, changedAt)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
                    ON CONFLICT (file) DO UPDATE SET sha256 = excluded.sha256, status = excluded.status,
                        message = excluded.message, changedAt = excluded.changedAt
                    """,
                arguments: [
                    session, name.task, name.run, file, sha256, status.rawValue, message, now.secondsSince1970,
                    now.secondsSince1970,
                ])
            return try Int64.fetchOne(db, sql: "SELECT id FROM runs WHERE file = ?", arguments: [file]) ?? 0
        }
    }

    /// All runs, ordered by participant, session, task and run.
    public func runs() throws -> [RunRecord] {
        try database.read { db in
            try Row.fetchAll(
                db,
                sql: Self.selectingRuns
                    + " ORDER BY sessions.participant, sessions.label, runs.task, runs.run, runs.file"
            ).compactMap(RunRecord.init(row:))
        }
    }

    /// The run of this row id; nil where there is none.
    public func run(_ id: Int64) throws -> RunRecord? {
        try database.read { db in
            try Row.fetchOne(db, sql: Self.selectingRuns + " WHERE runs.id = ?", arguments: [id])
                .flatMap(RunRecord.init(row:))
        }
    }

    private static let selectingRuns = """
        SELECT runs.*, sessions.participant, sessions.label AS sessionLabel FROM runs
        JOIN sessions ON sessions.id = runs.session
        """

    /// Whether there is still a run of this row id; no other ever gets the id of one that is gone.
    public func hasRun(_ id: Int64) throws -> Bool {
        try database.read { db in
            try Bool.fetchOne(db, sql: "SELECT EXISTS (SELECT 1 FROM runs WHERE id = ?)", arguments: [id]) ?? false
        }
    }

    /// The labels of all participants, in order.
    public func participants() throws -> [String] {
        try database.read { try String.fetchAll($0, sql: "SELECT label FROM participants ORDER BY label") }
    }

    /// Adds a participant; one of that label stays as it is.
    public func addParticipant(_ label: String, at now: Timestamp) throws {
        try database.write { try Self.addParticipant(label, at: now.secondsSince1970, $0) }
    }

    /// Adds a participant at a moment, seconds since 1970; one of that label stays as it is.
    static func addParticipant(_ label: String, at now: Seconds, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO participants (label, addedAt) VALUES (?, ?) ON CONFLICT (label) DO NOTHING",
            arguments: [label, now])
    }

    // MARK: Analyses

    /// Notes that the analysis of a run began.
    /// - Returns: the analysis' row id.
    public func beginAnalysis(
        ofRun run: Int64, version: String, parameters: String, parametersHash: String, inputSHA256: String,
        at now: Timestamp
    ) throws -> Int64 {
        try database.write { db in
            try db.execute(
                sql: """
                    INSERT INTO analyses (run, version, parameters, parametersHash, inputSHA256, status, startedAt)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """,
                arguments: [
                    run, version, parameters, parametersHash, inputSHA256, AnalysisStatus.running.rawValue,
                    now.secondsSince1970,
                ])
            return db.lastInsertedRowID
        }
    }

    /// Notes how an analysis ended.
    /// - Parameter files: the files of its results with their lengths and hashes, as JSON.
    public func endAnalysis(
        _ id: Int64, status: AnalysisStatus, message: String?, files: String? = nil, at now: Timestamp
    ) throws {
        try database.write { db in
            try db.execute(
                sql: "UPDATE analyses SET status = ?, message = ?, files = ?, finishedAt = ? WHERE id = ?",
                arguments: [status.rawValue, message, files, now.secondsSince1970, id])
        }
    }

    /// The latest analysis of each run, by the run's id.
    public func latestAnalyses() throws -> [Int64: AnalysisRecord] {
        try database.read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT * FROM analyses WHERE id IN (SELECT MAX(id) FROM analyses GROUP BY run)")
            let records = rows.compactMap(AnalysisRecord.init(row:))
            return Dictionary(records.map { ($0.run, $0) }) { _, later in later }
        }
    }
}
