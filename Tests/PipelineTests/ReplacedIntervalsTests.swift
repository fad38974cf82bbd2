import Cardiac
import Pipeline
import Signals
import TestSupport
import Testing

/// What is said where variability rests on many replaced intervals.
struct ReplacedIntervalsTests {
    /// Sinus rhythm at 75 a minute, every so many beats an early one.
    private func result(
        early every: Int, correcting method: CorrectionMethod = .lipponenTarvainen
    ) throws -> CardiacResult {
        var random = SplitMix64(seed: 6)
        var durations = (0..<400).map { _ in 0.8 + Double.random(in: -0.03...0.03, using: &random) }
        for place in stride(from: 40, to: 390, by: every) {
            durations[place] -= 0.3
            durations[place + 1] += 0.3
        }
        return try CardiacResults.ofIntervals(durations, correcting: method, computing: .hrv)
    }

    @Test func moreThanATwentiethIsTold() throws {
        let result = try result(early: 10)
        let corrected = result.nn.count(where: \.isCorrected)
        #expect(corrected * 20 > result.nn.count)
        let remark = try #require(result.replacedRemark)
        #expect(remark.hasPrefix("\(corrected) of ") && remark.contains("variability rests on replaced values"))
        #expect(result.remarks.contains(remark))
    }

    @Test func lessIsNot() throws {
        #expect(try result(early: 80).replacedRemark == nil)
        #expect(try result(early: 10, correcting: .none).replacedRemark == nil)
    }
}
