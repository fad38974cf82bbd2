public import Kernels

/// What scores an epoch: the log-odds of one or several classifiers, weighted. All are sums over the same distances from
/// the baseline, so that together they are one weighted sum of features and one of tangent vectors.
public struct Scorer: Hashable, Codable, Sendable {
    /// A classifier that has a say.
    public struct Member: Hashable, Codable, Sendable {
        /// What it is.
        public var kind: ModelKind
        /// Its share of the score, above 0; the shares of all members sum to 1.
        public var weight: Double
    }

    /// The classifiers that have a say, the weightiest first.
    public let members: [Member]
    let standardisation: Standardisation?
    let classifier: LinearClassifier?
    let tangent: TangentSpace?
    let tangentStandardisation: Standardisation?
    let tangentClassifier: LinearClassifier?

    /// The members with their weights in words, such as `discriminant 0.62, combined 0.38`.
    public var summary: String {
        members.count == 1
            ? members[0].kind.name
            : members.map { "\($0.kind.name) \(($0.weight * 100).rounded() / 100)" }.joined(separator: ", ")
    }

    /// The score of an epoch, above 0 for the high state; nil where it lacks what is needed.
    public func score(features: [Double]?, covariance: Matrix?) -> Double? {
        var score = 0.0
        if let classifier, let standardisation {
            guard let features, features.count == classifier.weights.count else { return nil }
            score += classifier.score(standardisation.applied(to: features))
        }
        if let tangentClassifier, let tangent, let tangentStandardisation {
            guard let covariance, let vector = try? tangent.vector(covariance),
                vector.count == tangentClassifier.weights.count
            else { return nil }
            score += tangentClassifier.score(tangentStandardisation.applied(to: vector))
        }
        return score.isFinite ? score : nil
    }

    /// The weighted sum of the log-odds of scorers fitted to the same epochs.
    static func mixed(_ parts: [(scorer: Scorer, share: Mixture.Share)]) -> Scorer {
        func sum(_ classifier: KeyPath<Scorer, LinearClassifier?>) -> LinearClassifier? {
            parts.reduce(nil) { sum, part in
                guard let own = part.scorer[keyPath: classifier] else { return sum }
                let scaled = own.scaled(by: part.share.member.weight * part.share.slope)
                return sum.map { $0.adding(scaled) } ?? scaled
            }
        }
        let plain = parts.first { $0.scorer.classifier != nil }?.scorer
        let curved = parts.first { $0.scorer.tangentClassifier != nil }?.scorer
        var (features, tangents) = (sum(\.classifier), sum(\.tangentClassifier))
        let offset = parts.reduce(0) { $0 + $1.share.member.weight * $1.share.offset }
        if features != nil { features?.bias += offset } else { tangents?.bias += offset }
        return Scorer(
            members: parts.map(\.share.member), standardisation: plain?.standardisation, classifier: features,
            tangent: curved?.tangent, tangentStandardisation: curved?.tangentStandardisation,
            tangentClassifier: tangents)
    }
}
