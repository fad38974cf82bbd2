import Formats
public import Foundation
import Signals
import Study

/// Writes the group's tables in the format of another program.
public struct GroupExport {
    /// A format.
    public enum Format: String, CaseIterable, Sendable {
        /// Apache Parquet, for pandas, R's arrow, DuckDB and Polars.
        case parquet
        /// Comma-separated text with names that SPSS takes, and a syntax file that reads it and labels the variables.
        case spss
    }

    private let batch: BatchFolder
    private let group: URL
    /// The stems of recordings that are done and that the tables were made without.
    public let missing: [String]

    /// The tables below the output folder of a batch.
    /// - Throws: `CohortError` when its tables may not be read, the group level was never run there, or not to its
    ///   end, or recordings in its tables were analyzed anew since or are gone.
    public init(_ batch: BatchFolder) throws {
        self.batch = batch
        group = batch.root.appendingPathComponent("group")
        if let refusal = BatchFolder.refusal(group.appendingPathComponent("indexes_long.tsv")) { throw refusal }
        guard FileManager.default.fileExists(atPath: group.appendingPathComponent("indexes_long.tsv").path) else {
            throw CohortError(group, "has no tables", advice: "run marey batch DATASET OUTPUT group first")
        }
        guard FileManager.default.fileExists(atPath: GroupTables.seal(batch).path) else {
            throw CohortError(
                group, "has tables of a run that did not come to its end",
                advice: "run marey batch DATASET OUTPUT group again")
        }
        let members = GroupMembers(of: batch)
        let stale = members?.stale(in: batch) ?? []
        guard stale.isEmpty else {
            throw CohortError(
                group,
                "has tables with results that were computed again since, or whose recordings are gone: "
                    + Listing.text(stale),
                advice: "run marey batch DATASET OUTPUT group again")
        }
        missing = members?.missing(in: batch) ?? []
    }

    /// Writes every table into `target`.
    /// - Returns: the files.
    /// - Throws: `CohortError` when the folder holds such tables that were not exported from here, `FormatError` when a
    ///   table cannot be read or a file not written, `StudyError` when the export cannot be noted in the batch.
    public func write(_ format: Format, to target: URL) throws -> [URL] {
        let names = try FileManager.default.contentsOfDirectory(atPath: group.path)
            .filter { $0.hasSuffix(".tsv") && !$0.hasPrefix(".") }.sorted()
        try CohortFolder.make(target)
        try demandOwn(target, names, format)
        try BatchTraces(batch.root).noteExport(to: target)
        try writeAtomically([], to: target.appendingPathComponent(DatasetContent.exportMark, isDirectory: false))
        let tables = try names.map { name in
            let url = group.appendingPathComponent(name)
            let rows = try TableRows(url)
            let told = ToldColumn.read(url.deletingPathExtension().appendingPathExtension("json"))
            let numeric = try rows.numeric(declared: Set(told.filter { $0.value.unit != nil }.keys))
            let stem = target.appendingPathComponent(String(name.dropLast(4)))
            return (stem: stem, rows: rows, numeric: numeric, told: told)
        }
        switch format {
        case .parquet:
            return try tables.map { table in
                try ParquetTable(table.rows, numeric: table.numeric)
                    .write(to: table.stem.appendingPathExtension("parquet"))
            }
        case .spss:
            let made = try tables.map { try SPSSTable($0.rows, numeric: $0.numeric, told: $0.told) }
            let widths = SPSSTable.widths(made)
            return try zip(tables, made).flatMap { table, made in
                [
                    try made.write(to: table.stem.appendingPathExtension("csv")),
                    try made.writeSyntax(to: table.stem.appendingPathExtension("sps"), widths: widths),
                ]
            }
        }
    }

    /// Another batch's tables have the same names.
    private func demandOwn(_ target: URL, _ names: [String], _ format: Format) throws {
        if BatchTraces(batch.root).isExport(target) { return }
        let files = names.map { String($0.dropLast(3)) + (format == .parquet ? "parquet" : "csv") }
        let there = files.first {
            FileManager.default.fileExists(atPath: target.appendingPathComponent($0, isDirectory: false).path)
        }
        guard let there else { return }
        throw CohortError(
            target, "holds \(there), which was not exported from \(batch.root.relativePath)",
            advice: "name another folder")
    }
}

/// A table as Parquet file: numbers as doubles, all else as text.
struct ParquetTable {
    let rows: TableRows
    /// Which columns hold numbers.
    let numeric: [Bool]

    init(_ rows: TableRows, numeric: [Bool]) {
        self.rows = rows
        self.numeric = numeric
    }

    func write(to url: URL) throws -> URL {
        let writer = try ParquetWriter(
            url, columns: zip(rows.names, numeric).map { ParquetColumn($0, $1 ? .number : .text) })
        var cells: [Cell] = []
        try rows.forEach { row in
            cells.removeAll(keepingCapacity: true)
            for (cell, isNumber) in zip(row, numeric) {
                guard let cell else {
                    cells.append(.missing)
                    continue
                }
                cells.append(isNumber ? .optional(TableRows.number(cell)) : .text(TableRows.text(cell)))
            }
            try writer.append(cells)
        }
        try writer.commit()
        return url
    }
}
