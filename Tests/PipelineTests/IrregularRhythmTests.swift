import Cardiac
import Pipeline
import Signals
import TestSupport
import Testing

/// What is said where correction meets a rhythm that has no order.
struct IrregularRhythmTests {
    /// Intervals as in atrial fibrillation: without any order around 0.7 s.
    private static let fibrillating: [Double] = {
        var random = SplitMix64(seed: 21)
        return (0..<340).map { _ in
            max(0.33, 0.7 + 0.16 * ((0..<12).reduce(-6) { sum, _ in sum + Double.random(in: 0..<1, using: &random) }))
        }
    }()

    private func remark(_ durations: [Double], correcting method: CorrectionMethod = .lipponenTarvainen) throws
        -> String?
    {
        try CardiacResults.ofIntervals(durations, correcting: method, computing: [.hrv, .rhythm]).correctionRemark
    }

    @Test func correctionOfFibrillationIsRemarkedOn() throws {
        let remark = try #require(try remark(Self.fibrillating))
        #expect(remark.contains("intervals in irregular rhythm were corrected"))
    }

    @Test func whatIsNotCorrectedOrNotIrregularIsNot() throws {
        #expect(try remark(Self.fibrillating, correcting: .none) == nil)
        var random = SplitMix64(seed: 3)
        var sinus = (0..<340).map { _ in 0.8 + Double.random(in: -0.03...0.03, using: &random) }
        sinus[100] -= 0.3
        sinus[101] += 0.3
        #expect(try remark(sinus) == nil)
    }
}
