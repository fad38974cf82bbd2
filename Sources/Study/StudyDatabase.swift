import Foundation
import GRDB
import Signals

/// The study's SQLite file as the bookkeeping uses it: what SQLite refuses is told as a `StudyError`, with what to do.
struct StudyDatabase: Sendable {
    private let study: StudyFolder
    private let pool: DatabasePool

    /// Opens the file of `study`, made or migrated as needed.
    init(_ study: StudyFolder, _ configuration: Configuration, _ migrator: DatabaseMigrator) throws {
        self.study = study
        pool = try Self.translating(study) { try DatabasePool(path: study.database.path, configuration: configuration) }
        let isNewer = try read { try migrator.hasBeenSuperseded($0) }
        if isNewer {
            throw StudyError(study.database, "was written by a newer version of marey", advice: "update marey")
        }
        try Self.translating(study) { [pool] in try migrator.migrate(pool) }
    }

    /// Reads in one state of the file.
    func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.translating(study) { try pool.read(body) }
    }

    /// Changes the file, all or nothing.
    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.translating(study) { try pool.write(body) }
    }

    /// Changes the file statement by statement.
    func writeWithoutTransaction<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try Self.translating(study) { try pool.writeWithoutTransaction(body) }
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
        case .SQLITE_READONLY, .SQLITE_PERM, .SQLITE_AUTH: "make the folder .marey and what is in it writable"
        case .SQLITE_BUSY, .SQLITE_LOCKED: "another program uses it: try again when that has ended"
        default:
            "where calibrations stand, models and keys are kept here alone: put a copy back if there is one; recordings "
                + "and results do not depend on it: else move it away, and note the recordings anew, which "
                + "marey study validate lists"
        }
    }
}
