import Formats
import Foundation
import Signals
import TestSupport
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

    @Test func controlCharactersInATextBecomeBlanks() throws {
        let told = Table(
            columns: [Column("a", "A."), Column("b", "B.")], rows: [[.text("x\0y\u{1B}\u{7F}z"), .text("ä")]])
        #expect(String(decoding: TSV.encode(told), as: UTF8.self) == "a\tb\nx y  z\tä\n")
        #expect(TSV.text(.text("x\0y")) == "x y")
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

    @Test func sidecarsTellWhatCodesMean() throws {
        let codes = Column("worn", unit: .dimensionless, "Whether it was.", levels: ["1": "\"yes\"", "0": "no"])
        let sidecar = TableJSON.sidecar([codes])
        let object = try JSONSerialization.jsonObject(with: Data(sidecar)) as? [String: [String: Any]]
        #expect(object?["worn"]?["Levels"] as? [String: String] == ["0": "no", "1": "\"yes\""])
        #expect(String(decoding: sidecar, as: UTF8.self).contains("{\"0\": \"no\", \"1\": "))
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

    @Test func readsNumbersAsTheCLibraryDoes() throws {
        var random = SplitMix64(seed: 11)
        func digits(_ count: ClosedRange<Int>) -> String {
            (0..<Int.random(in: count, using: &random)).map { _ in String(Int.random(in: 0...9, using: &random)) }
                .joined()
        }
        let rows = (0..<4_000).map { row in
            (0..<5).map { column in
                let whole = digits(0...9), sign = ["", "", "-", "+"][Int.random(in: 0...3, using: &random)]
                switch (row + column) % 8 {
                case 0: return "n/a"
                case 1: return sign + digits(1...19)
                case 2: return "\(sign)\(digits(1...4)).\(digits(0...12))e-\(digits(1...2))"
                case 3: return " \(sign)\(digits(1...9)).\(digits(0...3))\(row % 2 == 0 ? " " : "\r")"
                default: return sign + whole + "." + digits(whole.isEmpty ? 1...17 : 0...17)
                }
            }
        }
        let text = (["a\tb\tc\td\te"] + rows.map { $0.joined(separator: "\t") }).joined(separator: "\n")
        let table = try TextTable(bytes: Array(text.utf8), file: URL(fileURLWithPath: "numbers.tsv"))
        for (column, name) in table.names.enumerated() {
            let values = try table.numbers(name)
            for (row, value) in values.enumerated() {
                let cell = rows[row][column]
                let expected = cell == "n/a" ? Double.nan : strtod(cell, nil)
                #expect(value.bitPattern == expected.bitPattern || (value.isNaN && expected.isNaN), "\(cell)")
            }
        }
    }

    @Test func findsCellsWhereverTheyEnd() throws {
        var random = SplitMix64(seed: 12)
        for _ in 0..<200 {
            let rows = (0..<Int.random(in: 0...9, using: &random)).map { _ in
                (0..<3).map { _ in String(repeating: "x", count: Int.random(in: 0...90, using: &random)) }
            }
            let end = Bool.random(using: &random) ? "\r\n" : "\n"
            let blank = Bool.random(using: &random) ? end + " " : ""
            let lines = ["a\tb\tc"] + rows.map { $0.joined(separator: "\t") }
            let text = lines.map { $0 + blank }.joined(separator: end)
            let table = try TextTable(bytes: Array(text.utf8), file: URL(fileURLWithPath: "cells.tsv"))
            #expect(table.names == ["a", "b", "c"] && table.rowCount == rows.count)
            for (column, name) in table.names.enumerated() {
                let expected = rows.map { $0[column].isEmpty ? nil : $0[column] }
                #expect(try table.texts(name) == expected)
                let words = try table.words(name)
                #expect(words.rows.map { words.texts[$0] } == expected)
                #expect(Set(words.texts).count == words.texts.count)
            }
        }
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
