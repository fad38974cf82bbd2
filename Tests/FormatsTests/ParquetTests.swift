import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Parquet files, read back by pyarrow and DuckDB.
struct ParquetTests {
    private struct Oracle: Decodable {
        var python: String
        var script: String
    }

    private struct Bounds: Decodable, Equatable {
        var least: Value?
        var greatest: Value?
        var missing: Int
    }

    /// A cell as JSON has it.
    enum Value: Decodable, Equatable {
        case number(Double)
        case text(String)
        case missing

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .missing
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }

        init(_ cell: Cell) {
            switch cell {
            case .integer(let value): self = .number(Double(value))
            case .number(let value), .onset(let value): self = .number(value)
            case .text(let text): self = .text(text)
            case .missing: self = .missing
            }
        }
    }

    private struct Content: Decodable {
        var types: [String]
        var columns: [[Value]]
        var notes: [String: String]
        var statistics: [[Bounds]]
        var groups: [Int]
        var duckdb: [[Value]]
        var duckdbTypes: [String]
    }

    private static func read(_ file: URL) throws -> Content {
        let oracle = try JSONDecoder().decode(
            Oracle.self, from: Data(contentsOf: OracleData.url("formats_parquet.json")))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: oracle.python)
        process.arguments = [oracle.script, "--read", file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try JSONDecoder().decode(Content.self, from: output)
    }

    private static let columns = [
        Column("participant", "Who it was."), Column("n", unit: .dimensionless, "How many."),
        Column("rmssd", unit: .milliseconds, "A \"quoted\" definition."), Column("empty", unit: .seconds, "Nothing."),
        Column("note", "Text that is never there."),
    ]

    private static func table(rows: Int) -> Table {
        let names = ["sub-01", "Zoë", "", "sub-\u{1F600}"]
        var table = Table(columns: columns)
        for row in 0..<rows {
            let name: Cell = row % 5 == 4 ? .missing : .text(names[row % 4])
            let count: Cell = row % 7 == 3 ? .missing : .integer(row - 50)
            let number: Cell = row % 10 == 0 ? .integer(row) : .number(Double(row) / 7 - 3)
            table.append([name, count, row % 3 == 1 ? .missing : number, .missing, .missing])
        }
        return table
    }

    @Test(.enabled(if: OracleData.has("formats_parquet.json")))
    func pyarrowAndDuckDBReadWhatWasWritten() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.parquet")
        let table = Self.table(rows: 1_003)
        try ParquetWriter.write(table, to: url)
        let content = try Self.read(url)
        #expect(content.types == ["string", "int64", "double", "double", "string"])
        #expect(content.duckdbTypes == ["VARCHAR", "BIGINT", "DOUBLE", "DOUBLE", "VARCHAR"])
        let rows = table.rows.map { $0.map(Value.init) }
        #expect(content.duckdb == rows)
        for column in rows[0].indices { #expect(content.columns[column] == rows.map { $0[column] }) }
        #expect(content.notes["columns"]?.contains("A \\\"quoted\\\" definition.") == true)
    }

    @Test(.enabled(if: OracleData.has("formats_parquet.json")))
    func eachGroupOfRowsHasItsStatistics() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.parquet")
        let table = Self.table(rows: 250)
        let writer = try ParquetWriter(url, columns: ParquetColumn.columns(of: table), rowsPerGroup: 100)
        for row in table.rows { try writer.append(row) }
        try writer.commit()
        let content = try Self.read(url)
        #expect(content.groups == [100, 100, 50] && content.duckdb.count == 250)
        for (group, first) in [0, 100, 200].enumerated() {
            let rows = table.rows[first..<min(first + 100, 250)]
            for column in 0..<5 {
                let found = content.statistics[group][column]
                #expect(found.missing == rows.count { $0[column] == .missing })
                let numbers = rows.compactMap { row -> Double? in
                    if case .number(let value) = Value(row[column]) { value } else { nil }
                }
                guard let least = numbers.min(), let greatest = numbers.max() else { continue }
                #expect(found.least == .number(least) && found.greatest == .number(greatest))
            }
            #expect(content.statistics[group][0].least == .text(""))
            #expect(content.statistics[group][0].greatest == .text("sub-\u{1F600}"))
            #expect(content.statistics[group][3].least == nil)
        }
    }

    @Test(.enabled(if: OracleData.has("formats_parquet.json")))
    func aTableWithoutRowsKeepsItsColumns() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.parquet")
        try ParquetWriter.write(Table(columns: Self.columns), to: url)
        let content = try Self.read(url)
        #expect(content.duckdb.isEmpty && content.types == ["string", "double", "double", "double", "string"])
    }

    @Test func theSameTableGivesTheSameBytes() throws {
        let folder = try TemporaryFolder()
        let bytes = try ["a", "b"].map { name in
            let url = folder.url.appendingPathComponent("\(name).parquet")
            try ParquetWriter.write(Self.table(rows: 70), to: url)
            return try Data(contentsOf: url)
        }
        #expect(bytes[0] == bytes[1] && bytes[0].prefix(4) == Data("PAR1".utf8))
    }

    @Test func aCellOfAnotherKindIsAnErrorAndLeavesNoFile() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("a.parquet")
        let error = formatError {
            let writer = try ParquetWriter(url, columns: [ParquetColumn("n", .integer)])
            try writer.append([.integer(1)])
            try writer.append([.number(1.5)])
        }
        #expect(error?.contains("row 2, column n: found 1.5") == true && folder.names.isEmpty)
        let twice = formatError {
            try ParquetWriter(url, columns: [ParquetColumn("n", .integer), ParquetColumn("n", .text)])
        }
        #expect(twice?.contains("each called differently") == true)
    }
}
