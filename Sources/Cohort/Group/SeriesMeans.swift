import Formats
import Signals

/// Means over a result table whose rows are samples or short epochs: as they are, they would fill a group's table with
/// millions of rows.
struct SeriesMeans {
    /// Windows shorter than this, in seconds, are epochs.
    private static let shortest = 10.0

    private let table: TextTable
    private let columns: ResultColumns
    private let signal: String

    /// Whether the rows of a table are samples (onsets without durations) or short epochs.
    static func isSeries(_ table: TextTable) throws -> Bool {
        guard table.has("onset") else { return false }
        guard table.has("duration") else { return true }
        return try table.numbers("duration").first.map { $0 < shortest } ?? false
    }

    init(_ table: TextTable, _ columns: ResultColumns, signal: String) {
        self.table = table
        self.columns = columns
        self.signal = signal
    }

    /// A value per index and per text that tells rows apart, such as the channel: the mean, on how many rows it rests,
    /// and from where to where they reach.
    func values() throws -> [ResultTables.Value] {
        let onsets = try table.numbers("onset")
        let durations = table.has("duration") ? try table.numbers("duration") : onsets.map { _ in 0 }
        guard let first = onsets.first, let last = onsets.last, let length = durations.last else { return [] }
        let rows = try groups()
        let coverage = try columns.coverage.map(table.numbers)
        let quality = try columns.quality.map(table.numbers)
        var values: [ResultTables.Value] = []
        let cells = try columns.indexes.map { try table.numbers($0.name) }
        for (name, rows) in rows {
            for (index, cells) in zip(columns.indexes, cells) {
                let (mean, count) = Self.mean(cells, rows)
                values.append(
                    ResultTables.Value(
                        window: nil, onset: TSV.text(.onset(first)), duration: TSV.text(.onset(last + length - first)),
                        signal: name, index: index, text: Self.text(mean),
                        coverage: Self.text(coverage.flatMap { Self.mean($0, rows).mean }),
                        quality: Self.text(quality.flatMap { Self.mean($0, rows).mean }), count: "\(count)"))
            }
        }
        return values
    }

    /// The rows of each signal, in the order they first come.
    private func groups() throws -> [(name: String, rows: [Int])] {
        guard !columns.qualifiers.isEmpty else { return [(signal, Array(0..<table.rowCount))] }
        let texts = try columns.qualifiers.map(table.texts)
        var places: [String: Int] = [:]
        var groups: [(name: String, rows: [Int])] = []
        for row in 0..<table.rowCount {
            let name = ([signal] + texts.compactMap { $0[row] }).joined(separator: ":")
            if let place = places[name] {
                groups[place].rows.append(row)
            } else {
                places[name] = groups.count
                groups.append((name, [row]))
            }
        }
        return groups
    }

    private static func mean(_ values: [Double], _ rows: [Int]) -> (mean: Double?, count: Int) {
        var (sum, count) = (0.0, 0)
        for row in rows where values[row].isFinite {
            sum += values[row]
            count += 1
        }
        return (count > 0 ? sum / Double(count) : nil, count)
    }

    private static func text(_ value: Double?) -> String? { value.map { TSV.text(.number($0)) } }
}
