import Foundation
import Kernels

/// Generalised least squares for one ratio of variances.
struct GroupSumsFit {
    let coefficients: [Double]
    /// The coefficients less those of least squares.
    let change: [Double]
    /// (Xᵀ V⁻¹ X)⁻¹, to be multiplied with the variance within groups.
    let unscaledCovariance: Matrix
    /// rᵀ V⁻¹ r.
    let residualSquares: Double
    /// log |V| + log |Xᵀ V⁻¹ X|.
    let logDeterminant: Double

    /// −2 times the restricted log-likelihood, the variance within groups at its best (Bates et al. 2015, eq. 41).
    /// - Parameter degreesOfFreedom: observations less predictors.
    func criterion(degreesOfFreedom: Double) -> Double {
        logDeterminant + degreesOfFreedom * (1 + log(2 * Double.pi * residualSquares / degreesOfFreedom))
    }
}
