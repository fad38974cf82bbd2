import Kernels

/// Values that stand apart from the others.
public enum Outliers {
    /// How far each value stands from the median, in robust standard deviations: 0.6745·(x − median) / MAD (Iglewicz &
    /// Hoaglin 1993, who suggest 3.5 as the limit). Not a number for missing values and, without a least spread, where
    /// more than half of the values are the same.
    /// - Parameter leastSpread: the robust standard deviation that is reckoned with at least, in the unit of the values:
    ///   differences far below it do not matter however alike the values are.
    public static func modifiedZ(_ values: [Double], leastSpread: Double = 0) -> [Double] {
        let present = values.filter(\.isFinite)
        let median = Statistics.median(present)
        let spread = max(leastSpread, Statistics.medianAbsoluteDeviation(present) * Statistics.normalConsistency)
        guard spread > 0 else { return values.map { _ in .nan } }
        return values.map { $0.isFinite ? ($0 - median) / spread : .nan }
    }
}
