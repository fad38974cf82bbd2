import Kernels

/// Means of the rows of a table with holes that can be compared although not every row has every column: what the
/// columns differ by is taken out (a two-way additive fit by least squares; Searle, Speed & Milliken 1980, Am Stat
/// 34:216, "population marginal means").
public enum AdditiveMeans {
    /// The mean of each row over all columns, as if it had them all; the plain mean where no row lacks a column.
    ///
    /// Rows can only be compared where columns link them: of several parts without a link the one with the most rows
    /// counts.
    /// - Parameter table: a row per person, a column per circumstance, nil where nothing was measured; rows are of the
    ///   same length.
    /// - Returns: nil for rows without a value, or outside the part that counts.
    public static func ofRows(_ table: [[Double?]]) -> [Double?] {
        let columns = linkedColumns(of: table)
        let rows = table.map { row in columns.map { row[$0] } }
        guard rows.contains(where: { row in row.contains { $0 == nil } && row.contains { $0 != nil } }) else {
            return rows.map { mean($0.compactMap { $0 }) }
        }
        guard let effects = columnEffects(rows) else { return rows.map { _ in nil } }
        let whole = Statistics.mean(effects)
        return rows.map { row in
            mean(zip(row, effects).compactMap { value, effect in value.map { $0 - effect } }).map { $0 + whole }
        }
    }

    private static func mean(_ values: [Double]) -> Double? { values.isEmpty ? nil : Statistics.mean(values) }

    /// The columns of the largest part whose columns are linked by rows that have several of them.
    private static func linkedColumns(of table: [[Double?]]) -> [Int] {
        var part = Array(0..<(table.first?.count ?? 0))
        for row in table {
            let own = Set(part.indices.filter { row[$0] != nil }.map { part[$0] })
            guard let least = own.min(), own.count > 1 else { continue }
            for column in part.indices where own.contains(part[column]) { part[column] = least }
        }
        func rows(_ columns: [Int]) -> Int { table.count { row in columns.contains { row[$0] != nil } } }
        let parts = Set(part).sorted().map { number in part.indices.filter { part[$0] == number } }
        var best: (columns: [Int], rows: Int) = ([], 0)
        for columns in parts where rows(columns) > best.rows { best = (columns, rows(columns)) }
        return best.columns
    }

    /// What each column differs by from the first, rows taken out; nil where that cannot be told.
    private static func columnEffects(_ rows: [[Double?]]) -> [Double]? {
        let count = rows.first?.count ?? 0
        guard count > 1 else { return Array(repeating: 0, count: count) }
        var (products, sums) = (
            [[Double]](repeating: Array(repeating: 0, count: count - 1), count: count - 1),
            [Double](repeating: 0, count: count - 1)
        )
        for row in rows {
            let present = row.indices.filter { row[$0] != nil }
            guard let mean = mean(present.compactMap { row[$0] }) else { continue }
            for column in present where column > 0 {
                products[column - 1][column - 1] += 1
                sums[column - 1] += (row[column] ?? mean) - mean
                for other in present where other > 0 {
                    products[column - 1][other - 1] -= 1 / Double(present.count)
                }
            }
        }
        guard let matrix = try? Matrix(products), let effects = try? matrix.choleskySolve(sums) else { return nil }
        return [0] + effects
    }
}
