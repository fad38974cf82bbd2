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
        let examples = Examples(
            rows: low + high,
            shares: low.map { _ in 0.5 / Double(low.count) } + high.map { _ in 0.5 / Double(high.count) },
            targets: low.map { _ in 0 } + high.map { _ in 1 })
        return examples.rows.count < width
            ? try fitBySpan(examples, penalty) : try fitByWeights(examples, penalty)
    }

    private struct Examples {
        var rows: [[Double]]
        /// What each counts; together 1.
        var shares: [Double]
        /// The probability each should have.
        var targets: [Double]

        /// What an example's odds say of it: how far its probability is off, and how much that changes with the odds.
        func slope(_ index: Int, odds: Double) -> (miss: Double, curvature: Double) {
            let probability = Odds.probability(odds)
            return (
                shares[index] * (probability - targets[index]),
                shares[index] * max(1e-9, probability * (1 - probability))
            )
        }
    }

    private static let mostSteps = 25
    private static let leastStep = 1e-6
    /// Added to the curvature of the bias, which is not penalised, so that its steps stay finite.
    private static let biasDamping = 1e-9

    /// A step beyond 10 leaves what the quadratic model knows.
    private static func scale(_ size: Double) -> Double { size > 10 ? 10 / size : 1 }

    private static func largest(_ values: [Double]) -> Double { values.reduce(0) { max($0, abs($1)) } }

    // MARK: More examples than features

    private static func fitByWeights(
        _ examples: Examples, _ penalty: Double
    ) throws(LinearAlgebraError) -> LinearClassifier {
        // A column of ones carries the bias.
        var examples = examples
        for index in examples.rows.indices { examples.rows[index].append(1) }
        var weights = [Double](repeating: 0, count: examples.rows[0].count)
        for _ in 0..<mostSteps {
            let step = try newtonStep(examples, weights, penalty)
            let size = largest(step)
            for index in weights.indices { weights[index] += scale(size) * step[index] }
            if size < leastStep { break }
        }
        return LinearClassifier(weights: Array(weights.dropLast()), bias: weights[weights.count - 1])
    }

    private static func newtonStep(
        _ examples: Examples, _ weights: [Double], _ penalty: Double
    ) throws(LinearAlgebraError) -> [Double] {
        let last = weights.count - 1
        var gradient = weights.enumerated().map { $0.offset == last ? 0 : penalty * $0.element }
        var scaled: [Double] = []
        scaled.reserveCapacity(examples.rows.count * weights.count)
        for (index, row) in examples.rows.enumerated() {
            var sum = 0.0
            for place in weights.indices { sum += weights[place] * row[place] }
            let (miss, curvature) = examples.slope(index, odds: sum)
            let root = curvature.squareRoot()
            for place in weights.indices {
                gradient[place] += miss * row[place]
                scaled.append(root * row[place])
            }
        }
        var hessian = try Matrix(rows: examples.rows.count, columns: weights.count, elements: scaled).gram()
        for place in weights.indices { hessian[place, place] += place == last ? biasDamping : penalty }
        return try hessian.choleskySolve(gradient).map { -$0 }
    }

    // MARK: More features than examples

    /// The weights are sums of the rows, w = Xᵀα (representer theorem; Kimeldorf & Wahba 1971), so Newton's method runs on
    /// α. With K = XXᵀ, S the curvatures and M = λS⁻¹ + K its step is Δα = −M⁻¹S⁻¹(λα + r) − Δb·M⁻¹1, as
    /// (λI + XᵀSX)⁻¹Xᵀu = XᵀM⁻¹S⁻¹u.
    private static func fitBySpan(
        _ examples: Examples, _ penalty: Double
    ) throws(LinearAlgebraError) -> LinearClassifier {
        let matrix = try Matrix(examples.rows)
        let columns = matrix.transposed
        let kernel = try matrix.rowGram()
        let count = examples.rows.count
        var (alpha, bias) = ([Double](repeating: 0, count: count), 0.0)
        for _ in 0..<mostSteps {
            let odds = try kernel.multiplied(by: alpha).map { $0 + bias }
            var inner = kernel
            // In turn what the gradient is made of, and the ones of the bias.
            var right = Matrix(rows: count, columns: 2, repeating: 1)
            var (misses, pulls) = (0.0, 0.0)
            for index in 0..<count {
                let (miss, curvature) = examples.slope(index, odds: odds[index])
                let pull = penalty * alpha[index] + miss
                inner[index, index] += penalty / curvature
                right[index, 0] = pull / curvature
                (misses, pulls) = (misses + miss, pulls + pull)
            }
            let found = try inner.choleskySolve(right)
            let (drawn, level) = (found.column(0), found.column(1))
            let slack = penalty * Statistics.sum(level) + biasDamping
            let biasStep = (pulls - penalty * Statistics.sum(drawn) - misses) / slack
            let step = zip(drawn, level).map { -$0 - biasStep * $1 }
            let size = max(largest(try columns.multiplied(by: step)), abs(biasStep))
            for index in alpha.indices { alpha[index] += scale(size) * step[index] }
            bias += scale(size) * biasStep
            if size < leastStep { break }
        }
        return LinearClassifier(weights: try columns.multiplied(by: alpha), bias: bias)
    }
}
