import Formats
import Foundation
import Signals
import TestSupport
import Testing

struct ScratchFolderTests {
    /// A hash that tells what it was given.
    private struct Everything: GrowingHash {
        var bytes: [UInt8] = []
        mutating func add(_ more: UnsafeRawBufferPointer) { bytes += more }
        func hexadecimal() -> String { bytes.map { String($0, radix: 16) }.joined(separator: " ") }
    }

    private static func text(of bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0, radix: 16) }.joined(separator: " ")
    }

    private static func table(rows: Int) -> Table {
        var table = Table(columns: [
            Column("onset", unit: .seconds, "When."), Column("channel", "Where."),
            Column("power", unit: .dimensionless, "How much."), Column("count", unit: .dimensionless, "How many."),
            Column("reasons", "Why."),
        ])
        for row in 0..<rows {
            let power = Double(row * row) * 1.234_567_890_123e-9 * (row % 3 == 0 ? -1 : 1)
            table.append([
                .onset(Double(row) * 0.25), .text(["AF7", " TP9 ", "a\tb", "n/a", ""][row % 5]),
                row % 7 == 0 ? .missing : .number(power), .integer(row - 3), .text(row % 2 == 0 ? "" : "gap,\nmotion"),
            ])
        }
        return table
    }

    @Test(arguments: [0, 1, 5, 20_000])
    func whatIsWrittenIsKnownWithoutReadingIt(rows: Int) throws {
        try withTemporaryFolder { folder in
            let scratch = ScratchFolder(folder, hash: { Everything() })
            let file = folder.appendingPathComponent("t.tsv")
            try scratch.fill { try TSV.write(Self.table(rows: rows), to: file) }
            let content = try #require(scratch.content("t.tsv"))
            let bytes = try Data(contentsOf: file)
            #expect(bytes.elementsEqual(TSV.encode(Self.table(rows: rows))))
            #expect(content.bytes == bytes.count)
            #expect(content.hash == Self.text(of: bytes))
            #expect(content.table == nil)
            #expect(scratch.content("other.tsv") == nil)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["t.tsv"])
        }
    }

    @Test(arguments: [0, 1, 5, 20_000])
    func aTableThatIsKeptIsWhatAReaderOfItsTextFinds(rows: Int) throws {
        try withTemporaryFolder { folder in
            let scratch = ScratchFolder(folder, hash: { Everything() }, keepsTable: { $0.hasSuffix(".tsv") })
            let file = folder.appendingPathComponent("t.tsv")
            try scratch.fill {
                try TSV.write(Self.table(rows: rows), to: file)
                try writeAtomically([0x7B, 0x7D], to: folder.appendingPathComponent("t.json"))
            }
            let told = try #require(scratch.content("t.tsv")?.table)
            #expect(scratch.content("t.json")?.table == nil)
            let read = try TextTable(reading: file)
            #expect(told.names == read.names)
            #expect(told.rowCount == read.rowCount)
            for column in ["onset", "power", "count"] {
                let (one, other) = (try told.numbers(column), try read.numbers(column))
                #expect(one.map(\.isNaN) == other.map(\.isNaN))
                #expect(zip(one, other).allSatisfy { $0.isNaN || $0 == $1 })
            }
            for column in ["channel", "reasons"] {
                let (one, other) = (try told.words(column), try read.words(column))
                #expect(one.texts == other.texts)
                #expect(one.rows == other.rows)
            }
            if rows > 1 {
                #expect(throws: FormatError.self) { try told.numbers("channel") }
                #expect(throws: FormatError.self) { try told.words("onset") }
            }
            #expect(throws: FormatError.self) { try told.numbers("none") }
        }
    }

    @Test func aTableOfVeryManyCellsIsNotKept() throws {
        try withTemporaryFolder { folder in
            let scratch = ScratchFolder(folder, hash: { Everything() }, keepsTable: { _ in true })
            var table = Table(columns: [Column("value", unit: .dimensionless, "It.")])
            table.rows = Array(repeating: [.integer(1)], count: 600_000)
            let url = folder.appendingPathComponent("t.tsv")
            try scratch.fill { try TSV.write(table, to: url) }
            #expect(scratch.content("t.tsv")?.table == nil)
            #expect(try TextTable(reading: url).rowCount == 600_000)
        }
    }

    @Test func filesElsewhereAreWrittenAsEver() throws {
        try withTemporaryFolder { folder in
            let inside = folder.appendingPathComponent("inside", isDirectory: true)
            try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: false)
            let scratch = ScratchFolder(inside, hash: { Everything() })
            try scratch.fill { try writeAtomically([1, 2, 3], to: folder.appendingPathComponent("inside.txt")) }
            #expect(scratch.content("inside.txt") == nil)
            #expect(try Data(contentsOf: folder.appendingPathComponent("inside.txt")) == Data([1, 2, 3]))
        }
    }
}
