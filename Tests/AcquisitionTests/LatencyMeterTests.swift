import Acquisition
import TestSupport
import Testing

@Suite struct LatencyMeterTests {
    @Test func percentilesAreRightWithinABin() throws {
        var meter = LatencyMeter()
        var random = SplitMix64(seed: 3)
        var delays = (0..<10_000).map { _ in Double(random.next() % 1_000_000) * 1e-7 + 1e-5 }
        for delay in delays { meter.count(delay) }
        delays.sort()
        for share in [0.5, 0.9, 0.99] {
            let truth = delays[Int(share * 10_000) - 1]
            let found = try #require(meter.quantile(share))
            #expect(found >= truth * 0.999 && found < truth * 1.08)
        }
    }

    @Test func nothingCountedHasNoPercentile() {
        #expect(LatencyMeter().quantile(0.99) == nil)
    }
}
