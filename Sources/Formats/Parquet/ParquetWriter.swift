public import Foundation
public import Signals

/// Writes tables as Parquet files, for pandas, R, DuckDB, Polars and others (Apache Parquet format 2.10): PLAIN encoding,
/// uncompressed, missing cells by definition levels, statistics of each column in each group of rows.
///
/// The same rows give the same bytes. A group of rows is in memory at a time.
public final class ParquetWriter {
    private struct Group {
        var rows: Int
        var chunks: [(offset: Int, size: Int, values: Int, missing: Int, bounds: (least: [UInt8], greatest: [UInt8])?)]
    }

    private let file: AtomicFile
    private let columns: [ParquetColumn]
    private let notes: [(key: String, value: String)]
    private let rowsPerGroup: Int
    private var chunks: [ParquetChunk]
    private var groups: [Group] = []
    private var rows = 0
    private var offset = 0
    private static let magic = Array("PAR1".utf8)
    /// A group is written earlier when it has so many bytes.
    private static let largestGroup = 64 << 20

    /// Begins a file.
    /// - Parameters:
    ///   - notes: what is said of the file as a whole, such as the declarations of the columns.
    ///   - rowsPerGroup: rows that are held in memory and read together.
    /// - Throws: `FormatError` when there is no column, two are called the same, or nothing can be written there.
    public init(
        _ url: URL, columns: [ParquetColumn], notes: [(key: String, value: String)] = [], rowsPerGroup: Int = 1 << 16
    ) throws {
        guard !columns.isEmpty, Set(columns.map(\.name)).count == columns.count else {
            throw FormatError(url, "needs columns, each called differently")
        }
        self.columns = columns
        self.notes = notes
        self.rowsPerGroup = max(1, rowsPerGroup)
        chunks = columns.map { ParquetChunk($0.kind) }
        file = try AtomicFile(url)
        try put(Self.magic)
    }

    /// Writes a whole table, with the declarations of its columns as JSON under the key `columns`.
    /// - Throws: `FormatError` when it cannot be written; nothing is left then.
    public static func write(_ table: Table, to url: URL) throws {
        let declared = String(decoding: TableJSON.sidecar(table.columns), as: UTF8.self)
        let writer = try ParquetWriter(
            url, columns: ParquetColumn.columns(of: table), notes: [("columns", declared)])
        for row in table.rows { try writer.append(row) }
        try writer.commit()
    }

    /// Adds a row.
    /// - Throws: `FormatError` when it has not one cell per column of the column's kind; such a file cannot go on.
    public func append(_ row: [Cell]) throws {
        guard row.count == columns.count else {
            throw FormatError(
                file.url, at: "row \(rows + 1)", "has \(row.count) cells, there are \(columns.count) columns")
        }
        for (index, cell) in row.enumerated() where !chunks[index].append(cell) {
            throw FormatError(
                file.url, at: "row \(rows + 1), column \(columns[index].name)",
                "found \(TSV.text(cell)), which is not of the column's kind (\(columns[index].kind))")
        }
        rows += 1
        let count = chunks[0].isPresent.count
        let isLarge = count % 1_024 == 0 && chunks.reduce(0) { $0 + $1.values.count } > Self.largestGroup
        if count >= rowsPerGroup || isLarge { try flush() }
    }

    /// Makes the file appear under its name, complete.
    /// - Throws: `FormatError` when that fails; nothing is left behind then.
    public func commit() throws {
        try flush()
        let footer = footer
        try put(footer + Self.bytes(UInt32(footer.count)) + Self.magic)
        try file.commit()
    }

    private static func bytes(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }

    private func put(_ bytes: [UInt8]) throws {
        try file.write(bytes)
        offset += bytes.count
    }

    // MARK: row groups

    private func flush() throws {
        let count = chunks[0].isPresent.count
        guard count > 0 else { return }
        var group = Group(rows: count, chunks: [])
        for chunk in chunks {
            let page = chunk.page
            guard page.count < Int(Int32.max) else {
                throw FormatError(file.url, "has texts too long for a group of \(count) rows")
            }
            let start = offset
            try put(Self.pageHeader(count, page.count))
            try put(page)
            group.chunks.append((start, offset - start, count, chunk.missing, chunk.bounds))
        }
        groups.append(group)
        chunks = columns.map { ParquetChunk($0.kind) }
    }

    private static func pageHeader(_ values: Int, _ size: Int) -> [UInt8] {
        var writer = ThriftWriter()
        writer.int32(1, 0)  // DATA_PAGE
        writer.int32(2, size)
        writer.int32(3, size)
        writer.structure(5) { page in
            page.int32(1, values)
            page.int32(2, 0)  // PLAIN
            page.int32(3, 3)  // RLE
            page.int32(4, 3)
        }
        writer.finish()
        return writer.bytes
    }

    // MARK: footer

    private var footer: [UInt8] {
        var writer = ThriftWriter()
        writer.int32(1, 2)
        writer.structures(2, [nil] + columns.map(Optional.some)) { Self.element($1, columns.count, &$0) }
        writer.int64(3, rows)
        writer.structures(4, groups) { writer, group in
            writer.structures(1, Array(group.chunks.enumerated())) { writer, chunk in
                self.chunk(chunk.offset, chunk.element, &writer)
            }
            writer.int64(2, group.chunks.reduce(0) { $0 + $1.size })
            writer.int64(3, group.rows)
        }
        if !notes.isEmpty {
            writer.structures(5, notes) { writer, note in
                writer.text(1, note.key)
                writer.text(2, note.value)
            }
        }
        writer.text(6, "Marey")
        // Bounds are in the order of the column's type.
        writer.structures(7, columns) { writer, _ in writer.structure(1) { _ in } }
        writer.finish()
        return writer.bytes
    }

    private static func code(_ kind: ParquetColumn.Kind) -> Int {
        switch kind {
        case .integer: 2
        case .number: 5
        case .text: 6
        }
    }

    /// A schema element: a column, or for nil the root.
    private static func element(_ column: ParquetColumn?, _ count: Int, _ writer: inout ThriftWriter) {
        guard let column else {
            writer.text(4, "schema")
            writer.int32(5, count)
            return
        }
        writer.int32(1, code(column.kind))
        writer.int32(3, 1)  // OPTIONAL
        writer.text(4, column.name)
        if column.kind == .text {
            writer.int32(6, 0)  // UTF8
            writer.structure(10) { type in type.structure(1) { _ in } }
        }
    }

    private func chunk(
        _ index: Int,
        _ chunk: (offset: Int, size: Int, values: Int, missing: Int, bounds: (least: [UInt8], greatest: [UInt8])?),
        _ writer: inout ThriftWriter
    ) {
        writer.int64(2, chunk.offset)
        writer.structure(3) { data in
            data.int32(1, Self.code(columns[index].kind))
            data.int32s(2, [0, 3])
            data.texts(3, [columns[index].name])
            data.int32(4, 0)  // UNCOMPRESSED
            data.int64(5, chunk.values)
            data.int64(6, chunk.size)
            data.int64(7, chunk.size)
            data.int64(9, chunk.offset)
            data.structure(12) { statistics in
                statistics.int64(3, chunk.missing)
                if let bounds = chunk.bounds {
                    statistics.binary(5, bounds.greatest)
                    statistics.binary(6, bounds.least)
                }
            }
        }
    }
}
