import Kernels

/// Student's test of a difference.
struct TTest {
    /// The difference, with its 95 % limits.
    let difference: Double, low: Double, high: Double
    let t: Double, degreesOfFreedom: Double, p: Double

    private init(difference: Double, standardError: Double, degreesOfFreedom: Double) {
        let distribution = StudentT(degreesOfFreedom: degreesOfFreedom)
        let half = distribution.quantile(0.975) * standardError
        self.difference = difference
        (low, high) = (difference - half, difference + half)
        t = difference / standardError
        self.degreesOfFreedom = degreesOfFreedom
        p = distribution.twoSidedP(t)
    }

    /// Of the differences of pairs, at least two.
    static func paired(_ differences: [Double]) throws(GroupStatisticsError) -> TTest {
        let n = Double(differences.count)
        let error = Statistics.standardDeviation(differences) / n.squareRoot()
        guard Rounding.hasSpread(differences), error > 0 else { throw .noSpread("differences of pairs") }
        return TTest(difference: Statistics.mean(differences), standardError: error, degreesOfFreedom: n - 1)
    }

    /// Of two groups whose spreads may differ, at least two values each (Welch 1947).
    static func welch(_ first: [Double], _ second: [Double]) throws(GroupStatisticsError) -> TTest {
        let (n, m) = (Double(first.count), Double(second.count))
        let (a, b) = (Statistics.variance(first) / n, Statistics.variance(second) / m)
        guard Rounding.hasSpread(first) || Rounding.hasSpread(second), a + b > 0 else {
            throw .noSpread("values of both groups")
        }
        return TTest(
            difference: Statistics.mean(second) - Statistics.mean(first), standardError: (a + b).squareRoot(),
            degreesOfFreedom: (a + b) * (a + b) / (a * a / (n - 1) + b * b / (m - 1)))
    }
}
