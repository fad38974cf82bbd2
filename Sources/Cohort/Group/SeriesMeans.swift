import Formats
import Kernels
import Signals

/// Means over a result table whose rows are samples or short epochs: as they are, they would fill a group's table with
/// millions of rows. Samples that the table marks as artefacts count for none of its indexes but that mark, whose mean is
/// their share.
struct SeriesMeans {
    /// The column that marks samples as artefacts, where a table has one.
    private static let mark = "artefact"
    /// Windows shorter than this, in seconds, are epochs.
    private static let shortest = 10.0

    private let table: any ColumnReading
    private let columns: ResultColumns
    private let signal: String

    /// Whether the rows of a table are samples (onsets without durations) or short epochs.
    static func isSeries(_ table: some ColumnReading) throws -> Bool {
        guard table.has("onset") else { return false }
        guard table.has("duration") else { return true }
        return try table.numbers("duration").first.map { $0 < shortest } ?? false
    }

    init(_ table: any ColumnReading, _ columns: ResultColumns, signal: String) {
        self.table = table
        self.columns = columns
        self.signal = signal
    }

    /// A value per index and per text that tells rows apart, such as the channel: the mean, on how many rows it rests,
    /// and from where to where they reach; over all rows, and once more over those within each condition.
    func values(_ events: ConditionEvents) throws -> [ResultTables.Value] {
        let groups = try groups()
        let content = try Content(table, columns)
        let values = content.values(groups, nil)
        guard !events.isEmpty else { return values }
        let conditions = zip(content.onsets, content.durations).map { events.condition(onset: $0, duration: $1) }
        return Set(conditions.compactMap { $0 }).sorted().reduce(values) { values, condition in
            values
                + content.values(
                    groups.map { ($0.name, $0.rows.filter { conditions[$0] == condition }) }, condition)
        }
    }

    /// The numbers of a table.
    private struct Content {
        let onsets: [Double]
        let durations: [Double]
        private let indexes: [(index: ResultColumns.Index, cells: [Double])]
        private let coverage: [Double]?
        private let quality: [Double]?
        /// Of each row whether it is an artefact; nil where the table does not say.
        private let isArtefact: [Bool]?
        /// The usual distance of two rows in seconds; nil where it cannot be told.
        private let step: Double?

        init(_ table: some ColumnReading, _ columns: ResultColumns) throws {
            let onsets = try table.numbers("onset")
            self.onsets = onsets
            durations = table.has("duration") ? try table.numbers("duration") : onsets.map { _ in 0 }
            indexes = try columns.indexes.map { ($0, try table.numbers($0.name)) }
            coverage = try columns.coverage.map(table.numbers)
            quality = try columns.quality.map(table.numbers)
            isArtefact = table.has(SeriesMeans.mark) ? try table.numbers(SeriesMeans.mark).map { $0 > 0 } : nil
            let steps = zip(onsets.dropFirst(), onsets).map { $0 - $1 }.filter { $0 > 0 }
            step = isArtefact == nil || steps.isEmpty ? nil : Statistics.median(steps)
        }

        /// The means over the rows of each signal.
        /// - Parameter condition: the condition that these rows are a part for; nil: they are the whole table.
        func values(_ groups: [(name: String, rows: [Int])], _ condition: String?) -> [ResultTables.Value] {
            guard let first = groups.compactMap(\.rows.first).min(), let last = groups.compactMap(\.rows.last).max()
            else { return [] }
            let (onset, end) = (onsets[first], onsets[last] + durations[last])
            return groups.filter { !$0.rows.isEmpty }.flatMap { name, rows in
                means(rows, isPart: condition != nil).map { index, mean, count, coverage, quality, share in
                    ResultTables.Value(
                        window: nil, onset: TSV.text(.onset(onset)), duration: TSV.text(.onset(end - onset)),
                        signal: name, index: index, text: SeriesMeans.text(mean),
                        coverage: SeriesMeans.text(coverage), quality: SeriesMeans.text(quality), count: "\(count)",
                        condition: condition, isPart: condition != nil, share: share)
                }
            }
        }

        /// Of each index over some rows; the share is the coverage of those alone that have a value.
        private func means(_ rows: [Int], isPart: Bool) -> [(
            index: ResultColumns.Index, mean: Double?, count: Int, coverage: Double?, quality: Double?, share: Double?
        )] {
            let usable = isArtefact.map { isArtefact in rows.filter { !isArtefact[$0] } } ?? rows
            let covered = self.coverage
            let coverage =
                covered.flatMap { SeriesMeans.mean($0, rows).mean }
                ?? (isArtefact == nil ? nil : share(usable.count, of: rows, isPart: isPart))
            let quality = quality.flatMap { SeriesMeans.mean($0, rows).mean }
            return indexes.map { index, cells in
                let own = index.name == SeriesMeans.mark ? rows : usable
                let (mean, count) = SeriesMeans.mean(cells, own)
                let share = covered.flatMap { SeriesMeans.mean($0, own, where: cells) }
                return (index, mean, count, coverage, quality, share)
            }
        }

        /// The share of the samples that are no artefacts; those that are missing in between count as lost, but not
        /// between the parts of a condition.
        private func share(_ usable: Int, of rows: [Int], isPart: Bool) -> Double? {
            guard let first = rows.first, let last = rows.last else { return nil }
            let steps = isPart ? nil : step.flatMap { Int(exactly: ((onsets[last] - onsets[first]) / $0).rounded()) }
            return Double(usable) / Double(max((steps ?? 0) + 1, rows.count))
        }
    }

    /// The rows of each signal, in the order they first come.
    private func groups() throws -> [(name: String, rows: [Int])] {
        guard !columns.qualifiers.isEmpty else { return [(signal, Array(0..<table.rowCount))] }
        let words = try columns.qualifiers.map(table.words)
        let combinations = Self.combinations(words.map { ($0.rows, $0.texts.count) })
        var places: [String: Int] = [:]
        var groups: [(name: String, rows: [Int])] = []
        // Names are put together once for every combination of words that comes, not row by row.
        var known = [Int?](repeating: nil, count: combinations.count)
        for (row, combination) in combinations.rows.enumerated() {
            if let place = known[combination] {
                groups[place].rows.append(row)
                continue
            }
            let name = ([signal] + words.compactMap { $0.texts[$0.rows[row]] }).joined(separator: ":")
            let place = places[name] ?? groups.count
            (known[combination], places[name]) = (place, place)
            if place == groups.count { groups.append((name, [])) }
            groups[place].rows.append(row)
        }
        return groups
    }

    /// Of each row which combination of words it has, numbered as they come, and how many there are.
    private static func combinations(_ columns: [(rows: [Int], count: Int)]) -> (rows: [Int], count: Int) {
        columns.dropFirst().reduce(columns[0]) { known, column in
            var places: [Int: Int] = [:]
            let rows = zip(known.rows, column.rows).map { first, second in
                let (next, pair) = (places.count, first * column.count + second)
                if let place = places[pair] { return place }
                places[pair] = next
                return next
            }
            return (rows, places.count)
        }
    }

    private static func mean(_ values: [Double], _ rows: [Int]) -> (mean: Double?, count: Int) {
        var (sum, count) = (0.0, 0)
        values.withUnsafeBufferPointer { values in
            for row in rows where values[row].isFinite {
                sum += values[row]
                count += 1
            }
        }
        return (count > 0 ? sum / Double(count) : nil, count)
    }

    /// The mean over those rows that have a value among `others`.
    private static func mean(_ values: [Double], _ rows: [Int], where others: [Double]) -> Double? {
        var (sum, count) = (0.0, 0)
        for row in rows where others[row].isFinite && values[row].isFinite {
            sum += values[row]
            count += 1
        }
        return count > 0 ? sum / Double(count) : nil
    }

    private static func text(_ value: Double?) -> String? { value.map { TSV.text(.number($0)) } }
}
