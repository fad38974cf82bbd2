import Foundation
public import Kernels

/// Logistic regression with a penalty on the squares of the weights, by Newton's method.
public enum RidgeLogistic {
    /// The classifier for rows of the low and the high state, which count alike in sum.
    /// - Parameter penalty: of half the squared weights, relative to the mean loss per row; above 0.
    /// - Throws: `dimensions` without a row of each state.
    public static func fit(
        low: [[Double]], high: [[Double]], penalty: Double
    ) throws(LinearAlgebraError) -> LinearClassifier {
        guard !low.isEmpty, !high.isEmpty, let width = low.first?.count else {
            throw .dimensions(
                "a logistic regression", found: "\(low.count), \(high.count) rows", expected: "both states")
        }
        // A column of ones carries the bias; it is not penalised.
        let rows = (low + high).map { $0 + [1] }
        let shares = low.map { _ in 0.5 / Double(low.count) } + high.map { _ in 0.5 / Double(high.count) }
        let targets = low.map { _ in 0.0 } + high.map { _ in 1.0 }
        var weights = [Double](repeating: 0, count: width + 1)
        for _ in 0..<25 {
            let step = try newtonStep(rows, shares, targets, weights, penalty)
            // A step beyond 10 leaves what the quadratic model knows.
            let size = step.reduce(0) { max($0, abs($1)) }
            let scale = size > 10 ? 10 / size : 1
            for index in weights.indices { weights[index] += scale * step[index] }
            if size < 1e-6 { break }
        }
        return LinearClassifier(weights: Array(weights.dropLast()), bias: weights[width])
    }

    private static func newtonStep(
        _ rows: [[Double]], _ shares: [Double], _ targets: [Double], _ weights: [Double], _ penalty: Double
    ) throws(LinearAlgebraError) -> [Double] {
        let last = weights.count - 1
        var gradient = weights.enumerated().map { $0.offset == last ? 0 : penalty * $0.element }
        var scaled: [Double] = []
        scaled.reserveCapacity(rows.count * weights.count)
        for (index, row) in rows.enumerated() {
            var sum = 0.0
            for place in weights.indices { sum += weights[place] * row[place] }
            let probability = 1 / (1 + exp(-sum))
            let miss = shares[index] * (probability - targets[index])
            let root = (shares[index] * max(1e-9, probability * (1 - probability))).squareRoot()
            for place in weights.indices {
                gradient[place] += miss * row[place]
                scaled.append(root * row[place])
            }
        }
        var hessian = try Matrix(rows: rows.count, columns: weights.count, elements: scaled).gram()
        for place in weights.indices { hessian[place, place] += place == last ? 1e-9 : penalty }
        return try hessian.choleskySolve(gradient).map { -$0 }
    }
}
