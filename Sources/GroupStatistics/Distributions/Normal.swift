import Foundation

/// The standard normal distribution.
public enum Normal {
    /// The probability of a value below `z`.
    public static func cumulative(_ z: Double) -> Double { erfc(-z / 2.0.squareRoot()) / 2 }

    /// The probability of a value at least as far from 0 as `z`, on both sides.
    public static func twoSidedP(_ z: Double) -> Double { erfc(abs(z) / 2.0.squareRoot()) }

    /// The value that `probability` of the values stay below. Not a number outside 0…1.
    public static func quantile(_ probability: Double) -> Double {
        guard probability >= 0, probability <= 1 else { return .nan }
        guard probability > 0 else { return -.infinity }
        guard probability < 1 else { return .infinity }
        guard probability != 0.5 else { return 0 }
        let tail = min(probability, 1 - probability)
        var (low, high) = (0.0, 40.0)
        for _ in 0..<200 where high - low > 1e-15 * high {
            let middle = (low + high) / 2
            if erfc(middle / 2.0.squareRoot()) / 2 > tail { low = middle } else { high = middle }
        }
        return probability > 0.5 ? (low + high) / 2 : -(low + high) / 2
    }
}
