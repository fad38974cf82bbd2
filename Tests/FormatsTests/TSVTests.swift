import Formats
import Foundation
import Signals
import Testing

@Suite struct TSVTests {
    let table = Table(
        columns: [
            Column("onset", unit: .seconds, "When it was."), Column("sample", unit: .dimensionless, "Its \"index\"."),
            Column("kind", "What it was.", reference: "EC57", leastData: "one beat"),
            Column("rmssd", unit: .seconds, "R."),
        ],
        rows: [
            [.onset(0.5), .integer(180), .text("normal"), .number(0.1 + 0.2)],
            [.onset(1.2345), .integer(-3), .text("a\tb\n"), .missing],
            [.onset(2), .integer(0), .text(""), .number(.nan)],
        ])

    @Test func writesRowsUnderAHeader() {
        let expected = """
            onset\tsample\tkind\trmssd
            0.5\t180\tnormal\t0.3
            1.2345\t-3\ta b \tn/a
            2\t0\tn/a\tn/a

            """
        #expect(String(decoding: TSV.encode(table), as: UTF8.self) == expected)
    }

    @Test func writesJSONThatFoundationReads() throws {
        let rows = try JSONSerialization.jsonObject(with: Data(TableJSON.rows(table))) as? [[String: Any]]
        #expect(rows?.count == 3)
        #expect(rows?[1]["kind"] as? String == "a\tb\n")
        // JSONSerialization rounds; the text holds the number in full.
        #expect(String(decoding: TableJSON.rows(table), as: UTF8.self).contains("\"rmssd\": 0.30000000000000004"))
        #expect(rows?[1]["rmssd"] is NSNull)
        let sidecar =
            try JSONSerialization.jsonObject(with: Data(TableJSON.sidecar(table.columns)))
            as? [String: [String: String]]
        #expect(sidecar?["sample"]?["Description"] == "Its \"index\".")
        #expect(sidecar?["onset"]?["Units"] == "s")
        #expect(sidecar?["kind"] == ["Description": "What it was.", "Reference": "EC57", "LeastData": "one beat"])
    }

    @Test func readsBackWhatItWrites() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("t.tsv")
        try TSV.write(table, to: file)
        #expect(folder.names == ["t.tsv"])
        let read = try TextTable(reading: file)
        #expect(read.names == ["onset", "sample", "kind", "rmssd"])
        #expect(try read.numbers("onset") == [0.5, 1.2345, 2])
        #expect(try read.integers("sample") == [180, -3, 0])
        #expect(try read.texts("kind") == ["normal", "a b", nil])
        let rmssd = try read.numbers("rmssd")
        #expect(rmssd[0] == 0.3 && rmssd[1].isNaN && rmssd[2].isNaN)
    }

    @Test func saysWhatIsWrongAndWhere() throws {
        let folder = try TemporaryFolder()
        let ragged = try folder.file("r.tsv", "a\tb\n1\t2\n3\n")
        #expect(
            formatError { try TextTable(reading: ragged) }?.contains("line 3: has 1 cells, the header has 2") == true)
        let empty = try folder.file("e.tsv", "")
        #expect(formatError { try TextTable(reading: empty) }?.contains("is empty") == true)
        let words = try TextTable(reading: folder.file("w.tsv", "\u{FEFF}a\tb\r\n1\tx\r\n"))
        #expect(try words.integers("a") == [1])
        #expect(formatError { try words.numbers("b") }?.contains("line 2, column b: found \"x\"") == true)
        #expect(formatError { try words.numbers("c") }?.contains("has no column \"c\"") == true)
        #expect(formatError { try TextTable(reading: folder.url) }?.contains("is a directory") == true)
    }

    @Test func leavesNothingBehindWhenItDoesNotFinish() throws {
        let folder = try TemporaryFolder()
        let place = try folder.file("keep.txt", "old")
        do {
            let file = try AtomicFile(place)
            try file.write("new")
        }
        #expect(folder.names == ["keep.txt"])
        #expect(try String(contentsOf: place, encoding: .utf8) == "old")
        try writeAtomically(Array("new".utf8), to: place)
        #expect(try String(contentsOf: place, encoding: .utf8) == "new")
        #expect(folder.names == ["keep.txt"])
        #expect(formatError { try AtomicFile(folder.url.appendingPathComponent("no/where.txt")) } != nil)
        #expect(formatError { try AtomicFile(folder.url) }?.contains("is a directory") == true)
    }
}
