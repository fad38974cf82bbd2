import Foundation
import Signals
import Study
import TestSupport
import Testing

/// Another program that has begun to read a database, until it is told to end.
private final class DatabaseReader {
    private static let python = "/usr/bin/python3"
    static let isPossible = FileManager.default.isExecutableFile(atPath: python)

    private let process = Process()
    private let (input, output) = (Pipe(), Pipe())

    init(of database: URL) throws {
        process.executableURL = URL(fileURLWithPath: Self.python)
        process.arguments = [
            "-c",
            """
            import sqlite3, sys
            database = sqlite3.connect(sys.argv[1], isolation_level=None)
            database.execute("BEGIN")
            database.execute("SELECT COUNT(*) FROM participants").fetchall()
            print("reading", flush=True)
            sys.stdin.read()
            database.execute("COMMIT")
            database.close()
            """, database.path,
        ]
        (process.standardInput, process.standardOutput) = (input, output)
        try process.run()
        #expect(output.fileHandleForReading.availableData.starts(with: Data("reading".utf8)))
    }

    func end() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}

/// Erasing from a database that another program reads.
@Suite(.enabled(if: DatabaseReader.isPossible, "python3 is not installed"), .timeLimit(.minutes(1)))
struct ErasedBookkeepingTests {
    private static func traces(of label: String, in study: StudyFolder) throws -> [String] {
        let folder = study.database.deletingLastPathComponent()
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { name in
            FileManager.default.contents(atPath: folder.appendingPathComponent(name).path)?
                .range(of: Data(label.utf8)) != nil
        }
    }

    @Test func `what another program still reads is told of as left, and goes with it`() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            let name = try #require(RunName(subject: "Zyxwvu", session: "1"))
            let now = Timestamp(secondsSince1970: 1_790_000_000)
            try Bookkeeping(study).noteRun(name, file: "a.xdf", sha256: nil, status: .finished, at: now)
            let reader = try DatabaseReader(of: study.database)
            let receipt = try study.erase("Zyxwvu")
            #expect(receipt.bookkeepingRows == ["participants": 1, "sessions": 1, "runs": 1])
            #expect(receipt.left.keys.sorted() == [".marey/study.sqlite"])
            #expect(receipt.left.values.first?.contains("another program is reading") == true, "\(receipt.left)")
            #expect(try !Self.traces(of: "Zyxwvu", in: study).isEmpty)
            try reader.end()
            #expect(try Bookkeeping(study).participants().isEmpty)
            #expect(try Self.traces(of: "Zyxwvu", in: study) == [])
        }
    }
}
