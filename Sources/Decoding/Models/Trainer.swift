import Kernels

/// Training data with their tangent vectors worked out once, so that folds and candidates share them.
struct Trainer {
    let blocks: [Examples]
    let tangent: TangentSpace?
    /// Per block.
    let vectors: [[[Double]]]
    private let layout: FeatureLayout

    /// - Parameters:
    ///   - reference: the blocks the tangent space's reference is taken from; their states are not looked at.
    ///   - layout: what the blocks' features are.
    init(_ blocks: [Examples], reference: [Examples], layout: FeatureLayout) {
        (self.blocks, self.layout) = (blocks, layout)
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

    /// The blocks at `training`, ready for classifiers to be fitted to.
    func training(_ training: [Int]) -> TrainingRows {
        TrainingRows(
            features: Distances(training.map { (blocks[$0].state, blocks[$0].features) }),
            vectors: tangent.map { _ in Distances(training.map { (blocks[$0].state, vectors[$0]) }) })
    }

    /// The scorer of a mixture, all its members fitted; nil where one cannot be.
    func fit(_ mixture: Mixture, _ rows: TrainingRows) throws(LinearAlgebraError) -> Scorer? {
        var parts: [(Scorer, Mixture.Share)] = []
        for share in mixture.shares {
            guard let scorer = try fit(share.member.kind, rows) else { return nil }
            parts.append((scorer, share))
        }
        return Scorer.mixed(parts)
    }

    /// The features a kind sees.
    private func places(_ kind: ModelKind) -> [Int] {
        switch kind {
        case .powerDiscriminant: layout.powers
        case .lineDiscriminant: layout.spectrum
        default: layout.measures
        }
    }

    /// The scorer of one kind; nil where it would see nothing.
    func fit(_ kind: ModelKind, _ rows: TrainingRows) throws(LinearAlgebraError) -> Scorer? {
        var plain: LinearClassifier?
        if kind.usesFeatures {
            let places = places(kind)
            guard !places.isEmpty else { return nil }
            plain = try Self.fit(kind, low: rows.features.low(places), high: rows.features.high(places))
                .spread(over: places, of: rows.features.standardisation.centres.count)
        }
        let members = [Scorer.Member(kind: kind, weight: 1)]
        guard kind.usesCovariance else {
            return Scorer(
                members: members, standardisation: rows.features.standardisation, classifier: plain, tangent: nil,
                tangentStandardisation: nil, tangentClassifier: nil)
        }
        guard let vectors = rows.vectors else { return nil }
        return Scorer(
            members: members, standardisation: plain.map { _ in rows.features.standardisation }, classifier: plain,
            tangent: tangent, tangentStandardisation: vectors.standardisation,
            tangentClassifier: try Self.fit(kind, low: vectors.low(), high: vectors.high()))
    }

    private static func fit(
        _ kind: ModelKind, low: [[Double]], high: [[Double]]
    ) throws(LinearAlgebraError) -> LinearClassifier {
        switch kind {
        case .discriminant, .powerDiscriminant, .lineDiscriminant: try ShrinkageLDA.fit(low: low, high: high)
        case .logistic(let penalty), .tangentLogistic(let penalty):
            try RidgeLogistic.fit(low: low, high: high, penalty: penalty)
        case .combined: scaled(try ShrinkageLDA.fit(low: low, high: high), rows: low + high)
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
