import Foundation
import Study
import TestSupport
import Testing

/// Rows of a person go from tables as programs write them, and what cannot be erased is told.
struct ErasedRowsTests {
    /// A study of Zyxwvu and Other with one more table.
    private static func study(in folder: URL, _ path: String, _ bytes: [UInt8]) throws -> (StudyFolder, table: URL) {
        let study = try StudyFolder.create(at: folder.appendingPathComponent("s"), name: "s", version: "1")
        for subject in ["Zyxwvu", "Other"] {
            let file = study.sourcedata.appendingPathComponent("sub-\(subject)/sub-\(subject).xdf")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data("x".utf8).write(to: file)
            try study.enroll(subject: subject)
        }
        let table = study.root.appendingPathComponent(path)
        try FileManager.default.createDirectory(
            at: table.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: table)
        return (study, table)
    }

    /// A text in an encoding of spreadsheets.
    private static func bytes(_ text: String, _ encoding: String.Encoding, mark: [UInt8] = []) throws -> [UInt8] {
        mark + [UInt8](try #require(text.data(using: encoding)))
    }

    @Test(
        "a row goes and the rest stays byte for byte, whatever the line ends",
        arguments: [
            ("participant_id\tage\r\nsub-Zyxwvu\t30\r\nsub-Other\t40\r\n", "participant_id\tage\r\nsub-Other\t40\r\n"),
            (
                "\u{FEFF}participant_id\tage\nsub-Zyxwvu\t30\nsub-Other\t4\n",
                "\u{FEFF}participant_id\tage\nsub-Other\t4\n"
            ),
            ("Participant,age\nZyxwvu,30\nOther,40\n", "Participant,age\nOther,40\n"),
            ("age;Subject ID\n30;Zyxwvu\n40;Other", "age;Subject ID\n40;Other"),
            ("subject,note\nZyxwvu,\"two\nlines, \"\"x\"\"\"\nOther,\"a\nb\"\n", "subject,note\nOther,\"a\nb\"\n"),
            ("subject,age\rOther,40\rZyxwvu,30\r", "subject,age\rOther,40\r"),
            (
                "# made by hand\n\n# subjects\nsubject,age\nZyxwvu,30\nOther,40\n",
                "# made by hand\n\n# subjects\nsubject,age\nOther,40\n"
            ),
            ("#subject\tage\nZyxwvu\t30\nOther\t40\n", "#subject\tage\nOther\t40\n"),
        ])
    func rowsGo(before: String, after: String) throws {
        try withTemporaryFolder { folder in
            let (study, table) = try Self.study(in: folder, "phenotype/t.tsv", Array(before.utf8))
            let receipt = try study.erase("Zyxwvu")
            #expect(receipt.tableRows == ["phenotype/t.tsv": 1, "participants.tsv": 1])
            #expect(receipt.left.isEmpty)
            #expect(try Data(contentsOf: table) == Data(after.utf8))
        }
    }

    @Test(
        "a row goes from tables that are not UTF-8",
        arguments: [
            (String.Encoding.isoLatin1, []), (.utf16LittleEndian, [0xFF, 0xFE]), (.utf16BigEndian, [0xFE, 0xFF]),
            (.utf16LittleEndian, []),
        ] as [(String.Encoding, [UInt8])])
    func encodings(encoding: String.Encoding, mark: [UInt8]) throws {
        try withTemporaryFolder { folder in
            let before = try Self.bytes("participant,city\r\nZyxwvu,Köln\r\nOther,Jülich\r\n", encoding, mark: mark)
            let (study, table) = try Self.study(in: folder, "people.csv", before)
            #expect(try study.erase("Zyxwvu").tableRows["people.csv"] == 1)
            let after = try Self.bytes("participant,city\r\nOther,Jülich\r\n", encoding, mark: mark)
            #expect(try [UInt8](Data(contentsOf: table)) == after)
        }
    }

    @Test func linesOfLogsGoWhateverTheirEnds() throws {
        try withTemporaryFolder { folder in
            let log = Array("sub-Zyxwvu: done\r\nsub-Other: caf".utf8) + [0xE9] + Array(": done\r\n".utf8)
            let (study, url) = try Self.study(in: folder, "derivatives/marey/logs/7.log", log)
            #expect(try study.erase("Zyxwvu").tableRows["derivatives/marey/logs/7.log"] == 1)
            #expect(try [UInt8](Data(contentsOf: url)) == Array(log.dropFirst(18)))
        }
    }

    @Test("a table that cannot be read, or names the person elsewhere, stands in the receipt as left")
    func whatIsLeftIsTold() throws {
        try withTemporaryFolder { folder in
            let damaged = try Self.bytes("participant\nZyxwvu\n", .utf16LittleEndian, mark: [0xFF, 0xFE]) + [0x61]
            let (study, table) = try Self.study(in: folder, "people.csv", damaged)
            let notes = study.root.appendingPathComponent("notes.csv")
            try Data("participant,note\nOther,sibling of sub-Zyxwvu\n".utf8).write(to: notes)
            let receipt = try study.erase("Zyxwvu")
            #expect(Set(receipt.left.keys) == ["people.csv", "notes.csv"])
            #expect(receipt.left["people.csv"]?.contains("UTF-16") == true)
            #expect(receipt.tableRows == ["participants.tsv": 1])
            #expect(try Data(contentsOf: table) == Data(damaged))
        }
    }

    @Test(
        "a text that names the person stands in the receipt as left, also by a label that can mean nothing else",
        arguments: [
            ("Quux77", "README", "written by sub-Quux77", true), ("Quux77", "notes/a.txt", "Quux77 was late", true),
            ("Quux77", "code/x.yaml", "exclude: [Quux77, Quux78]", true),
            ("Quux77", "notes/a.txt", "Quux770 was late", false), ("Quux77", "notes/a.md", "aQuux77b", false),
            ("7", "notes/a.txt", "7 were late", false), ("7", "notes/a.txt", "sub-7 was late", true),
            ("C3", "notes/a.txt", "C3 was bad", false), ("rest", "notes/a.txt", "at rest", false),
        ])
    func namedInTexts(label: String, path: String, text: String, isTold: Bool) throws {
        try withTemporaryFolder { folder in
            let study = try StudyFolder.create(at: folder.appendingPathComponent("study"), name: "s", version: "1")
            try study.enroll(subject: label)
            let url = study.root.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data((text + "\n").utf8).write(to: url)
            #expect(try study.erase(label).left.keys.sorted() == (isTold ? [path] : []))
        }
    }

    @Test("what cannot be deleted is told in the receipt beside what was")
    func undeletableFiles() throws {
        try withTemporaryFolder { folder in
            let (study, _) = try Self.study(in: folder, "x.txt", [])
            // A file that nobody can delete, whoever runs the tests.
            let up = String(repeating: "../", count: study.root.standardizedFileURL.pathComponents.count)
            let kept = up + "proc/version"
            let receipt = try study.erase("Zyxwvu", others: [kept])
            #expect(receipt.left.keys.sorted() == [kept])
            #expect(receipt.left[kept]?.contains("cannot be deleted") == true)
            #expect(receipt.files == ["sourcedata/sub-Zyxwvu/sub-Zyxwvu.xdf"])
            #expect(receipt.tableRows == ["participants.tsv": 1])
        }
    }

    @Test("a table that cannot be written anew is there as it was, and the person can be erased again")
    func tablesAreNeverGone() throws {
        try withTemporaryFolder { folder in
            // Too long a name for a file to be written beside it.
            let name = String(repeating: "a", count: 240) + ".csv"
            let text = Data("participant,age\nZyxwvu,30\nOther,40\n".utf8)
            let (study, table) = try Self.study(in: folder, name, [UInt8](text))
            #expect(try study.erase("Zyxwvu").left.keys.sorted() == [name])
            #expect(try Data(contentsOf: table) == text)
            let short = study.root.appendingPathComponent("short.csv")
            try FileManager.default.moveItem(at: table, to: short)
            #expect(try study.erase("Zyxwvu").tableRows == ["short.csv": 1])
        }
    }

    @Test("the old table's blocks are overwritten, but not those of a copy under another name")
    func oldBlocks() throws {
        try withTemporaryFolder { folder in
            let text = Data("participant,age\nZyxwvu,30\nOther,40\n".utf8)
            let (study, table) = try Self.study(in: folder, "people.csv", [UInt8](text))
            let copy = folder.appendingPathComponent("backup.csv")
            try FileManager.default.linkItem(at: study.participants, to: copy)
            let (kept, old) = (try Data(contentsOf: copy), try FileHandle(forReadingFrom: table))
            _ = try study.erase("Zyxwvu")
            #expect(try old.readToEnd() == Data(count: text.count))
            #expect(try Data(contentsOf: copy) == kept)
        }
    }
}
