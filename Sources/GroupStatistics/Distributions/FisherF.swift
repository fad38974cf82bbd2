/// Fisher's F distribution.
public struct FisherF: Sendable, Hashable {
    /// Degrees of freedom of the numerator and the denominator, above 0.
    public let numerator: Double, denominator: Double

    /// The distribution of the ratio of two mean squares.
    public init(numerator: Double, denominator: Double) {
        self.numerator = numerator
        self.denominator = denominator
    }

    /// The probability of a value above `f`. Not a number where `f` is below 0 or none.
    public func upperP(_ f: Double) -> Double {
        guard f >= 0, numerator > 0, denominator > 0 else { return .nan }
        guard f.isFinite else { return 0 }
        let sum = denominator + numerator * f
        return IncompleteBeta.regularized(
            denominator / sum, complement: numerator * f / sum, a: denominator / 2, b: numerator / 2)
    }

    /// The value that `probability` of the values stay below. Not a number outside 0…1.
    public func quantile(_ probability: Double) -> Double {
        guard probability > 0, probability < 1 else { return .nan }
        var (low, high) = (0.0, 1.0)
        while upperP(high) > 1 - probability, high < 1e300 { high *= 2 }
        for _ in 0..<200 where high - low > 1e-15 * high {
            let middle = (low + high) / 2
            if upperP(middle) > 1 - probability { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}
