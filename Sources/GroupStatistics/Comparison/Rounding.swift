/// What arithmetic leaves of values that are the same.
enum Rounding {
    /// How far two values that are the same may lie apart, relative to the numbers they were reckoned from: means over
    /// thousands of windows differ by less, measurements by far more.
    static let relative = 1e-12

    /// The values with those that differ by rounding alone made equal to the smallest of them.
    /// - Parameters:
    ///   - values: finite, not negative where `isZeroKnown`.
    ///   - scales: the largest number that each was reckoned from.
    ///   - isZeroKnown: whether what differs from 0 by rounding alone is 0.
    static func settled(_ values: [Double], scales: [Double], isZeroKnown: Bool = false) -> [Double] {
        let order = values.indices.sorted { values[$0] < values[$1] }
        guard let first = order.first else { return [] }
        var settled = values
        var (known, scale) = isZeroKnown ? (0, 0) : (values[first], scales[first])
        for place in order {
            if values[place] - known > relative * max(scales[place], scale) {
                (known, scale) = (values[place], scales[place])
            }
            settled[place] = known
        }
        return settled
    }

    /// The second values less the first, where differences that rounding alone tells apart, or from 0, are the same;
    /// their signs do not matter for that.
    static func differences(_ first: [Double], _ second: [Double]) -> [Double] {
        let differences = zip(second, first).map { $0 - $1 }
        let scales = zip(first, second).map { max(abs($0), abs($1)) }
        let magnitudes = settled(differences.map(abs), scales: scales, isZeroKnown: true)
        return zip(differences, magnitudes).map { $0 < 0 ? -$1 : $1 }
    }

    /// Whether any two values differ.
    static func hasSpread(_ values: [Double]) -> Bool { values.contains { $0 != values[0] } }
}
