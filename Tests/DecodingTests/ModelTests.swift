import Decoding
import Foundation
import Kernels
import TestSupport
import Testing

@Suite struct ModelTests {
    private func rows(_ count: Int, mean: [Double], _ random: inout RandomSource) -> [[Double]] {
        (0..<count).map { _ in mean.map { $0 + random.gaussian() } }
    }

    @Test("the discriminant points along the difference of white classes, and cuts half way")
    func discriminant() throws {
        var random = RandomSource(seed: 1, "lda")
        let low = rows(4000, mean: [1, 2, 3], &random)
        let high = rows(1000, mean: [2, 2, 1], &random)
        let classifier = try ShrinkageLDA.fit(low: low, high: high)
        for (found, expected) in zip(classifier.weights, [1.0, 0, -2]) { #expect(abs(found - expected) < 0.15) }
        #expect(abs(classifier.score([1.5, 2, 2])) < 0.15)
    }

    @Test("logistic regression stands where its gradient is 0, whatever the classes' sizes")
    func logistic() throws {
        var random = RandomSource(seed: 2, "logistic")
        let low = rows(300, mean: [0, 0], &random)
        let high = rows(60, mean: [1.2, -0.5], &random)
        let penalty = 0.05
        let classifier = try RidgeLogistic.fit(low: low, high: high, penalty: penalty)
        #expect(gradient(of: classifier, low: low, high: high, penalty).allSatisfy { abs($0) < 1e-7 })
    }

    /// Of the mean loss and half the squared weights times the penalty, the bias last.
    private func gradient(
        of classifier: LinearClassifier, low: [[Double]], high: [[Double]], _ penalty: Double
    ) -> [Double] {
        var gradient = classifier.weights.map { penalty * $0 } + [0]
        for (rows, target) in [(low, 0.0), (high, 1)] {
            for row in rows {
                let miss = 0.5 / Double(rows.count) * (1 / (1 + exp(-classifier.score(row))) - target)
                for (index, value) in (row + [1]).enumerated() { gradient[index] += miss * value }
            }
        }
        return gradient
    }

    @Test("logistic regression on more features than examples stands where its gradient is 0 too")
    func wideLogistic() throws {
        var random = RandomSource(seed: 3, "wide logistic")
        let low = rows(12, mean: Array(repeating: 0, count: 40), &random)
        let high = rows(5, mean: Array(repeating: 0.3, count: 40), &random)
        for penalty in [0.001, 0.03, 1] {
            let classifier = try RidgeLogistic.fit(low: low, high: high, penalty: penalty)
            #expect(gradient(of: classifier, low: low, high: high, penalty).allSatisfy { abs($0) < 1e-7 })
            #expect(classifier.weights.contains { abs($0) > 0.01 })
        }
    }

    @Test("the geometric mean of diagonal covariances is that of their elements, and its own tangent vector 0")
    func geometricMean() throws {
        let a = try Matrix([[4, 0], [0, 9]])
        let b = try Matrix([[1, 0], [0, 1]])
        let mean = try TangentSpace.mean([a, b])
        #expect(abs(mean[0, 0] - 2) < 1e-6 && abs(mean[1, 1] - 3) < 1e-6 && abs(mean[0, 1]) < 1e-9)
        let space = try TangentSpace(reference: mean)
        #expect(try space.vector(mean).allSatisfy { abs($0) < 1e-6 })
        let vector = try space.vector(a)
        #expect(abs(vector[0] - log(2)) < 1e-6 && abs(vector[2] - log(3)) < 1e-6)
        #expect(throws: LinearAlgebraError.self) { try space.vector(Matrix([[1, 2], [2, 1]])) }
    }

    @Test("tangent vectors keep distances, and the mean moves with the matrices")
    func affineInvariance() throws {
        var random = RandomSource(seed: 4, "riemann")
        let matrices = try (0..<12).map { _ in
            try Covariance.sample(Matrix((0..<30).map { _ in (0..<4).map { _ in random.gaussian() } }))
        }
        let mixing = try Matrix((0..<4).map { _ in (0..<4).map { _ in random.gaussian() } })
        func moved(_ matrix: Matrix) throws -> Matrix {
            try mixing.multiplied(by: matrix).multiplied(by: mixing.transposed)
        }
        let expected = try moved(TangentSpace.mean(matrices))
        let found = try TangentSpace.mean(matrices.map(moved))
        for (a, b) in zip(found.elements, expected.elements) { #expect(abs(a - b) < 1e-4 * (1 + abs(b))) }
    }

    @Test("standardised baselines have median 0 and spread 1, and stray values do not matter")
    func standardisation() {
        var random = RandomSource(seed: 5, "baseline")
        var baseline = (0..<999).map { _ in [3 + 2 * random.gaussian(), 7] }
        baseline[0][0] = 1e9
        let standardisation = Standardisation(baseline)
        #expect(abs(standardisation.centres[0] - 3) < 0.2 && abs(standardisation.spreads[0] - 2) < 0.2)
        #expect(standardisation.applied(to: [3, 8])[1] == 1)
    }

    @Test("the sigmoid gives back the odds scores were drawn with")
    func sigmoid() {
        var random = RandomSource(seed: 6, "platt")
        var (scores, isHigh) = ([Double](), [Bool]())
        for index in 0..<40_000 {
            isHigh.append(index % 2 == 0)
            scores.append(random.gaussian() + (isHigh[index] ? 1.0 : -1.0))
        }
        // Equal variances, means ±1: the log odds are 2·score.
        guard case .sigmoid(let slope, let offset) = ProbabilityMap.fitSigmoid(scores, isHigh: isHigh) else {
            Issue.record("another output")
            return
        }
        #expect(abs(slope - 2) < 0.08 && abs(offset) < 0.05)
        let isotonic = ProbabilityMap.fitIsotonic(scores, isHigh: isHigh)
        for score in [-2.0, -1, 0, 0.7, 1.5] {
            #expect(abs(isotonic.probability(score) - 1 / (1 + exp(-2 * score))) < 0.06)
        }
        let values = stride(from: -4.0, to: 4, by: 0.01).map(isotonic.probability)
        #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
    }

    @Test("scores that speak against their state, or say nothing, become those of a small effect, not the opposite")
    func perverse() {
        let isHigh = [false, false, false, true, true, true]
        for scores in [[1.0, 2, 3, -1, -2, -3], [101, 102, 103, 99, 98, 97], [-1, 0, 1, -1, 0, 1]] {
            let map = ProbabilityMap.fitSigmoid(scores, isHigh: isHigh)
            let mean = scores.reduce(0, +) / 6
            let deviation = (scores.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 6).squareRoot()
            #expect(abs(map.probability(mean) - 0.5) < 1e-9)
            for distance in [-2.0, -1, 1, 2] {
                let expected = 1 / (1 + exp(-0.2 * distance))
                #expect(abs(map.probability(mean + distance * deviation) - expected) < 1e-9)
            }
        }
        let constant = ProbabilityMap.fitSigmoid([1, 1, 1, 1, 1, 1], isHigh: isHigh)
        #expect(constant.probability(7) == 0.5)
    }

    @Test("the area under the curve is the share of pairs in order, ties counting half")
    func auc() {
        #expect(Scores.auc(low: [1, 2, 3], high: [4, 5]) == 1)
        #expect(Scores.auc(low: [1, 2], high: [2, 3]) == 0.875)
        #expect(Scores.auc(low: [1, 1], high: [1]) == 0.5)
        #expect(Scores.auc(low: [], high: [1]).isNaN)
    }

    @Test("always 0.5 has Brier 0.25, no calibration error and half the accuracy")
    func half() {
        let scores = Scores(values: [0.5, 0.5, 0.5], isHigh: [true, false, false])
        #expect(scores == Scores(values: [0.5, 0.5], isHigh: [false, true]))
        #expect(scores.brier == 0.25 && scores.ece == 0 && scores.balancedAccuracy == 0.5 && scores.auc == 0.5)
    }
}
