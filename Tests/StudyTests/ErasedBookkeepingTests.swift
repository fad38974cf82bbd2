import Foundation
import Signals
import Study
import TestSupport
import Testing

/// Erasing from a database that another program reads.
@Suite(.enabled(if: DatabaseUser.isPossible, "python3 is not installed"), .timeLimit(.minutes(1)))
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
            let reader = try DatabaseUser(of: study.database, "BEGIN", "SELECT COUNT(*) FROM participants")
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
