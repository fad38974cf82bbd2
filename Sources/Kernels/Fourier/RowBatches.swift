/// How many groups of rows are transformed together.
public enum RowBatches {
    /// The fewest groups of `rows` rows each that fill the lanes of a transform of floats without a rest, as long as these
    /// are few; one where a group alone fills several times as many.
    public static func cheapest(_ rows: Int) -> Int {
        guard rows > 0, rows < 4 * Float8.width else { return 1 }
        var groups = 1
        while groups * rows % Float8.width != 0 { groups *= 2 }
        return groups
    }
}
