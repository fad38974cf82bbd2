import Cardiac
import Foundation
import Pipeline
import Signals
import TestSupport
import Testing

/// What is said of intervals that several in a row are twice as long as those around them.
struct DoubledIntervalsTests {
    private static func sinus(_ count: Int, seed: UInt64 = 4) -> [Double] {
        var random = SplitMix64(seed: seed)
        return (0..<count).map { place in
            let breathing: Double = 0.06 * sin(Double(place) / 4)
            return 0.8 + breathing + Double.random(in: -0.02...0.02, using: &random)
        }
    }

    private func result(_ durations: [Double]) throws -> CardiacResult {
        var onset = 0.0
        let intervals = durations.enumerated().map { place, duration in
            onset += duration
            return IBI(onset: onset, duration: duration, isContiguous: place > 0)
        }
        let header = StreamHeader(
            name: "ibi", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0)
        let source = try SourceRequest().source(in: RecordingHeader(streams: [header], format: "test"), file: "test")
        return try CardiacTrack.result(of: intervals, source: source, parameters: Parameters(), computing: .hrv)
    }

    /// The same beats with every other one of `2 * count` from the 150th on left out.
    private static func missing(_ count: Int) -> [Double] {
        var all = sinus(330)
        for place in 150..<150 + count { all[place] += all.remove(at: place + 1) }
        return all
    }

    @Test(arguments: [6, 8, 10, 20, 40])
    func everyOtherBeatThatIsMissedForLongIsTold(count: Int) throws {
        let result = try result(Self.missing(count))
        let remark = try #require(result.doubledRemark)
        #expect(remark.hasPrefix("\(count) intervals from ") && result.remarks.contains(remark))
    }

    @Test(arguments: [1, 2])
    func whatCorrectionMendsIsNot(count: Int) throws {
        #expect(try result(Self.missing(count)).doubledRemark == nil)
    }

    @Test func aHeartThatSlowsDownIsNotTold() throws {
        #expect(try result(Self.sinus(600)).doubledRemark == nil)
        // From 100 to 50 a minute within ten beats and back, and from one moment to the next for good.
        let slope = (0..<10).map { 0.6 + 0.06 * Double($0) }
        var slow = [Double](repeating: 0.6, count: 100)
        slow += slope
        slow += [Double](repeating: 1.2, count: 30)
        slow += slope.reversed()
        slow += [Double](repeating: 0.6, count: 100)
        #expect(try result(slow).doubledRemark == nil)
        var sudden = [Double](repeating: 0.5, count: 100)
        sudden += [Double](repeating: 1, count: 100)
        #expect(try result(sudden).doubledRemark == nil)
    }
}
