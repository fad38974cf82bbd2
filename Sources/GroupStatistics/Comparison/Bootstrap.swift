import Foundation
import Kernels

/// Confidence intervals by drawing the sample again and again from itself.
public struct Bootstrap: Sendable, Hashable {
    /// How often the sample is drawn, at least 100.
    public let resamples: Int
    /// The share of intervals that hold the true value, 0…1.
    public let confidence: Double
    /// What the draws start from; the same seed gives the same interval.
    public let seed: UInt64

    /// Draws `resamples` times.
    public init(resamples: Int = 2000, confidence: Double = 0.95, seed: UInt64 = 1) {
        self.resamples = max(100, resamples)
        self.confidence = confidence
        self.seed = seed
    }

    /// The bias-corrected and accelerated interval (Efron 1987) of a statistic of independent groups of values; each
    /// group is drawn from itself. Not a number where the statistic is none for the sample, where more than one draw in a
    /// hundred is expected to have no spread (few values, or most of them the same: what is left of the draws is no
    /// sample of them), or where it is the same in every draw. That chance is reckoned, not counted in the draws: the
    /// same values in another order, or another seed, must not decide whether there is an interval.
    /// - Parameter groups: one or two, none empty.
    public func interval(
        of groups: [[Double]], statistic: ([[Double]]) -> Double
    ) -> (low: Double, high: Double) {
        let observed = statistic(groups)
        guard observed.isFinite, groups.allSatisfy({ $0.count > 1 }) else { return (.nan, .nan) }
        guard Self.chanceOfNoSpread(groups) <= Self.mostUndefined else { return (.nan, .nan) }
        let draws = drawn(groups, statistic).filter(\.isFinite).sorted()
        let below = draws.count { $0 < observed } + draws.count { $0 == observed } / 2
        guard let first = draws.first, let last = draws.last, first < last else { return (.nan, .nan) }
        let share = min(
            max(Double(below) / Double(draws.count), 0.5 / Double(draws.count)),
            1 - 0.5 / Double(draws.count))
        let bias = Normal.quantile(share)
        let acceleration = acceleration(groups, statistic)
        func limit(_ probability: Double) -> Double {
            let z = bias + Normal.quantile(probability)
            let shifted = bias + z / (1 - acceleration * z)
            return Statistics.quantile(draws, Normal.cumulative(shifted))
        }
        return (limit((1 - confidence) / 2), limit((1 + confidence) / 2))
    }

    /// The largest share of draws without spread, for which an effect size is no number.
    private static let mostUndefined = 0.01

    /// How likely a draw repeats a single value in every group: Π over groups of Σ over their values (share of it)^n. That
    /// is 1/n^(n − 1) for n different values, 1 in 64 for four and 1 in 625 for five.
    static func chanceOfNoSpread(_ groups: [[Double]]) -> Double {
        groups.reduce(1) { chance, group in
            let n = Double(group.count)
            let counts = Dictionary(grouping: group, by: { $0 }).mapValues { Double($0.count) }
            // In an order that is the same on every run, as sums are to be.
            return chance * counts.values.sorted().reduce(0) { $0 + pow($1 / n, n) }
        }
    }

    private func drawn(_ groups: [[Double]], _ statistic: ([[Double]]) -> Double) -> [Double] {
        var source = RandomSource(seed: seed, "bootstrap")
        var sample = groups
        return (0..<resamples).map { _ in
            for group in groups.indices {
                for place in groups[group].indices {
                    sample[group][place] = groups[group][source.index(below: groups[group].count)]
                }
            }
            return statistic(sample)
        }
    }

    /// How fast the statistic's standard error changes with it, from the statistic without one value after the other;
    /// groups weigh as in Efron & Tibshirani 1993, eq. 14.36, divided by their sizes.
    private func acceleration(_ groups: [[Double]], _ statistic: ([[Double]]) -> Double) -> Double {
        var (cubes, squares) = (0.0, 0.0)
        for group in groups.indices {
            var without = groups
            let values = groups[group].indices.map { place in
                without[group] = groups[group]
                without[group].remove(at: place)
                return statistic(without)
            }
            let mean = Statistics.mean(values)
            let n = Double(values.count)
            for value in values {
                let influence = (n - 1) * (mean - value)
                cubes += influence * influence * influence / (n * n * n)
                squares += influence * influence / (n * n)
            }
        }
        guard squares > 0, cubes.isFinite else { return 0 }
        return cubes / (6 * squares * squares.squareRoot())
    }
}
