import Kernels

/// Weighs models and scores the weighing: within each outer fold's training blocks an inner round of folds weighs the
/// candidates, fits the probability map, and only then meets the outer fold (Varma & Simon 2006).
struct NestedValidation {
    let trainer: Trainer
    let folds: BlockFolds
    let candidates: [ModelKind]

    /// The candidates weighed on `parts` alone; nil where none can be fitted.
    func weigh(_ parts: [Int], map: ModelFitting.Map) throws(LinearAlgebraError) -> Mixture? {
        var found: [Mixture.Candidate] = []
        for kind in candidates {
            guard let blocks = try scored(kind, parts) else { continue }
            found.append(Mixture.Candidate(kind: kind, blocks: blocks))
        }
        return Mixture(found, map: map)
    }

    /// Scores of each fold by a model fitted to the others of `parts`.
    private func scored(_ kind: ModelKind, _ parts: [Int]) throws(LinearAlgebraError) -> [ScoredBlock]? {
        var blocks: [ScoredBlock] = []
        for part in parts {
            let training = parts.filter { $0 != part }.flatMap { folds.folds[$0] } + folds.neutral
            guard let scorer = try trainer.fit(kind, training: training) else { return nil }
            blocks += score(scorer, folds.folds[part])
        }
        return blocks
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
            guard let mixture = try weigh(others, map: map),
                let scorer = try trainer.fit(mixture, training: folds.training(without: [outer]) + folds.neutral)
            else { continue }
            result += score(scorer, folds.folds[outer]).map { block in
                ScoredBlock(isHigh: block.isHigh, values: block.values.map(mixture.map.probability))
            }
        }
        return result
    }
}
