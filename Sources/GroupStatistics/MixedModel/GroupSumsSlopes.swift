import Kernels

/// How a fit changes with the ratio λ of variances, in closed form: differences of fits at two ratios lose all digits
/// where λ is tiny.
///
/// For a group of n observations whose rows add up to s, Xᵀ V⁻¹ X is without λ / (1 + λn) · s sᵀ, so all derivatives
/// are sums over groups, weighted with 1 / (1 + λn)² and −2n / (1 + λn)³ (as Lindstrom & Bates 1988, J Am Stat Assoc
/// 83:1014, for models of any random effects).
struct GroupSumsSlopes {
    /// The first derivatives of (Xᵀ V⁻¹ X)⁻¹, in its diagonal.
    let variances: [Double]
    /// The first and the second derivative of rᵀ V⁻¹ r.
    let residualSquares: (first: Double, second: Double)
    /// The second derivative of log |V| + log |Xᵀ V⁻¹ X|.
    let bendOfLogDeterminant: Double

    /// - Parameter fit: the fit of `sums` at `ratio`.
    init(_ sums: GroupSums, ratio: Double, fit: GroupSumsFit) throws(GroupStatisticsError) {
        let size = sums.predictors
        // Derivatives of Xᵀ V⁻¹ X, and the slope of the normal equations at the coefficients there.
        var (first, second) = (Matrix(rows: size, columns: size), Matrix(rows: size, columns: size))
        var pull = [Double](repeating: 0, count: size)
        var (slopeOfSquares, bendOfSquares, bendOfVolume) = (0.0, 0.0, 0.0)
        for group in sums.groups where group.count > 0 {
            let share = 1 / (1 + ratio * group.count)
            let (slope, bend) = (share * share, -2 * group.count * share * share * share)
            let left = zip(group.predictors, fit.change).reduce(group.residual) { $0 - $1.0 * $1.1 }
            slopeOfSquares -= slope * left * left
            bendOfSquares -= bend * left * left
            bendOfVolume -= group.count * group.count * slope
            for row in 0..<size {
                pull[row] += slope * left * group.predictors[row]
                for column in 0..<size {
                    let product = group.predictors[row] * group.predictors[column]
                    first[row, column] -= slope * product
                    second[row, column] -= bend * product
                }
            }
        }
        do {
            let covariance = fit.unscaledCovariance
            let turned = try covariance.multiplied(by: first)
            let changes = try turned.multiplied(by: covariance)
            let bent = try covariance.multiplied(by: second)
            let squared = try turned.multiplied(by: turned)
            let moved = try covariance.multiplied(by: pull)
            variances = (0..<size).map { -changes[$0, $0] }
            residualSquares = (slopeOfSquares, bendOfSquares - 2 * zip(pull, moved).reduce(0) { $0 + $1.0 * $1.1 })
            bendOfLogDeterminant = (0..<size).reduce(bendOfVolume) { $0 + bent[$1, $1] - squared[$1, $1] }
        } catch { throw .dependentPredictors }
    }
}
