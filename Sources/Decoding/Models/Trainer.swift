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

    /// The scorer of a mixture, all its members fitted to the blocks at `training`; nil where one cannot be.
    func fit(_ mixture: Mixture, training: [Int]) throws(LinearAlgebraError) -> Scorer? {
        var parts: [(Scorer, Mixture.Share)] = []
        for share in mixture.shares {
            guard let scorer = try fit(share.member.kind, training: training) else { return nil }
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

    /// The scorer of one kind fitted to the blocks at `training`; nil where it would see nothing.
    func fit(_ kind: ModelKind, training: [Int]) throws(LinearAlgebraError) -> Scorer? {
        var plain: (Standardisation, LinearClassifier)?
        if kind.usesFeatures {
            let places = places(kind)
            guard !places.isEmpty else { return nil }
            plain = try fit(kind, rows: training.map { (blocks[$0].state, blocks[$0].features) }, places)
        }
        let members = [Scorer.Member(kind: kind, weight: 1)]
        guard kind.usesCovariance else {
            return Scorer(
                members: members, standardisation: plain?.0, classifier: plain?.1, tangent: nil,
                tangentStandardisation: nil,
                tangentClassifier: nil)
        }
        guard let tangent else { return nil }
        let curved = try fit(kind, rows: training.map { (blocks[$0].state, vectors[$0]) }, nil)
        return Scorer(
            members: members, standardisation: plain?.0, classifier: plain?.1, tangent: tangent,
            tangentStandardisation: curved.0, tangentClassifier: curved.1)
    }

    /// The baseline is the neutral blocks, or all where there are none. The classifier sees the columns at `places` alone,
    /// all for nil.
    private func fit(
        _ kind: ModelKind, rows: [(state: DecodedState, rows: [[Double]])], _ places: [Int]?
    ) throws(LinearAlgebraError) -> (Standardisation, LinearClassifier) {
        let neutral = rows.filter { $0.state == .neutral }.flatMap(\.rows)
        let standardisation = Standardisation(neutral.isEmpty ? rows.flatMap(\.rows) : neutral)
        func seen(_ state: DecodedState) -> [[Double]] {
            rows.filter { $0.state == state }.flatMap(\.rows).map { row in
                let distances = standardisation.applied(to: row)
                return places.map { $0.map { distances[$0] } } ?? distances
            }
        }
        let classifier = try Self.fit(kind, low: seen(.low), high: seen(.high))
        return (
            standardisation, places.map { classifier.spread(over: $0, of: standardisation.centres.count) } ?? classifier
        )
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
