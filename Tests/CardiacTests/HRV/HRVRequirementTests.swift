import Cardiac
import Signals
import TestSupport
import Testing

@Suite("What HRV needs")
struct HRVRequirementTests {
    @Test("bands may adjoin, not overlap")
    func bandsApart() throws {
        var parameters = HRVParameters()
        parameters.bands.vlf.upper = 0.05
        parameters.bands.lf.lower = 0.05
        _ = try HRVStage(parameters)
        parameters.bands.lf.lower = 0.045
        #expect {
            try HRVStage(parameters)
        } throws: {
            "\($0)"
                == "hrv.bands.lf is 0.045 to 0.15 Hz; it must be at or above the upper edge of vlf, 0.05 Hz: bands may adjoin, not overlap"
        }
        parameters.bands.lf = FrequencyBand(0.15, 0.05)
        #expect(throws: InvalidParameter.self) { try HRVStage(parameters) }
    }

    @Test("what a band needs follows its edges")
    func needsOfBands() throws {
        var parameters = HRVParameters()
        parameters.welchSegment = 300
        func need(_ name: String) throws -> String? {
            try #require(HRV.columns(parameters).first { $0.name == name }).leastData
        }
        #expect(try need("lf") == "segments of 120 s without a gap")
        parameters.bands.vlf.upper = 0.02
        parameters.bands.lf.lower = 0.02
        parameters.bands.hf.lower = 0.2
        #expect(try need("lf") == "segments of 240 s without a gap")
        #expect(try need("hf") == "segments of 45 s without a gap")
        #expect(try need("lfHf") == "segments of 240 s without a gap")
        // A band of 0.02 Hz is as wide as the main lobe of a Hann window of 200 s.
        parameters.bands.hf = FrequencyBand(0.2, 0.22)
        #expect(try need("hf") == "segments of 200 s without a gap")
    }

    @Test("a reason rounds so that too little does not read as enough")
    func roundedReasons() {
        #expect(HRVMissing.lowCoverage(0.7958, least: 0.8).description == "coverage 79.6 % is below 80 %")
        #expect(HRVMissing.lowCoverage(0.79996, least: 0.8).description == "coverage 79.9 % is below 80 %")
        #expect(HRVMissing.lowCoverage(0.29, least: 0.8).description == "coverage 29 % is below 80 %")
        let need = HRVRequirement.spectrum(.welch, 60)
        #expect(
            HRVMissing.unmet(need, found: 59.9996).description
                == "needs segments of 60 s without a gap; found 59.99 s")
        #expect(RespirationMissing.lowCoverage(0.4996, least: 0.5).description == "coverage 49.9 % is below 50 %")
        #expect(
            RespirationMissing.disagreement(4.001, greatest: 4).description
                == "rates differ by a standard deviation of 4.01 breaths per minute, above 4.0")
    }

    @Test("a stretch that the window's end cuts off does not count")
    func wholeSegments() throws {
        var random = SplitMix64(seed: 8)
        let beats = series((0..<1_500).map { _ in Double.random(in: 0.5...0.9, using: &random) })
        let windows = try HRV.windows(of: beats)
        // A window of 300 s holds five stretches of 60 s, and two and a half of 120 s.
        #expect(windows.count > 20 && windows.allSatisfy { $0.value("sdann1") != nil && $0.value("sdann2") == nil })
        let reason = try #require(windows[0].reason("sdann2"))
        #expect(
            reason.description == "needs 3 whole stretches of 2 min that are at least half covered; found 2")
        // One window over everything ends with its last beat: a stretch that ends no two intervals later is whole.
        let everything = try #require(
            try HRV.windows(of: series(Array(repeating: 1, count: 359)), parameters: whole(.time)).first)
        #expect(everything.value("sdann2", whole(.time)) != nil)
    }
}
