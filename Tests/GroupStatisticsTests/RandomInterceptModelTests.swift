import GroupStatistics
import Kernels
import TestSupport
import Testing

@Suite struct RandomInterceptModelTests {
    /// Participant, condition, age, outcome.
    private static let rows: [(String, Double, Double, Double)] = [
        ("s0", 1, 1.2, 61.0), ("s0", 0, -0.3, 59.7), ("s0", 1, -0.1, 62.9), ("s0", 0, -1.8, 62.5),
        ("s1", 0, -0.1, 59.5), ("s1", 1, 0.5, 62.4), ("s1", 0, -0.2, 60.6), ("s1", 1, -0.9, 60.7),
        ("s1", 0, -0.7, 58.2), ("s2", 1, -0.5, 59.4), ("s2", 1, 0.0, 61.3), ("s2", 1, -0.2, 59.7),
        ("s2", 1, 0.7, 59.7), ("s3", 1, 1.0, 62.4), ("s3", 1, 0.3, 63.2), ("s3", 0, 1.1, 59.3),
        ("s3", 0, -0.8, 59.8), ("s3", 1, 0.1, 63.6), ("s4", 0, 0.8, 58.7), ("s4", 0, 0.4, 59.3),
        ("s4", 0, 0.6, 58.8), ("s4", 1, -1.8, 61.8), ("s5", 0, -0.4, 59.7), ("s5", 1, 0.3, 60.5),
        ("s5", 0, -0.1, 60.0), ("s5", 1, -0.5, 62.8), ("s5", 1, -0.2, 62.2), ("s6", 0, 1.8, 60.0),
        ("s6", 1, 0.5, 64.2), ("s6", 0, -1.0, 64.3), ("s6", 1, 0.6, 65.5),
    ]

    private func fitted(_ rows: [(String, Double, Double, Double)] = rows) throws -> RandomInterceptModel {
        try RandomInterceptModel(
            outcome: rows.map(\.3), predictors: Matrix(rows.map { [1, $0.1, $0.2] }),
            names: ["intercept", "condition", "age"], group: rows.map(\.0))
    }

    /// What lets a comparison leave such measurements out before it begins.
    @Test func aMeasurementWithAPredictorForItselfTellsNothing() throws {
        let apart = [("s1", 1.0, 0.4, 90.0), ("s7", 0.0, 0.1, 20.0)]
        let rows = Self.rows + apart
        let predictors = rows.indices.map { place in
            [1, rows[place].1, rows[place].2] + apart.indices.map { place == Self.rows.count + $0 ? 1.0 : 0 }
        }
        let (without, with) = (
            try fitted(),
            try RandomInterceptModel(
                outcome: rows.map(\.3), predictors: Matrix(predictors),
                names: ["intercept", "condition", "age", "first", "second"], group: rows.map(\.0))
        )
        for (found, expected) in zip(with.coefficients, without.coefficients) {
            #expect(agree(found.estimate, expected.estimate, 1e-6))
            #expect(agree(found.standardError, expected.standardError, 1e-6))
            #expect(agree(found.p, expected.p, 1e-4), "\(found.p) \(expected.p)")
        }
        #expect(agree(with.varianceBetween, without.varianceBetween, 1e-5))
    }

    /// `lmer(y ~ condition + age + (1 | s))` of lme4 1.1-31 with lmerTest 3.1-3.
    @Test func agreesWithLme4AndLmerTest() throws {
        let model = try fitted()
        let truth: [(Double, Double, Double, Double)] = [
            (59.813541125936, 0.618123479975, 7.48508942097, 7.20467276391e-13),
            (2.350068709059, 0.395027471246, 22.81395838642, 4.73636004582e-06),
            (-0.657894851157, 0.238196443732, 22.42200026820, 1.12535042976e-02),
        ]
        for (found, expected) in zip(model.coefficients, truth) {
            #expect(agree(found.estimate, expected.0, 1e-6))
            #expect(agree(found.standardError, expected.1, 1e-6))
            #expect(agree(found.degreesOfFreedom, expected.2, 1e-5), "\(found.degreesOfFreedom)")
            #expect(agree(found.p, expected.3, 1e-4), "\(found.p)")
        }
        #expect(agree(model.varianceBetween, 2.11450232425, 1e-6))
        #expect(agree(model.varianceWithin, 1.00889524864, 1e-6))
        #expect(agree(model.remlCriterion, 101.836743903, 1e-10))
    }

    @Test(.enabled(if: OracleData.has(Reference.name)))
    func agreesWithStatsmodels() throws {
        for row in try Reference.load().mixed {
            let model = try RandomInterceptModel(
                outcome: row.outcome, predictors: Matrix(row.predictors), names: ["1", "condition", "age"],
                group: row.group)
            for (found, expected) in zip(model.coefficients, row.coefficients) {
                #expect(agree(found.estimate, expected, 1e-4), "\(found.name) \(found.estimate) \(expected)")
            }
            // statsmodels stops its search early
            #expect(agree(model.varianceBetween, row.between, 2e-4), "\(model.varianceBetween) \(row.between)")
            #expect(agree(model.varianceWithin, row.within, 1e-4))
            #expect(model.remlCriterion <= row.criterion + 1e-9)
            #expect(agree(model.remlCriterion, row.criterion, 1e-7))
        }
    }

    @Test func orderAndNamesOfParticipantsDoNotMatter() throws {
        let turned = Self.rows.reversed().map { ("x" + $0.0, $0.1, $0.2, $0.3) }
        for (a, b) in zip(try fitted().coefficients, try fitted(turned).coefficients) {
            #expect(agree(a.estimate, b.estimate, 1e-7) && agree(a.p, b.p, 1e-5))
        }
    }

    @Test func withoutDifferencesBetweenParticipantsItIsLeastSquares() throws {
        let rows = (0..<24).map { (place: Int) -> (String, Double, Double, Double) in
            let condition = Double(place / 6 % 2)
            let rest: Double = place % 2 == place / 12 ? 1 : -1
            return ("s\(place % 6)", condition, Double(place), 2 * condition + rest)
        }
        let model = try fitted(rows)
        let plain = try Matrix(rows.map { [1, $0.1, $0.2] }).leastSquares(rows.map(\.3))
        #expect(model.varianceBetween == 0)
        for (found, expected) in zip(model.coefficients, plain) { #expect(abs(found.estimate - expected) < 1e-12) }
        #expect(model.coefficients.allSatisfy { $0.degreesOfFreedom == 21 })
    }

    /// Two values of each of ten people, who vary by `ratio` of what chance does within them.
    private static func balanced(_ ratio: Double) -> [Double] {
        let changes = [1.0, -1, 2, -2, 3, -3, 1, -1, 2, -2]
        let within = changes.reduce(0) { $0 + $1 * $1 / 2 } / 9
        let people = (0..<10).map { Double($0) - 4.5 }
        let spread = people.reduce(0) { $0 + $1 * $1 } / 9
        let scale = (within * (0.5 + ratio) / spread).squareRoot()
        return (0..<10).flatMap { person in
            let middle = 80 + scale * people[person]
            return [middle - changes[person] / 2, middle + 7 + changes[person] / 2]
        }
    }

    @Test(arguments: [1.2e-6, 3e-6, 1e-5, 1e-4, 1e-3, 0.1, 1, 10, 1e3])
    func aBalancedDesignHasAsManyDegreesOfFreedomAsThePairedTest(ratio: Double) throws {
        let sides = (0..<20).map { Double($0 % 2) }
        let model = try RandomInterceptModel(
            outcome: Self.balanced(ratio), predictors: Matrix(sides.map { [1, $0] }), names: ["1", "side"],
            group: (0..<20).map { "\($0 / 2)" })
        #expect(abs(model.varianceBetween / model.varianceWithin - ratio) < 1e-7 + 1e-4 * ratio)
        #expect(agree(model.coefficients[1].estimate, 7, 1e-9))
        #expect(agree(model.coefficients[1].degreesOfFreedom, 9, 1e-6), "\(model.coefficients[1].degreesOfFreedom)")
    }

    @Test func whatCannotBeFittedSaysWhy() throws {
        let one = try Matrix([[1], [1], [1]])
        #expect(throws: GroupStatisticsError.tooFew("groups", found: 1, needed: 2)) {
            try RandomInterceptModel(outcome: [1, 2, 3], predictors: one, names: ["1"], group: ["a", "a", "a"])
        }
        #expect(throws: GroupStatisticsError.tooFew("observations", found: 3, needed: 4)) {
            try RandomInterceptModel(outcome: [1, 2, 3], predictors: one, names: ["1"], group: ["a", "b", "c"])
        }
        #expect(throws: GroupStatisticsError.dependentPredictors) {
            try RandomInterceptModel(
                outcome: [1, 2, 3, 5], predictors: Matrix([[1, 2], [1, 2], [1, 2], [1, 2]]), names: ["1", "x"],
                group: ["a", "a", "b", "b"])
        }
        // The same twice of everybody: nothing tells what chance does within people.
        let (values, sides) = ([0.0, 0, 1, 0, 0, 1, 0, 1, 1, 1], [0.0, 0, 0, 0, 0, 1, 1, 1, 1, 1])
        for change in [0, 1e-7] {
            #expect(throws: GroupStatisticsError.noSpread("measurements of the same group")) {
                try RandomInterceptModel(
                    outcome: values + values.enumerated().map { $1 + ($0 == 3 ? change : 0) },
                    predictors: Matrix((sides + sides).map { [1, $0] }), names: ["1", "side"],
                    group: (0..<20).map { "\($0 % 10)" })
            }
        }
        #expect(throws: GroupStatisticsError.noSpread("what the predictors leave unexplained")) {
            try RandomInterceptModel(
                outcome: [2, 2, 2], predictors: one, names: ["1"], group: ["a", "a", "b"])
        }
    }
}
