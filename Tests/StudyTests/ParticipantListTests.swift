import Foundation
import Study
import TestSupport
import Testing

/// `participants.tsv` belongs to people and their spreadsheets: what they wrote stays as they wrote it.
struct ParticipantListTests {
    private static func study(in folder: URL, participants bytes: [UInt8]) throws -> StudyFolder {
        let study = try StudyFolder.create(at: folder.appendingPathComponent("s"), name: "s", version: "1")
        try Data(bytes).write(to: study.participants)
        return study
    }

    @Test(
        "a table keeps its line ends, byte-order mark and columns when somebody is added, once",
        arguments: [
            ("participant_id\tage\r\nsub-01\t30\r\n", "participant_id\tage\r\nsub-01\t30\r\nsub-02\tn/a\r\n"),
            (
                "age\tparticipant_id\tsex\n30\tsub-01\tf\n",
                "age\tparticipant_id\tsex\n30\tsub-01\tf\nn/a\tsub-02\tn/a\n"
            ),
            ("\u{FEFF}participant_id\nsub-01", "\u{FEFF}participant_id\nsub-01\nsub-02\n"),
            ("participant_id\tage\rsub-01\t30\r", "participant_id\tage\rsub-01\t30\rsub-02\tn/a\r"),
            ("Participant ID\nsub-01\n\n", "Participant ID\nsub-01\nsub-02\n\n"),
            (
                "participant_id\tnote\nsub-01\t\"two\nlines\"\n",
                "participant_id\tnote\nsub-01\t\"two\nlines\"\nsub-02\tn/a\n"
            ),
            ("participant_id\tnote\nsub-01\t\"5 feet\n", "participant_id\tnote\nsub-01\t\"5 feet\nsub-02\tn/a\n"),
            ("", "participant_id\nsub-02\n"),
        ])
    func tablesStayAsTheyAre(before: String, after: String) throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder, participants: Array(before.utf8))
            if !before.isEmpty { try study.enroll(subject: "01") }
            for _ in 1...2 { try study.enroll(subject: "02") }
            #expect(try Data(contentsOf: study.participants) == Data(after.utf8))
            let mode = try FileManager.default.attributesOfItem(atPath: study.participants.path)[.posixPermissions]
            #expect(mode as? Int == 0o600)
        }
    }

    /// A table of Latin-1 as a spreadsheet saves it: `Köln` with one byte for the ö.
    private static let latin1 = Array("participant_id\tcity\nsub-01\tK".utf8) + [0xF6] + Array("ln\n".utf8)

    private static let utf16: [UInt8] =
        [0xFF, 0xFE] + "participant_id\nsub-01\n".utf16.flatMap { unit -> [UInt8] in [UInt8(unit), 0] }

    private static let refused: [(bytes: [UInt8], problem: String)] = [
        (latin1, "byte 28 in line 2 is 0xF6"), (utf16, "is UTF-16"),
        (Array("id\tage\nsub-01\t3\n".utf8), "no column participant_id"),
    ]

    @Test(
        "a table that is not UTF-8 text with a column of participants is refused and left as it is", arguments: refused)
    func othersAreRefused(bytes: [UInt8], problem: String) throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(in: folder, participants: bytes)
            #expect {
                try study.enroll(subject: "02")
            } throws: {
                let error = $0 as? StudyError
                return error?.problem.contains(problem) == true && error?.advice != nil
                    && error?.path.hasSuffix("participants.tsv") == true
            }
            #expect(try Data(contentsOf: study.participants) == Data(bytes))
            let finding = try study.findings().first { $0.path == "participants.tsv" }
            #expect(finding?.severity == .error && finding?.problem.contains(problem) == true)
        }
    }

    @Test func whoeverIsAddedAtTheSameTimeIsListed() throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("s"), name: "s", version: "1")
            DispatchQueue.concurrentPerform(iterations: 64) { number in
                do { try study.enroll(subject: String(number)) } catch { Issue.record(error) }
            }
            let lines = try String(contentsOf: study.participants, encoding: .utf8).split(separator: "\n")
            #expect(lines.first == "participant_id")
            #expect(Set(lines.dropFirst()) == Set((0..<64).map { "sub-\($0)" }) && lines.count == 65)
        }
    }

    @Test("a study listed by a spreadsheet with line ends of its own is sound")
    func validationReadsWhatIsAdded() throws {
        try withTemporaryFolder { folder in
            let study = try Self.study(
                in: folder, participants: Array("\u{FEFF}participant_id\tage\r\nsub-01\t\r\n".utf8))
            #expect(try study.findings().isEmpty)
        }
    }
}
