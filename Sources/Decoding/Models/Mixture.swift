import Foundation
import Kernels

/// How much each kind of classifier is believed: by how likely it made blocks that it was not fitted to.
///
/// A weight is proportional to the likelihood of the blocks, each counting as one observation since its epochs are alike
/// (pseudo-Bayesian model averaging; Geisser & Eddy 1979, Journal of the American Statistical Association 74:153; Yao et
/// al. 2018, Bayesian Analysis 13:917). Where blocks are few, kinds that do alike share the say, and nothing hangs on which
/// of them happened to do best.
struct Mixture {
    /// A kind's part.
    struct Share {
        var member: Scorer.Member
        /// With `offset`, the sigmoid that turns its score into log-odds.
        var slope: Double
        var offset: Double
    }

    /// A kind with its scores of blocks that it was not fitted to.
    struct Candidate {
        var kind: ModelKind
        var blocks: [ScoredBlock]
    }

    /// The weightiest first.
    let shares: [Share]
    /// How the mixed score becomes a probability.
    let map: ProbabilityMap

    /// Weights below have no say.
    private static let leastWeight = 0.01

    /// The mixture of candidates that scored the same blocks; nil without any.
    init?(_ candidates: [Candidate], map: ModelFitting.Map) {
        guard let blocks = candidates.first?.blocks else { return nil }
        let isHigh = blocks.flatMap { block in block.values.map { _ in block.isHigh } }
        let sigmoids = candidates.map { Self.sigmoid($0.blocks.flatMap(\.values), isHigh) }
        let losses = zip(candidates, sigmoids).map { Self.loss($0.blocks, $1) * Double(blocks.count) }
        let least = losses.min() ?? 0
        let likelihoods = losses.map { exp(least - $0) }
        let sum = Statistics.sum(likelihoods)
        let kept = candidates.indices.filter { likelihoods[$0] >= Self.leastWeight * sum }
        let total = Statistics.sum(kept.map { likelihoods[$0] })
        guard total > 0 else { return nil }
        let shares = kept.map { index in
            Share(
                member: Scorer.Member(kind: candidates[index].kind, weight: likelihoods[index] / total),
                slope: sigmoids[index].slope, offset: sigmoids[index].offset)
        }
        // Of equals the first stays first.
        let order = shares.indices.sorted {
            (-shares[$0].member.weight, $0) < (-shares[$1].member.weight, $1)
        }
        self.shares = order.map { shares[$0] }
        let mixed = Self.mixed(zip(kept, shares).map { (candidates[$0].blocks.flatMap(\.values), $1) })
        self.map = map == .sigmoid ? .fitSigmoid(mixed, isHigh: isHigh) : .fitIsotonic(mixed, isHigh: isHigh)
    }

    private static func sigmoid(_ scores: [Double], _ isHigh: [Bool]) -> (slope: Double, offset: Double) {
        guard case .sigmoid(let slope, let offset) = ProbabilityMap.fitSigmoid(scores, isHigh: isHigh) else {
            return (0, 0)
        }
        return (slope, offset)
    }

    /// The logarithmic loss per epoch, the mean over blocks, states counting alike.
    private static func loss(_ blocks: [ScoredBlock], _ sigmoid: (slope: Double, offset: Double)) -> Double {
        let map = ProbabilityMap.sigmoid(slope: sigmoid.slope, offset: sigmoid.offset)
        func mean(_ isHigh: Bool) -> Double {
            Statistics.mean(
                blocks.filter { $0.isHigh == isHigh && !$0.values.isEmpty }.map { block in
                    Statistics.mean(
                        block.values.map { value in
                            let p = min(max(map.probability(value), 1e-6), 1 - 1e-6)
                            return -log(isHigh ? p : 1 - p)
                        })
                })
        }
        return (mean(false) + mean(true)) / 2
    }

    private static func mixed(_ parts: [(scores: [Double], share: Share)]) -> [Double] {
        var sums = [Double](repeating: 0, count: parts.first?.scores.count ?? 0)
        for part in parts {
            for index in sums.indices {
                sums[index] += part.share.member.weight * (part.share.slope * part.scores[index] + part.share.offset)
            }
        }
        return sums
    }
}
