import Foundation
public import Kernels

/// A linear model whose intercept differs from group to group (from participant to participant): y = Xβ + b[group] + ε
/// with normal b and ε, fitted by restricted maximum likelihood (Bates, Mächler, Bolker & Walker 2015, J Stat Softw
/// 67(1), with one scalar random effect). Degrees of freedom by Satterthwaite's approximation as in lmerTest
/// (Kuznetsova, Brockhoff & Christensen 2017).
public struct RandomInterceptModel: Sendable, Hashable {
    /// What the fit says of one predictor.
    public struct Coefficient: Sendable, Hashable {
        /// The predictor's name.
        public let name: String
        /// The coefficient, its standard error and its 95 % limits.
        public let estimate: Double, standardError: Double, low: Double, high: Double
        /// Student's t, its degrees of freedom and two-sided p.
        public let t: Double, degreesOfFreedom: Double, p: Double
    }

    /// A coefficient per predictor.
    public let coefficients: [Coefficient]
    /// The variance between groups and within them, in squared units of the outcome.
    public let varianceBetween: Double, varianceWithin: Double
    /// −2 times the restricted log-likelihood.
    public let remlCriterion: Double
    /// Observations and groups.
    public let observations: Int, groups: Int

    /// Fits the model.
    /// - Parameters:
    ///   - outcome: finite values, one per observation.
    ///   - predictors: a row per observation, a column per predictor; the intercept is a column of ones.
    ///   - names: a name per column.
    ///   - group: what each observation belongs to, usually the participant.
    /// - Throws: `lengths`, `notFinite`, `tooFew` for fewer than two groups or no more observations than predictors and
    ///   groups need, `dependentPredictors`, `noSpread` when the predictors explain everything, or nearly all measurements
    ///   of a group are the same.
    public init(outcome: [Double], predictors: Matrix, names: [String], group: [String]) throws(GroupStatisticsError) {
        try Self.check(outcome, predictors, names, group)
        var numbers: [String: Int] = [:]
        let groupOf = group.map { label in
            let number = numbers[label] ?? numbers.count
            numbers[label] = number
            return number
        }
        guard numbers.count > 1 else { throw .tooFew("groups", found: numbers.count, needed: 2) }
        guard numbers.count < outcome.count else {
            throw .tooFew("observations", found: outcome.count, needed: numbers.count + 1)
        }
        let sums = try GroupSums(outcome: outcome, predictors: predictors, groupOf: groupOf)
        let search = try VarianceRatioSearch(sums)
        guard search.fit.residualSquares > 1e-20 * outcome.reduce(0, { $0 + $1 * $1 }) else {
            throw .noSpread("what the predictors leave unexplained")
        }
        guard !search.isAtEnd else { throw .noSpread("measurements of the same group") }
        let freedom = Double(outcome.count - predictors.columns)
        varianceWithin = search.fit.residualSquares / freedom
        varianceBetween = search.ratio * varianceWithin
        remlCriterion = search.fit.criterion(degreesOfFreedom: freedom)
        (observations, groups) = (outcome.count, numbers.count)
        let satterthwaite = try Satterthwaite(sums, ratio: search.ratio, variance: varianceWithin)
        coefficients = names.indices.map { index in
            Coefficient(
                name: names[index], estimate: search.fit.coefficients[index],
                variance: search.fit.unscaledCovariance[index, index] * search.fit.residualSquares / freedom,
                degreesOfFreedom: satterthwaite.degreesOfFreedom(of: index))
        }
    }

    private static func check(
        _ outcome: [Double], _ predictors: Matrix, _ names: [String], _ group: [String]
    ) throws(GroupStatisticsError) {
        guard predictors.rows == outcome.count else {
            throw .lengths("rows of predictors", found: predictors.rows, expected: outcome.count)
        }
        guard group.count == outcome.count else {
            throw .lengths("groups of observations", found: group.count, expected: outcome.count)
        }
        guard names.count == predictors.columns else {
            throw .lengths("names of predictors", found: names.count, expected: predictors.columns)
        }
        guard outcome.count > predictors.columns else {
            throw .tooFew("observations", found: outcome.count, needed: predictors.columns + 1)
        }
        guard (outcome + predictors.elements).allSatisfy(\.isFinite) else { throw .notFinite("a mixed model") }
    }
}

extension RandomInterceptModel.Coefficient {
    init(name: String, estimate: Double, variance: Double, degreesOfFreedom: Double) {
        let distribution = StudentT(degreesOfFreedom: degreesOfFreedom)
        let half = distribution.quantile(0.975) * variance.squareRoot()
        self.name = name
        self.estimate = estimate
        standardError = variance.squareRoot()
        (low, high) = (estimate - half, estimate + half)
        t = estimate / variance.squareRoot()
        self.degreesOfFreedom = degreesOfFreedom
        p = distribution.twoSidedP(t)
    }
}
