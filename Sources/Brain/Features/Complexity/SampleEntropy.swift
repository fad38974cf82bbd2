import Kernels

/// How seldom patterns that match go on matching. Richman & Moorman 2000.
public enum SampleEntropy {
    /// −ln of the share of pairs of patterns of `dimension` values within `tolerance` standard deviations of one another
    /// whose next values are so as well.
    ///
    /// Not a number where no patterns match, or none goes on to.
    /// - Precondition: a dimension of 1…5.
    public static func of(
        _ signal: Span<Float>, deviation: Double, dimension: Int = 2, tolerance: Double = 0.2
    ) -> Double {
        guard deviation > 0, deviation.isFinite else { return .nan }
        let counts = TemplateCounts(signal, dimension: dimension, tolerance: Float(deviation * tolerance))
        return counts.long > 0 ? -logarithm(Double(counts.long) / Double(counts.short)) : .nan
    }
}
