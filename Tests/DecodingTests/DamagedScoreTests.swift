import Decoding
import Testing

/// Scores of a model's card that nothing can have: the card was damaged or changed by hand.
struct DamagedScoreTests {
    @Test func `scores that are no shares are told, and none ends the program`() throws {
        var person = SimulatedParticipant(dimensions: 6, effect: 1, seed: 8)
        let fitted = try ModelFitting().fit(
            person.calibration(blocks: 6, epochs: 15, neutral: 0), prediction: "enjoyment", layout: person.layout)
        #expect(fitted.isConsistent)
        for value in [-1, 1.1, 1e19, 1e300, -1e300, .nan, .infinity] {
            for score in [
                \ValidationReport.nested.balancedAccuracy, \.nested.auc, \.heldOut.brier, \.balancedAccuracy.lower,
                \.auc.upper,
            ] as [WritableKeyPath<ValidationReport, Double>] {
                var damaged = fitted
                damaged.report[keyPath: score] = value
                #expect(!damaged.isConsistent, "\(value)")
            }
        }
    }

    @Test func `shares are told as per cents`() {
        #expect(Scores.percent(0.625) == "63 %" && Scores.percent(0) == "0 %")
        #expect(Scores.percent(1e19).hasSuffix(" %") && Scores.percent(.nan) == "nan %")
    }
}
