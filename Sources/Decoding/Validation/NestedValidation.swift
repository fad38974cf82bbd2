import Kernels

/// Chooses models and scores the choosing: within each outer fold's training blocks an inner round of folds compares the
/// candidates, fits the probability map, and only then meets the outer fold (Varma & Simon 2006).
struct NestedValidation {
    let trainer: Trainer
    let folds: BlockFolds
    let candidates: [ModelKind]

    /// A candidate that is not better by so much AUC does not displace one that is preferred.
    private static let margin = 0.01

    /// A chosen kind with its probability map, and how it did where it was chosen.
    struct Choice {
        var kind: ModelKind
        var map: ProbabilityMap
        var auc: Double
    }

    /// The choice made on `folds` alone.
    func choose(_ parts: [Int], map: ModelFitting.Map) throws(LinearAlgebraError) -> Choice? {
        var best: (kind: ModelKind, auc: Double, blocks: [ScoredBlock])?
        for kind in candidates {
            guard let found = try scored(kind, parts) else { continue }
            if best.map({ found.auc > $0.auc + Self.margin }) ?? true { best = (kind, found.auc, found.blocks) }
        }
        guard let best else { return nil }
        let scores = best.blocks.flatMap(\.values)
        let isHigh = best.blocks.flatMap { block in block.values.map { _ in block.isHigh } }
        let fitted: ProbabilityMap =
            map == .sigmoid
            ? .fitSigmoid(scores, isHigh: isHigh) : .fitIsotonic(scores, isHigh: isHigh)
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
