import Kernels

/// Weighs models and scores the weighing: within each outer fold's training blocks an inner round of folds weighs the
/// candidates, fits the probability map, and only then meets the outer fold (Varma & Simon 2006).
struct NestedValidation {
    let trainer: Trainer
    let folds: BlockFolds
    let candidates: [ModelKind]

    /// The candidates weighed on `parts` alone, each of which is scored by models fitted to the others; nil where none can be
    /// fitted.
    func weigh(_ parts: [Int], map: ModelFitting.Map) throws(LinearAlgebraError) -> Mixture? {
        var found = candidates.map { Mixture.Candidate(kind: $0, blocks: []) }
        for part in parts {
            let others = parts.filter { $0 != part }.flatMap { folds.folds[$0] }
            let rows = trainer.training(others + folds.neutral)
            for index in found.indices.reversed() {
                if let scorer = try trainer.fit(found[index].kind, rows) {
                    found[index].blocks += score(scorer, folds.folds[part])
                } else {
                    found.remove(at: index)
                }
            }
        }
        return Mixture(found, map: map)
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
                let scorer = try trainer.fit(
                    mixture, trainer.training(folds.training(without: [outer]) + folds.neutral))
            else { continue }
            result += score(scorer, folds.folds[outer]).map { block in
                ScoredBlock(isHigh: block.isHigh, values: block.values.map(mixture.map.probability))
            }
        }
        return result
    }
}
