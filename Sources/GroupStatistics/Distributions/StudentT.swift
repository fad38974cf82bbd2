import Foundation

/// Student's t distribution.
public struct StudentT: Sendable, Hashable {
    /// Degrees of freedom, above 0; need not be whole.
    public let degreesOfFreedom: Double

    /// The distribution with `degreesOfFreedom`, above 0.
    public init(degreesOfFreedom: Double) {
        self.degreesOfFreedom = degreesOfFreedom
    }

    /// The probability of a value at least as far from 0 as `t`, on both sides. Not a number where `t` or the degrees
    /// of freedom are none.
    public func twoSidedP(_ t: Double) -> Double {
        guard !t.isNaN, degreesOfFreedom > 0 else { return .nan }
        guard t.isFinite else { return 0 }
        let n = degreesOfFreedom
        let square = t * t
        return IncompleteBeta.regularized(n / (n + square), complement: square / (n + square), a: n / 2, b: 0.5)
    }

    /// The value that `probability` of the values stay below. Not a number outside 0…1.
    public func quantile(_ probability: Double) -> Double {
        guard probability > 0, probability < 1, degreesOfFreedom > 0 else { return .nan }
        guard probability != 0.5 else { return 0 }
        let tail = 2 * min(probability, 1 - probability)
        var (low, high) = (0.0, 1.0)
        while twoSidedP(high) > tail, high < 1e300 { high *= 2 }
        for _ in 0..<200 where high - low > 1e-15 * high {
            let middle = (low + high) / 2
            if twoSidedP(middle) > tail { low = middle } else { high = middle }
        }
        return probability > 0.5 ? (low + high) / 2 : -(low + high) / 2
    }
}
