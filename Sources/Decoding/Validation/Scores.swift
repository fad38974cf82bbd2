import Foundation
import Kernels

/// How well values between 0 and 1 tell the high state from the low.
public struct Scores: Hashable, Codable, Sendable {
    /// The chance that a high epoch has a higher value than a low one, ties counting half.
    public var auc: Double
    /// The mean of the shares of low epochs below 0.5 and of high ones above, 0.5 itself counting half.
    public var balancedAccuracy: Double
    /// The mean squared distance from 0 and 1, states counting alike; 0.25 for "always 0.5".
    public var brier: Double
    /// The expected calibration error over ten bins of values, states counting alike. Naeini, Cooper & Hauskrecht 2015.
    public var ece: Double

    /// The scores of these values; not a number without epochs of both states.
    public init(values: [Double], isHigh: [Bool]) {
        let high = values.indices.filter { isHigh[$0] }.map { values[$0] }
        let low = values.indices.filter { !isHigh[$0] }.map { values[$0] }
        auc = Self.auc(low: low, high: high)
        let hits = high.reduce(0) { $0 + Self.share(above: $1) } / Double(high.count)
        let rejections = low.reduce(0) { $0 + 1 - Self.share(above: $1) } / Double(low.count)
        balancedAccuracy = (hits + rejections) / 2
        let highMiss = high.reduce(0) { $0 + (1 - $1) * (1 - $1) } / Double(high.count)
        brier = (highMiss + low.reduce(0) { $0 + $1 * $1 } / Double(low.count)) / 2
        ece = Self.bins(low: low, high: high).reduce(0) { $0 + $1.weight * abs($1.share - $1.value) }
    }

    /// A share from 0 to 1 as per cents.
    public static func percent(_ share: Double) -> String {
        let percent = (share * 100).rounded()
        return Int(exactly: percent).map { "\($0) %" } ?? "\(percent) %"
    }

    private static func share(above value: Double) -> Double { value > 0.5 ? 1 : value == 0.5 ? 0.5 : 0 }

    /// One bin of a reliability diagram.
    public struct Bin: Hashable, Codable, Sendable {
        /// The mean value in the bin.
        public var value: Double
        /// The share of the high state among its epochs, states counting alike.
        public var share: Double
        /// The share of all epochs in it, states counting alike.
        public var weight: Double
    }

    /// Ten bins of equal width, without those that are empty.
    public static func bins(low: [Double], high: [Double]) -> [Bin] {
        var sums = [(value: Double, high: Double, weight: Double)](repeating: (0, 0, 0), count: 10)
        for (values, isHigh) in [(low, false), (high, true)] {
            let weight = 0.5 / Double(values.count)
            for value in values {
                let bin = min(9, max(0, Int(value * 10)))
                sums[bin].value += weight * value
                sums[bin].weight += weight
                if isHigh { sums[bin].high += weight }
            }
        }
        return sums.filter { $0.weight > 0 }.map {
            Bin(value: $0.value / $0.weight, share: $0.high / $0.weight, weight: $0.weight)
        }
    }

    /// The area under the ROC curve by ranks (Mann & Whitney 1947).
    public static func auc(low: [Double], high: [Double]) -> Double {
        guard !low.isEmpty, !high.isEmpty else { return .nan }
        let all = (low.map { ($0, false) } + high.map { ($0, true) }).sorted { $0.0 < $1.0 }
        var (sum, index) = (0.0, 0)
        while index < all.count {
            var end = index
            while end < all.count, all[end].0 == all[index].0 { end += 1 }
            // Equal values share the mean of their ranks.
            let rank = Double(index + end + 1) / 2
            sum += rank * Double(all[index..<end].count { $0.1 })
            index = end
        }
        let count = Double(high.count)
        return (sum - count * (count + 1) / 2) / (count * Double(low.count))
    }
}

/// A 95 % interval.
public struct Interval: Hashable, Codable, Sendable {
    /// Its ends.
    public var lower: Double
    /// Its upper end.
    public var upper: Double
}

/// Values of the epochs of a block, with its state.
struct ScoredBlock {
    var isHigh: Bool
    var values: [Double]
}

extension Scores {
    init(_ blocks: [ScoredBlock]) {
        self.init(
            values: blocks.flatMap(\.values),
            isHigh: blocks.flatMap { block in block.values.map { _ in block.isHigh } })
    }

    /// Percentile intervals over resampled blocks, drawn within each state: epochs of a block are not independent. Efron
    /// 1979. Where all blocks are right, up to half a block, resampling cannot show how many might be wrong: the bound is then that
    /// of the exact binomial interval with the blocks as observations. Clopper & Pearson 1934, Biometrika 26:404.
    static func intervals(_ blocks: [ScoredBlock], rounds: Int = 400) -> (auc: Interval, balancedAccuracy: Interval) {
        var random = RandomSource(seed: 1, "resampled blocks")
        let states = [blocks.filter { !$0.isHigh }, blocks.filter(\.isHigh)]
        var (aucs, accuracies) = ([Double](), [Double]())
        guard states.allSatisfy({ !$0.isEmpty }) else {
            let none = Interval(lower: .nan, upper: .nan)
            return (none, none)
        }
        for _ in 0..<rounds {
            let drawn = states.flatMap { blocks in blocks.map { _ in blocks[random.index(below: blocks.count)] } }
            let scores = Scores(drawn)
            aucs.append(scores.auc)
            accuracies.append(scores.balancedAccuracy)
        }
        let observed = Scores(blocks)
        let count = Double(blocks.count)
        let exact = pow(0.025, 1 / count)
        func interval(_ values: [Double], _ value: Double) -> Interval {
            var interval = Interval(
                lower: Statistics.quantile(values, 0.025), upper: Statistics.quantile(values, 0.975))
            if value >= 1 - 0.5 / count { interval.lower = min(interval.lower, exact) }
            if value <= 0.5 / count { interval.upper = max(interval.upper, 1 - exact) }
            return interval
        }
        return (interval(aucs, observed.auc), interval(accuracies, observed.balancedAccuracy))
    }
}
