import Foundation
import Kernels

/// Differences in units of a standard deviation.
public enum EffectSize {
    /// The mean of the differences by their deviation, d_z (Lakens 2013, eq. 6). Not a number without spread.
    public static func dz(_ differences: [Double]) -> Double {
        let deviation = Statistics.standardDeviation(differences)
        return Rounding.hasSpread(differences) && deviation > 0 ? Statistics.mean(differences) / deviation : .nan
    }

    /// The difference of means, `second` less `first`, by the pooled deviation of both, d_s (Lakens 2013, eq. 1).
    public static func ds(_ first: [Double], _ second: [Double]) -> Double {
        let (n, m) = (Double(first.count), Double(second.count))
        let pooled = ((n - 1) * Statistics.variance(first) + (m - 1) * Statistics.variance(second)) / (n + m - 2)
        let hasSpread = Rounding.hasSpread(first) || Rounding.hasSpread(second)
        return hasSpread && pooled > 0 ? (Statistics.mean(second) - Statistics.mean(first)) / pooled.squareRoot() : .nan
    }

    /// What takes the bias of small samples from d: J = Γ(ν/2) / (√(ν/2)·Γ((ν − 1)/2)) (Hedges 1981, eq. 6e).
    /// - Parameter degreesOfFreedom: above 1.
    public static func hedgesCorrection(degreesOfFreedom: Double) -> Double {
        guard degreesOfFreedom > 1 else { return .nan }
        let half = degreesOfFreedom / 2
        return exp(lgamma(half) - lgamma(half - 0.5)) / half.squareRoot()
    }
}
