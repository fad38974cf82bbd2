import Kernels

/// Values that stand apart from the others.
public enum Outliers {
    /// How far each value stands from the median, in robust standard deviations: 0.6745·(x − median) / MAD (Iglewicz &
    /// Hoaglin 1993, who suggest 3.5 as the limit). Not a number for missing values and where more than half of the
    /// values are the same.
    public static func modifiedZ(_ values: [Double]) -> [Double] {
        let present = values.filter(\.isFinite)
        let median = Statistics.median(present)
        let spread = Statistics.medianAbsoluteDeviation(present) * Statistics.normalConsistency
        guard spread > 0 else { return values.map { _ in .nan } }
        return values.map { $0.isFinite ? ($0 - median) / spread : .nan }
    }
}
