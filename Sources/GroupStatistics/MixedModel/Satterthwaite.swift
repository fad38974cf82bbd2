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
        let step = 0.01 * ratio
        var fits: [GroupSumsFit] = []
        for offset in [-2.0, -1, 1, 2] { fits.append(try sums.fit(ratio + offset * step)) }
        func slope(_ value: (GroupSumsFit) -> Double) -> Double {
            (8 * (value(fits[2]) - value(fits[1])) - (value(fits[3]) - value(fits[0]))) / (12 * step)
        }
        func bend(_ value: (GroupSumsFit) -> Double) -> Double {
            let near = value(fits[1]) + value(fits[2])
            let far = value(fits[0]) + value(fits[3])
            return (16 * near - far - 30 * value(here)) / (12 * step * step)
        }
        slopes = (0..<sums.predictors).map { index in slope { $0.unscaledCovariance[index, index] } }
        curvature = (
            bend { $0.logDeterminant + $0.residualSquares / variance },
            -slope(\.residualSquares) / (variance * variance), freedom / (variance * variance)
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
