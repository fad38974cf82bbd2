import Decoding
import Testing

/// Repeated calibrations without an effect.
@Suite struct SignificanceSpendingTests {
    @Test("all attempts together spend no more than the total, the first at least 3 %")
    func total() {
        let levels = (1...60).map(SignificanceSpending.level)
        #expect(levels[0] >= 0.03)
        #expect(levels.reduce(0, +) <= SignificanceSpending.total + 1e-12)
        #expect(levels == levels.sorted(by: >) && levels[2] > 2.0 / 252 && levels.allSatisfy { $0 > 0 })
    }

    @Test("noise repeated ten times ends with a model in few participants")
    func noise() throws {
        let participants = 80
        var withModel = 0
        for seed in 0..<UInt64(participants) {
            var person = SimulatedParticipant(dimensions: 6, effect: 0, seed: 3000 + seed)
            let layout = try person.layout
            for attempt in 1...10 {
                var fitting = fitting([.discriminant])
                (fitting.attempt, fitting.level) = (attempt, SignificanceSpending.level(ofAttempt: attempt))
                let calibration = person.calibration(epochs: 12, neutral: 0)
                let fitted = try? fitting.fit(calibration, prediction: "enjoyment", layout: layout)
                if fitted?.verdict == .accepted {
                    withModel += 1
                    break
                }
            }
        }
        // 15 of 200 is the bar.
        #expect(withModel <= 6, "\(withModel) of \(participants)")
    }

    @Test("an attempt whose level the blocks cannot reach is refused with the number that would do", arguments: 4...5)
    func unreachable(attempt: Int) throws {
        var person = SimulatedParticipant(dimensions: 6, effect: 4, seed: 1)
        let layout = try person.layout
        var fitting = fitting([.discriminant])
        (fitting.attempt, fitting.level) = (attempt, SignificanceSpending.level(ofAttempt: attempt))
        var needed = 0
        do {
            _ = try fitting.fit(person.calibration(blocks: 6), prediction: "enjoyment", layout: layout)
            Issue.record("tested")
        } catch let error as ModelError {
            guard case .levelSpent(attempt, _, let blocks) = error else { throw error }
            needed = blocks
            #expect(error.reason == .levelSpent)
        }
        let enough = try fitting.fit(
            person.calibration(blocks: needed), prediction: "enjoyment", layout: layout)
        #expect(enough.verdict == .accepted)
    }
}

/// Intervals of scores that are perfect.
@Suite struct PerfectScoreTests {
    @Test("where all blocks are right the interval is the exact one for their number", arguments: [6, 9])
    func perfect(blocks: Int) throws {
        var person = SimulatedParticipant(dimensions: 4, effect: 12, seed: 5)
        let fitted = try fitting([.discriminant]).fit(
            person.calibration(blocks: blocks, neutral: 0), prediction: "enjoyment", layout: person.layout)
        #expect(fitted.report.nested.auc == 1)
        let tested = Double(2 * (blocks - 1))
        // At the bound, the chance that no block is wrong is 2.5 %.
        let lower = fitted.report.balancedAccuracy.lower
        #expect(lower < 0.9)
        let chance = (0..<Int(tested)).reduce(1.0) { product, _ in product * lower }
        #expect(abs(chance - 0.025) < 1e-9)
        #expect(fitted.report.auc.lower == lower && fitted.report.auc.upper == 1)
    }
}
