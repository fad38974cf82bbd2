public import Foundation

/// Another program that uses an SQLite database, until it is told to end.
public final class DatabaseUser {
    private static let python = "/usr/bin/python3"
    /// Whether there is such a program.
    public static let isPossible = FileManager.default.isExecutableFile(atPath: python)

    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    /// Begins a transaction and goes no further than its statements.
    /// - Parameter statements: its first begins it, such as `BEGIN IMMEDIATE`, which keeps others from writing.
    /// - Throws: where the program cannot be run or does not get that far.
    public init(of database: URL, _ statements: String...) throws {
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments =
            [
                "-c",
                """
                import sqlite3, sys
                database = sqlite3.connect(sys.argv[1], isolation_level=None)
                for statement in sys.argv[2:]: database.execute(statement).fetchall()
                print("there", flush=True)
                sys.stdin.read()
                database.execute("COMMIT")
                database.close()
                """, database.path,
            ] + statements
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        guard output.fileHandleForReading.availableData.starts(with: Data("there".utf8)) else {
            throw CocoaError(.executableLoad)
        }
    }

    /// Ends the transaction and the program.
    public func end() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
