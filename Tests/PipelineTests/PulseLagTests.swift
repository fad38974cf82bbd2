import Cardiac
import Formats
import Foundation
import Pipeline
import Signals
import Simulation
import TestSupport
import Testing

/// The lag of the pulse behind the heart.
struct PulseLagTests {
    private static func heart(_ random: inout SplitMix64, count: Int = 400, interval: Double = 0.8) -> [Double] {
        var time = 1.0
        return (0..<count).map { _ in
            time += interval * Double.random(in: 0.9...1.1, using: &random)
            return time
        }
    }

    @Test(arguments: [0, 0.05, 0.25, 0.42, 0.73], [0.45, 0.8, 1.4])
    func aConstantLagIsFoundAmongMissedAndExtraBeats(lag: Double, interval: Double) throws {
        var random = SplitMix64(seed: 4)
        let heart = Self.heart(&random, interval: interval)
        var pulse = heart.filter { _ in Double.random(in: 0...1, using: &random) > 0.2 }
            .map { $0 + lag + Double.random(in: -0.02...0.02, using: &random) }
        pulse += (0..<80).map { _ in Double.random(in: 1...300, using: &random) }
        let found = try #require(PulseLag.estimate(pulse: pulse.shuffled(using: &random), heart: heart))
        #expect(abs(found - lag) < 0.005)
    }

    @Test func withoutBeatsInReachThereIsNoLag() {
        #expect(PulseLag.estimate(pulse: [], heart: [1, 2, 3]) == nil)
        #expect(PulseLag.estimate(pulse: [1, 2, 3], heart: []) == nil)
        #expect(PulseLag.estimate(pulse: [101, 102, 103], heart: [1, 2, 3]) == nil)
        #expect(PulseLag.estimate(pulse: [.nan, .infinity, 1.2, 2.2, 3.2], heart: [1, 2, 3, .nan]) != nil)
    }

    /// Without annotations the pulse is judged by the ECG beside it.
    @Test func aPulseIsScoredAgainstTheECGBesideIt() throws {
        try withTemporaryFolder { folder in
            let leads = [ECGLead.v5, ECGLead(label: "II,")]
            let session = AnnotatedSet.session(duration: 120, leads: leads, hasBVP: true)
            try AnnotatedSet.write(session, as: "bidmc01", in: folder, annotations: ["breath": []])
            let search = ValidationSearch(folder)
            let result = BeatValidation(of: search.subjects, BeatValidation.Request(), parameters: Parameters())
            let channel = try #require(result.channels.first, "\(result.failures)")
            #expect(channel.source.kind == .bvp)
            #expect(channel.reference == "marey ECG beats (II,)")
            // Transit time plus the rise of the pulse.
            #expect((0.35...0.6).contains(try #require(channel.lag)))
            #expect(try #require(channel.comparisons[0].f1) > 0.99)
            #expect(abs(try #require(channel.comparisons[0].medianOffset)) < 0.002)
            #expect(result.remarks.contains { $0.contains("one constant lag per recording") })
        }
    }

    @Test func aPulseIsScoredAgainstReferenceBeatsOfTheHeart() throws {
        try withTemporaryFolder { folder in
            let session = AnnotatedSet.session(duration: 120, hasBVP: true)
            try AnnotatedSet.write(session, as: "a", in: folder, annotations: ["atr": AnnotatedSet.beats(session)])
            var request = BeatValidation.Request()
            request.source.kind = .bvp
            let result = BeatValidation(of: ValidationSearch(folder).subjects, request, parameters: Parameters())
            let channel = try #require(result.channels.first, "\(result.failures)")
            #expect(channel.source.kind == .bvp && channel.reference == ".atr")
            #expect(try #require(channel.comparisons[0].f1) > 0.98)
        }
    }
}
