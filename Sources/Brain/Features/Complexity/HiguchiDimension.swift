import Kernels

/// Higuchi's fractal dimension. Higuchi 1988.
public enum HiguchiDimension {
    /// Of 1/lag.
    private static let logarithms = (1...LaggedDistances.largest).map { -logarithm(Double($0)) }

    /// The slope of the logarithm of curve lengths at lags 1 … `longest` over the logarithm of 1/lag.
    ///
    /// Not a number for a signal of no more than twice `longest` values, or one that does not change.
    /// - Precondition: a longest lag of 2…64.
    public static func of(_ signal: Span<Float>, longest: Int = 10) -> Double {
        precondition((2...LaggedDistances.largest).contains(longest), "lags to compare")
        let count = signal.count
        guard count > 2 * longest else { return .nan }
        var sums = [Double](repeating: 0, count: longest)
        var (places, lengths) = (sums, sums)
        for lag in 1...longest {
            LaggedDistances.sums(signal, lag: lag, into: &sums)
            let (steps, rest) = (count - 1).quotientAndRemainder(dividingBy: lag)
            var length = 0.0
            for start in 0..<lag { length += sums[start] / Double(start <= rest ? steps : steps - 1) }
            length *= Double(count - 1) / Double(lag * lag * lag)
            guard length > 0, length.isFinite else { return .nan }
            places[lag - 1] = logarithms[lag - 1]
            lengths[lag - 1] = logarithm(length)
        }
        return Statistics.linearFit(x: places, y: lengths).slope
    }
}
