import Kernels

/// Degrees of freedom of a coefficient's t: 2·f² / (gᵀ A g), where f is the coefficient's variance, g its gradient by
/// the variance parameters and A their covariance (Satterthwaite 1946; Kuznetsova et al. 2017, eq. 7). The parameters
/// are the ratio λ and the variance σ² within groups.
struct Satterthwaite {
    private let variances: [Double]
    private let slopes: [Double]
    private let varianceWithin: Double
    private let curvature: (ratio: Double, both: Double, variance: Double)
    private let residualFreedom: Double
    /// At the edge λ = 0 the model is the one of least squares.
    private let isAtEdge: Bool

    init(_ sums: GroupSums, ratio: Double, variance: Double) throws(GroupStatisticsError) {
        let freedom = Double(sums.count - sums.predictors)
        residualFreedom = freedom
        varianceWithin = variance
        isAtEdge = ratio < 1e-6
        let here = try sums.fit(ratio)
        variances = (0..<sums.predictors).map { here.unscaledCovariance[$0, $0] }
        guard !isAtEdge else {
            slopes = []
            curvature = (0, 0, 0)
            return
        }
        let change = try GroupSumsSlopes(sums, ratio: ratio, fit: here)
        slopes = change.variances
        curvature = (
            change.bendOfLogDeterminant + change.residualSquares.second / variance,
            -change.residualSquares.first / (variance * variance), freedom / (variance * variance)
        )
    }

    /// Of the predictor `index`.
    func degreesOfFreedom(of index: Int) -> Double {
        let determinant = curvature.ratio * curvature.variance - curvature.both * curvature.both
        guard !isAtEdge, determinant > 0 else { return residualFreedom }
        let f = varianceWithin * variances[index]
        let (byRatio, byVariance) = (varianceWithin * slopes[index], variances[index])
        // A is twice the inverse of the criterion's second derivatives
        let spread =
            2
            * (curvature.variance * byRatio * byRatio - 2 * curvature.both * byRatio * byVariance
                + curvature.ratio * byVariance * byVariance) / determinant
        return 2 * f * f / spread
    }
}
