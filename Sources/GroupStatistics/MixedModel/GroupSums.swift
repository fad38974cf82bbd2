import Foundation
import Kernels

/// Predictors and outcome of a random-intercept model, summed up so that the fit for a variance ratio λ costs as much as
/// there are groups, not observations. The outcome is kept as what least squares leave of it, which spares digits.
struct GroupSums {
    /// Observations and predictors.
    let count: Int, predictors: Int
    /// Least squares' coefficients, which the fit's are counted from.
    let start: [Double]
    private let squares: Matrix
    private let products: [Double]
    private let residualSquares: Double
    /// Of each group its observations, and the sums of its predictors and of what least squares leave.
    let groups: [(count: Double, predictors: [Double], residual: Double)]

    /// - Parameters:
    ///   - outcome: a value per observation.
    ///   - predictors: a row per observation.
    ///   - groupOf: the group of each observation, 0…
    init(outcome: [Double], predictors x: Matrix, groupOf: [Int]) throws(GroupStatisticsError) {
        do {
            start = try x.leastSquares(outcome)
            squares = try x.gram()
            let residual = zip(outcome, try x.multiplied(by: start)).map { $0 - $1 }
            products = try x.transposed.multiplied(by: residual)
            residualSquares = residual.reduce(0) { $0 + $1 * $1 }
            var sums = [(count: Double, predictors: [Double], residual: Double)](
                repeating: (0, Array(repeating: 0, count: x.columns), 0), count: (groupOf.max() ?? -1) + 1)
            for (row, group) in groupOf.enumerated() {
                sums[group].count += 1
                sums[group].residual += residual[row]
                for column in 0..<x.columns { sums[group].predictors[column] += x[row, column] }
            }
            groups = sums
        } catch { throw .dependentPredictors }
        (count, self.predictors) = (x.rows, x.columns)
    }

    /// The generalised least squares fit for the ratio λ of the variance between groups to the one within.
    func fit(_ ratio: Double) throws(GroupStatisticsError) -> GroupSumsFit {
        var (weighted, right, squaresLeft, logDeterminant) = (squares, products, residualSquares, 0.0)
        for group in groups where group.count > 0 {
            let weight = ratio / (1 + ratio * group.count)
            logDeterminant += log(1 + ratio * group.count)
            squaresLeft -= weight * group.residual * group.residual
            for row in 0..<predictors {
                right[row] -= weight * group.predictors[row] * group.residual
                for column in 0..<predictors {
                    weighted[row, column] -= weight * group.predictors[row] * group.predictors[column]
                }
            }
        }
        do {
            let change = try weighted.choleskySolve(right)
            let covariance = try weighted.choleskySolve(Matrix.identity(predictors))
            let values = try weighted.symmetricEigen().values
            return GroupSumsFit(
                coefficients: zip(start, change).map { $0 + $1 }, change: change, unscaledCovariance: covariance,
                residualSquares: max(0, squaresLeft - zip(change, right).reduce(0) { $0 + $1.0 * $1.1 }),
                logDeterminant: logDeterminant + values.reduce(0) { $0 + log($1) })
        } catch { throw .dependentPredictors }
    }
}
