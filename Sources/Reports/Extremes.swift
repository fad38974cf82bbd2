/// Thins a long series for drawing: per column of the picture the lowest and the highest point survive.
enum Extremes {
    /// Indices, in order, of the points to draw: all where there are no more than two per column, else the first, the
    /// lowest, the highest and the last of every column. Points that are not finite are left out.
    /// - Parameters:
    ///   - columns: how many columns `lower`…`upper` is cut into.
    ///   - position: the place of a point along the axis, not falling.
    static func indices(
        count: Int, columns: Int, lower: Double, upper: Double, position: (Int) -> Double, value: (Int) -> Double
    ) -> [Int] {
        guard count > 2 * columns, upper > lower else {
            return (0..<count).filter { value($0).isFinite && position($0).isFinite }
        }
        var kept: [Int] = []
        var column = Int.min
        var found = Column()
        for index in 0..<count {
            let height = value(index)
            let share = (position(index) - lower) / (upper - lower)
            guard height.isFinite, share.isFinite else { continue }
            let place = Int(min(max(share, -1), 2) * Double(columns))
            if place != column {
                found.append(to: &kept)
                found = Column(first: index, lowest: index, highest: index, last: index)
                column = place
            } else {
                if height < value(found.lowest) { found.lowest = index }
                if height > value(found.highest) { found.highest = index }
                found.last = index
            }
        }
        found.append(to: &kept)
        return kept
    }

    private struct Column {
        var first = -1
        var lowest = -1
        var highest = -1
        var last = -1

        func append(to kept: inout [Int]) {
            guard first >= 0 else { return }
            let inner = lowest < highest ? [lowest, highest] : [highest, lowest]
            for index in [first] + inner + [last] where kept.last.map({ $0 < index }) ?? true { kept.append(index) }
        }
    }
}
