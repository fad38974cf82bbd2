public import Kernels

/// A classifier with all it needs to score an epoch.
public struct Scorer: Hashable, Codable, Sendable {
    /// What it is.
    public let kind: ModelKind
    let standardisation: Standardisation?
    let classifier: LinearClassifier?
    let tangent: TangentSpace?
    let tangentStandardisation: Standardisation?
    let tangentClassifier: LinearClassifier?

    /// The score of an epoch, above 0 for the high state, in no particular unit; nil where it lacks what is needed.
    public func score(features: [Double]?, covariance: Matrix?) -> Double? {
        var scores: [Double] = []
        if let classifier, let standardisation {
            guard let features, features.count == classifier.weights.count else { return nil }
            scores.append(classifier.score(standardisation.applied(to: features)))
        }
        if let tangentClassifier, let tangent, let tangentStandardisation {
            guard let covariance, let vector = try? tangent.vector(covariance),
                vector.count == tangentClassifier.weights.count
            else { return nil }
            scores.append(tangentClassifier.score(tangentStandardisation.applied(to: vector)))
        }
        guard !scores.isEmpty else { return nil }
        let score = scores.reduce(0, +) / Double(scores.count)
        return score.isFinite ? score : nil
    }
}
