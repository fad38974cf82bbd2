import Formats
import Foundation
import Signals
import TestSupport
import Testing

/// Which streams without a declared rate count as evenly sampled.
@Suite struct EvenPaceTests {
    private func rate(_ stamps: [Seconds]) -> Double? {
        var pace = EvenPace()
        pace.take(stamps)
        return pace.rate
    }

    @Test("steps that differ by a third of their mean are uneven, whatever their seed", arguments: 0..<60)
    func uneven(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let shortest = 0.1 / Double(1 + seed % 4)
        var moment = 0.0
        let stamps = (0..<400).map { _ in
            moment += Double.random(in: shortest...4 * shortest, using: &random)
            return moment
        }
        #expect(rate(stamps) == nil)
    }

    @Test("values that come when something happens are uneven", arguments: 0..<40)
    func events(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let mean = [0.25, 0.05, 0.01][Int(seed % 3)]
        var moment = 0.0
        let stamps = (0..<2_000).map { _ in
            moment -= mean * log(Double.random(in: 1e-6...1, using: &random))
            return moment
        }
        #expect(rate(stamps) == nil)
    }

    @Test("even samples have their rate, however they are stamped", arguments: 0..<60)
    func even(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let rate = [8.0, 32, 64, 130, 250, 500, 1_000][Int(seed % 7)]
        let count = Int(11 * rate)
        let burst = Int.random(in: 1...max(1, Int(rate / 3)), using: &random)
        var late = 0.0
        let stamps = (0..<count).map { place -> Seconds in
            let time = 900 + Double(place) / rate
            switch seed % 3 {
            case 0: return time
            // In bursts, by a loop that looks every two milliseconds.
            case 1:
                if place % burst == 0 { late = Double.random(in: 0...0.002, using: &random) }
                return 900 + Double((place / burst + 1) * burst) / rate + late
            default: return time + Double.random(in: 0...0.15, using: &random) / rate
            }
        }
        let found = try #require(self.rate(stamps), "\(rate) \(burst)")
        #expect(abs(found / rate - 1) < 0.005)
    }

    @Test("the first ten seconds decide, however they are divided", arguments: 0..<10)
    func division(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        let stamps = (0..<2_000).map { Double($0) / 100 }
        var (pace, place) = (EvenPace(), 0)
        while place < stamps.count {
            let end = min(stamps.count, place + Int.random(in: 1...300, using: &random))
            pace.take(stamps[place..<end])
            place = end
        }
        #expect(pace.isComplete && pace.rate == 100)
        // Later stamps change nothing.
        #expect(rate(Array(stamps.prefix(1_001)) + [10.5, 10.7, 12]) == 100)
        #expect(rate(Array(stamps.prefix(300))) == nil)
    }
}
