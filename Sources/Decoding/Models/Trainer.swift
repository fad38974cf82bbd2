import Kernels

/// Training data with their tangent vectors worked out once, so that folds and candidates share them.
struct Trainer {
    let blocks: [Examples]
    let tangent: TangentSpace?
    /// Per block.
    let vectors: [[[Double]]]
    /// Which features are powers of bands.
    let powers: [Int]

    /// - Parameters:
    ///   - reference: the blocks the tangent space's reference is taken from; their states are not looked at.
    ///   - powers: which features are powers of bands.
    init(_ blocks: [Examples], reference: [Examples], powers: [Int]) {
        (self.blocks, self.powers) = (blocks, powers)
        let covariances = reference.flatMap(\.covariances)
        guard blocks.allSatisfy({ $0.covariances.count == $0.count }), !covariances.isEmpty,
            let mean = try? TangentSpace.mean(covariances), let space = try? TangentSpace(reference: mean)
        else {
            (tangent, vectors) = (nil, [])
            return
        }
        let found = blocks.map { block in block.covariances.compactMap { try? space.vector($0) } }
        let isWhole = zip(found, blocks).allSatisfy { $0.count == $1.count }
        (tangent, vectors) = isWhole ? (space, found) : (nil, [])
    }

    /// The scorer of a mixture, all its members fitted to the blocks at `training`; nil where one cannot be.
    func fit(_ mixture: Mixture, training: [Int]) throws(LinearAlgebraError) -> Scorer? {
        var parts: [(Scorer, Mixture.Share)] = []
        for share in mixture.shares {
            guard let scorer = try fit(share.member.kind, training: training) else { return nil }
            parts.append((scorer, share))
        }
        return Scorer.mixed(parts)
    }

    /// The scorer of one kind fitted to the blocks at `training`.
    func fit(_ kind: ModelKind, training: [Int]) throws(LinearAlgebraError) -> Scorer? {
        var plain: (Standardisation, LinearClassifier)?
        if kind.usesFeatures {
            plain = try fit(kind, rows: training.map { (blocks[$0].state, blocks[$0].features) })
        }
        let members = [Scorer.Member(kind: kind, weight: 1)]
        guard kind.usesCovariance else {
            return Scorer(
                members: members, standardisation: plain?.0, classifier: plain?.1, tangent: nil,
                tangentStandardisation: nil,
                tangentClassifier: nil)
        }
        guard let tangent else { return nil }
        let curved = try fit(kind, rows: training.map { (blocks[$0].state, vectors[$0]) })
        return Scorer(
            members: members, standardisation: plain?.0, classifier: plain?.1, tangent: tangent,
            tangentStandardisation: curved.0, tangentClassifier: curved.1)
    }

    /// The baseline is the neutral blocks, or all where there are none.
    private func fit(
        _ kind: ModelKind, rows: [(state: DecodedState, rows: [[Double]])]
    ) throws(LinearAlgebraError) -> (Standardisation, LinearClassifier) {
        let neutral = rows.filter { $0.state == .neutral }.flatMap(\.rows)
        let standardisation = Standardisation(neutral.isEmpty ? rows.flatMap(\.rows) : neutral)
        func standardised(_ state: DecodedState) -> [[Double]] {
            rows.filter { $0.state == state }.flatMap(\.rows).map(standardisation.applied)
        }
        let (low, high) = (standardised(.low), standardised(.high))
        switch kind {
        case .discriminant: return (standardisation, try ShrinkageLDA.fit(low: low, high: high))
        case .powerDiscriminant:
            func picked(_ rows: [[Double]]) -> [[Double]] { rows.map { row in powers.map { row[$0] } } }
            let few = try ShrinkageLDA.fit(low: picked(low), high: picked(high))
            return (standardisation, few.spread(over: powers, of: standardisation.centres.count))
        case .logistic(let penalty), .tangentLogistic(let penalty):
            return (standardisation, try RidgeLogistic.fit(low: low, high: high, penalty: penalty))
        case .combined:
            let classifier = try ShrinkageLDA.fit(low: low, high: high)
            return (standardisation, Self.scaled(classifier, rows: low + high))
        }
    }

    /// Scores with a standard deviation of 1/2 over the rows, so that the sum of two classifiers is the mean of their
    /// standardised scores.
    private static func scaled(_ classifier: LinearClassifier, rows: [[Double]]) -> LinearClassifier {
        let deviation = Statistics.standardDeviation(rows.map(classifier.score))
        guard deviation > 0, deviation.isFinite else { return classifier }
        return classifier.scaled(by: 0.5 / deviation)
    }
}
