/// A weighted sum that is above 0 for the high state.
public struct LinearClassifier: Hashable, Codable, Sendable {
    /// A weight per feature.
    public var weights: [Double]
    /// What is added.
    public var bias: Double

    /// The classifier with these weights.
    public init(weights: [Double], bias: Double) {
        (self.weights, self.bias) = (weights, bias)
    }

    /// The weighted sum of a row.
    public func score(_ row: [Double]) -> Double {
        var sum = bias
        for index in weights.indices { sum += weights[index] * row[index] }
        return sum
    }

    /// The classifier whose scores are `factor` times as large.
    func scaled(by factor: Double) -> LinearClassifier {
        LinearClassifier(weights: weights.map { factor * $0 }, bias: factor * bias)
    }

    /// The classifier whose scores are the sum of this one's and another's, for rows of the same features.
    func adding(_ other: LinearClassifier) -> LinearClassifier {
        LinearClassifier(weights: zip(weights, other.weights).map { $0 + $1 }, bias: bias + other.bias)
    }

    /// The same classifier for rows of `count` features of which it knows those at `places`.
    func spread(over places: [Int], of count: Int) -> LinearClassifier {
        var all = [Double](repeating: 0, count: count)
        for (place, weight) in zip(places, weights) { all[place] = weight }
        return LinearClassifier(weights: all, bias: bias)
    }
}
