import Kernels

/// Chooses models and scores the choosing: within each outer fold's training blocks an inner round of folds compares the
/// candidates, fits the probability map, and only then meets the outer fold (Varma & Simon 2006).
struct NestedValidation {
    let trainer: Trainer
    let folds: BlockFolds
    let candidates: [ModelKind]

    /// AUC by which candidates are taken to be equally good.
    private static let margin = 0.01

    /// A chosen kind with its probability map, and how it did where it was chosen.
    struct Choice {
        var kind: ModelKind
        var map: ProbabilityMap
        var auc: Double
    }

    /// The choice made on `parts` alone: among the candidates whose AUC is within `margin` of the best, the one whose
    /// probabilities are closest to the states. Where all tell the states apart, that still tells them from one another.
    func choose(_ parts: [Int], map: ModelFitting.Map) throws(LinearAlgebraError) -> Choice? {
        var found: [(kind: ModelKind, auc: Double, brier: Double, scores: [Double], isHigh: [Bool])] = []
        for kind in candidates {
            guard let scored = try scored(kind, parts) else { continue }
            let scores = scored.blocks.flatMap(\.values)
            let isHigh = scored.blocks.flatMap { block in block.values.map { _ in block.isHigh } }
            let sigmoid = ProbabilityMap.fitSigmoid(scores, isHigh: isHigh)
            let brier = Scores(values: scores.map(sigmoid.probability), isHigh: isHigh).brier
            found.append((kind, scored.auc, brier, scores, isHigh))
        }
        guard let top = found.map(\.auc).max() else { return nil }
        // Of equals the first is preferred.
        guard let best = found.filter({ $0.auc >= top - Self.margin }).min(by: { $0.brier < $1.brier }) else {
            return nil
        }
        let fitted: ProbabilityMap =
            map == .sigmoid
            ? .fitSigmoid(best.scores, isHigh: best.isHigh) : .fitIsotonic(best.scores, isHigh: best.isHigh)
        return Choice(kind: best.kind, map: fitted, auc: best.auc)
    }

    /// Scores of each fold by a model fitted to the others of `parts`, and their mean AUC within folds.
    private func scored(
        _ kind: ModelKind, _ parts: [Int]
    ) throws(LinearAlgebraError) -> (auc: Double, blocks: [ScoredBlock])? {
        var (aucs, blocks) = ([Double](), [ScoredBlock]())
        for part in parts {
            let training = parts.filter { $0 != part }.flatMap { folds.folds[$0] } + folds.neutral
            guard let scorer = try trainer.fit(kind, training: training) else { return nil }
            let scored = score(scorer, folds.folds[part])
            aucs.append(Scores(scored).auc)
            blocks += scored
        }
        return (Statistics.mean(aucs), blocks)
    }

    func score(_ scorer: Scorer, _ blocks: [Int]) -> [ScoredBlock] {
        blocks.map { index in
            let block = trainer.blocks[index]
            let values = block.features.indices.compactMap {
                scorer.score(
                    features: block.features[$0], covariance: block.covariances.isEmpty ? nil : block.covariances[$0])
            }
            return ScoredBlock(isHigh: block.state == .high, values: values)
        }
    }

    /// Probabilities of every training block by models that never met its fold.
    func validated(map: ModelFitting.Map) throws(LinearAlgebraError) -> [ScoredBlock] {
        var result: [ScoredBlock] = []
        for outer in folds.folds.indices {
            let others = folds.folds.indices.filter { $0 != outer }
            guard let choice = try choose(others, map: map),
                let scorer = try trainer.fit(choice.kind, training: folds.training(without: [outer]) + folds.neutral)
            else { continue }
            result += score(scorer, folds.folds[outer]).map { block in
                ScoredBlock(isHigh: block.isHigh, values: block.values.map(choice.map.probability))
            }
        }
        return result
    }
}
