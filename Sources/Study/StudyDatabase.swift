import Foundation
import GRDB
import Signals

/// The study's SQLite file as the bookkeeping uses it: what SQLite refuses is told as a `StudyError`, with what to do.
struct StudyDatabase: Sendable {
    private let study: StudyFolder
    private let connection: any DatabaseWriter

    /// Opens the file of `study`, made or migrated as needed.
    /// - Parameter isOnReadOnlyDisk: whether it lies where nothing can be written; it is read as it stands then.
    init(
        _ study: StudyFolder, _ configuration: Configuration, _ migrator: DatabaseMigrator, isOnReadOnlyDisk: Bool
    ) throws {
        self.study = study
        if isOnReadOnlyDisk { try Self.demandClosed(study) }
        connection = try Self.translating(study) { () -> any DatabaseWriter in
            guard isOnReadOnlyDisk else {
                return try DatabasePool(path: study.database.path, configuration: configuration)
            }
            return try Self.unchanging(study.database, configuration)
        }
        let isNewer = try read { try migrator.hasBeenSuperseded($0) }
        if isNewer {
            throw StudyError(study.database, "was written by a newer version of marey", advice: "update marey")
        }
        guard isOnReadOnlyDisk else {
            try Self.translating(study) { [connection] in try migrator.migrate(connection) }
            return
        }
        guard try read({ try migrator.hasCompletedMigrations($0) }) else {
            throw StudyError(
                study.database, "was written by an older version of marey, on a disk that can only be read",
                advice: "copy the study to a disk that can be written")
        }
    }

    /// Readers of a file in WAL mode share memory beside it, which a disk that can only be read has no place for; it is read
    /// as what nobody changes (sqlite.org/uri.html, `immutable`).
    private static func unchanging(_ file: URL, _ configuration: Configuration) throws -> DatabaseQueue {
        var configuration = configuration
        configuration.readonly = true
        let path = file.path.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? file.path
        return try DatabaseQueue(path: "file:\(path)?immutable=1", configuration: configuration)
    }

    /// What waits in the log beside the file would not be seen.
    private static func demandClosed(_ study: StudyFolder) throws {
        let log = study.database.path + "-wal"
        let size = try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
        guard let size, size > 0 else { return }
        throw StudyError(
            study.database,
            "lies on a disk that can only be read, and its latest changes wait beside it (\(size) bytes)",
            advice: "end the program that uses it, or copy the study to a disk that can be written")
    }

    /// Reads in one state of the file.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.translating(study) { try connection.read(body) }
    }

    /// Changes the file, all or nothing.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.translating(study) { try connection.write(body) }
    }

    /// Changes the file statement by statement.
    func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.translating(study) { try connection.writeWithoutTransaction(body) }
    }

    private static func translating<Value>(_ study: StudyFolder, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as DatabaseError {
            throw StudyError(
                study.database, "cannot be used: \(error.message ?? "SQLite error \(error.resultCode)")",
                advice: advice(error.resultCode))
        }
    }

    /// What to do about a database that SQLite cannot use: only one that is damaged is to be replaced.
    private static func advice(_ code: ResultCode) -> String {
        switch code {
        case .SQLITE_FULL: "make room on the disk, then try again"
        case .SQLITE_IOERR, .SQLITE_CANTOPEN:
            "the disk may be full or fail: look whether there is room, and whether the folder can be written"
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH:
            "make the folder .marey and what is in it writable, or copy the study to a disk that can be written"
        case .SQLITE_BUSY, .SQLITE_LOCKED: "another program uses it: try again when that has ended"
        default:
            "where calibrations stand, models and keys are kept here alone: put a copy back if there is one; recordings "
                + "and results do not depend on it: else move it away, and note the recordings anew, which "
                + "marey study validate lists"
        }
    }
}
