import Signals

/// Finds the columns of a table that come at rates of their own, and makes streams of them.
struct DelimitedRates {
    /// Columns of one stream whose values stand in the same rows.
    private struct Group {
        var stream: Int
        var columns: [Int]
        var grid: DelimitedSparse
        var isKept = true
    }

    private var groups: [Group] = []

    /// The columns that begin so.
    init(_ columns: DelimitedColumns, _ dialect: DelimitedDialect) {
        var places: [String: Int] = [:]
        for (stream, described) in columns.streams.enumerated() {
            for column in described.columns where !columns.markers.contains(column) {
                let hasValue = dialect.sample.map { cells in
                    column < cells.count && !DelimitedColumnFinder.isEmpty(cells[column], dialect.mark)
                }
                let stride = DelimitedSparse.stride(of: hasValue)
                guard stride > 1, let phase = hasValue.firstIndex(of: true) else { continue }
                let key = "\(stream) \(stride) \(phase % stride)"
                if let place = places[key] {
                    groups[place].columns.append(column)
                } else {
                    places[key] = groups.count
                    groups.append(Group(stream: stream, columns: [column], grid: DelimitedSparse(stride: stride)))
                }
            }
        }
    }

    /// Keeps those whose values stand there all through the file, run by run.
    mutating func check(_ lines: DelimitedLines, _ dialect: DelimitedDialect, _ runs: [DelimitedTimeline.Run]) throws {
        guard let last = groups.flatMap(\.columns).max() else { return }
        var hasValue = [Bool](repeating: false, count: last + 1)
        for run in runs {
            for place in groups.indices { groups[place].grid.beginRun() }
            for row in 0..<run.rowCount {
                guard groups.contains(where: \.isKept), let line = try lines.next() else { return }
                guard var cells = DelimitedCells(line, delimiter: dialect.delimiter, mark: dialect.mark) else {
                    continue
                }
                for column in 0...last {
                    hasValue[column] =
                        !cells.isAtEnd
                        && DelimitedCells.value(cells.text(), mark: dialect.mark)?.isNaN != true
                }
                for place in groups.indices where groups[place].isKept {
                    groups[place].isKept = groups[place].grid.fits(
                        row, hasValue: groups[place].columns.contains { hasValue[$0] })
                }
            }
        }
    }

    /// Makes streams of those that were kept.
    func apply(to columns: inout DelimitedColumns, _ finder: DelimitedColumnFinder) {
        let kept = groups.filter(\.isKept)
        for group in kept {
            let stream = columns.streams[group.stream]
            let places = stream.columns.indices.filter { group.columns.contains(stream.columns[$0]) }
            columns.streams.append(
                DelimitedColumns.Stream(
                    kind: stream.kind, channels: places.map { stream.channels[$0] },
                    columns: places.map { stream.columns[$0] }, stride: group.grid.stride))
            let names = group.columns.map { "\"\(finder.name($0))\"" }.joined(separator: ", ")
            let stride = group.grid.stride
            columns.notes.append(
                "a value stands in one of \(stride) rows of \(names): the rate is that of the rows divided by \(stride)"
            )
        }
        let taken = Set(kept.flatMap(\.columns))
        for place in columns.streams.indices where columns.streams[place].stride == 1 {
            let stream = columns.streams[place]
            let rest = stream.columns.indices.filter { !taken.contains(stream.columns[$0]) }
            columns.streams[place].channels = rest.map { stream.channels[$0] }
            columns.streams[place].columns = rest.map { stream.columns[$0] }
        }
        columns.streams.removeAll(where: \.columns.isEmpty)
    }
}
