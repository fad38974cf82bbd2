import Foundation
import Kernels

/// Turns scores into probabilities.
public enum ProbabilityMap: Hashable, Codable, Sendable {
    /// 1 / (1 + e^−(slope·score + offset)). Platt 1999.
    case sigmoid(slope: Double, offset: Double)
    /// Steps that rise: a probability for scores from each threshold on. Zadrozny & Elkan 2002.
    case isotonic(thresholds: [Double], values: [Double])

    /// The probability of the high state.
    public func probability(_ score: Double) -> Double {
        switch self {
        case .sigmoid(let slope, let offset): return 1 / (1 + exp(-(slope * score + offset)))
        case .isotonic(let thresholds, let values):
            guard let first = values.first else { return 0.5 }
            let place = thresholds.lastIndex { score >= $0 }
            return place.map { values[$0] } ?? first
        }
    }

    /// The sigmoid with the greatest likelihood of those that believe in a small effect at least, states counting alike in sum,
    /// targets drawn in as by Platt.
    public static func fitSigmoid(_ scores: [Double], isHigh: [Bool]) -> ProbabilityMap {
        let high = Double(isHigh.count { $0 })
        let low = Double(isHigh.count) - high
        guard high > 0, low > 0 else { return .sigmoid(slope: 0, offset: 0) }
        let targets = isHigh.map { $0 ? (high + 1) / (high + 2) : 1 / (low + 2) }
        let shares = isHigh.map { 0.5 / ($0 ? high : low) }
        let middle = Statistics.sum(scores.indices.map { shares[$0] * scores[$0] })
        let deviation = Statistics.sum(
            scores.indices.map { shares[$0] * (scores[$0] - middle) * (scores[$0] - middle) }
        ).squareRoot()
        // Scores that are all the same, but for rounding, say nothing.
        guard deviation > 1e-9 * (scores.map(abs).max() ?? 0) else { return .sigmoid(slope: 0, offset: 0) }
        // Where blocks are few, scores of those left out lean against their own state, since the rest was fitted without
        // them: a slope below that of a small effect is no evidence against one.
        let least = smallEffect / deviation
        var (slope, offset) = (0.0, 0.0)
        for _ in 0..<100 {
            var (g0, g1, h00, h01, h11) = (0.0, 0.0, 1e-12, 0.0, 1e-12)
            for index in scores.indices {
                let p = 1 / (1 + exp(-(slope * scores[index] + offset)))
                let (miss, weight) = (shares[index] * (p - targets[index]), shares[index] * p * (1 - p))
                g0 += miss * scores[index]
                g1 += miss
                h00 += weight * scores[index] * scores[index]
                h01 += weight * scores[index]
                h11 += weight
            }
            let determinant = h00 * h11 - h01 * h01
            guard determinant > 0 else { break }
            var steps = ((h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant)
            let size = max(abs(steps.0), abs(steps.1))
            if size > 5 { steps = (steps.0 * 5 / size, steps.1 * 5 / size) }
            slope -= steps.0
            offset -= steps.1
            if size < 1e-9 { break }
        }
        return slope > least
            ? .sigmoid(slope: slope, offset: offset) : .sigmoid(slope: least, offset: -least * middle)
    }

    /// Log-odds per standard deviation of the scores, which for two normal distributions is the distance of their means: d of
    /// 0.2 is called small. Cohen 1988, Statistical Power Analysis, 2.2.3.
    private static let smallEffect = 0.2

    /// The rising steps closest to the states: pooling of adjacent violators (Ayer et al. 1955), states counting alike.
    public static func fitIsotonic(_ scores: [Double], isHigh: [Bool]) -> ProbabilityMap {
        let high = Double(isHigh.count { $0 })
        let low = Double(isHigh.count) - high
        guard high > 0, low > 0 else { return .isotonic(thresholds: [], values: []) }
        var steps: [(threshold: Double, sum: Double, weight: Double)] = []
        for index in scores.indices.sorted(by: { scores[$0] < scores[$1] }) {
            let weight = 1 / (isHigh[index] ? high : low)
            var step = (threshold: scores[index], sum: isHigh[index] ? weight : 0, weight: weight)
            while let last = steps.last, last.sum * step.weight >= step.sum * last.weight {
                step = (last.threshold, last.sum + step.sum, last.weight + step.weight)
                steps.removeLast()
            }
            steps.append(step)
        }
        return .isotonic(thresholds: steps.map(\.threshold), values: steps.map { $0.sum / $0.weight })
    }
}
