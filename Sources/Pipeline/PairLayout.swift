public import Brain

/// The connectivity of pairs of channels in order of time, all pairs of a window after one another.
public typealias BrainPairs = StoredSeries<PairLayout>

/// How the connectivity of a pair is laid out as numbers.
public struct PairLayout: SeriesLayout {
    /// A pair that can be read no more.
    public var unknown: PairValues.Row {
        PairValues.Row(onset: .nan, duration: .nan, pair: ChannelPair(first: 0, second: 0), epochs: 0, values: [])
    }

    /// How many numbers a pair is.
    public func size(of row: PairValues.Row) -> Int { 5 + row.values.count }

    /// Onset, duration, the channels, how many epochs, and the measures.
    public func numbers(_ row: PairValues.Row, size: Int) -> [Double] {
        [row.onset, row.duration, Double(row.pair.first), Double(row.pair.second), Double(row.epochs)] + row.values
    }

    /// The pair of these numbers.
    public func value(_ numbers: [Double]) -> PairValues.Row? {
        guard numbers.count >= 5 else { return nil }
        return PairValues.Row(
            onset: numbers[0], duration: numbers[1],
            pair: ChannelPair(first: Int(numbers[2]), second: Int(numbers[3])), epochs: Int(numbers[4]),
            values: Array(numbers[5...]))
    }
}
