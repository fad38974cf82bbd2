import Kernels

/// Higuchi's fractal dimension. Higuchi 1988.
public enum HiguchiDimension {
    /// The slope of the logarithm of curve lengths at lags 1 … `longest` over the logarithm of 1/lag.
    ///
    /// Not a number for a signal of no more than twice `longest` values, or one that does not change.
    /// - Precondition: a longest lag of at least 2.
    public static func of(_ signal: Span<Float>, longest: Int = 10) -> Double {
        precondition(longest >= 2, "lags to compare")
        let count = signal.count
        guard count > 2 * longest else { return .nan }
        var places: [Double] = []
        var lengths: [Double] = []
        for lag in 1...longest {
            let sums = LaggedDistances.sums(signal, lag: lag)
            var length = 0.0
            for start in 0..<lag {
                let steps = (count - 1 - start) / lag
                length += sums[start] / Double(steps)
            }
            length *= Double(count - 1) / Double(lag * lag * lag)
            guard length > 0, length.isFinite else { return .nan }
            places.append(-logarithm(Double(lag)))
            lengths.append(logarithm(length))
        }
        return Statistics.linearFit(x: places, y: lengths).slope
    }
}
