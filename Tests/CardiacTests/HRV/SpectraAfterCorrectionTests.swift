import Cardiac
import Foundation
import Signals
import TestSupport
import Testing

/// LF and HF after premature, missed and extra beats, beside those of the same series without them.
@Suite("Spectra after correction")
struct SpectraAfterCorrectionTests {
    #if DEBUG
        private static let count = 40
    #else
        private static let count = 1_000
    #endif
    private static let names = ["lf", "hf", "lfLomb", "hfLomb", "lfAR", "hfAR"]

    private static var parameters: HRVParameters {
        var parameters = HRVParameters()
        (parameters.window, parameters.indexes) = (nil, names)
        return parameters
    }

    private struct Outcome {
        /// How far each index is from that without the beats, as a share of it.
        var errors: [String: [Double]] = [:]
        var flagged = 0
        var windows = 0
    }

    private static func outcome(share: Double, seeds: Range<Int> = 0..<count) throws -> Outcome {
        let parameters = parameters
        var outcome = Outcome()
        for seed in seeds {
            var random = SplitMix64(seed: UInt64(seed))
            let clean = PrematureBeatSeries(&random)
            var disturbed = clean
            let kinds = PrematureBeatSeries.Kind.allCases
            let mix = seed % (kinds.count + 1)
            disturbed.disturb(share: share, kinds: mix < kinds.count ? [kinds[mix]] : kinds, &random)
            let truth = try #require(try HRV.windows(of: clean.series, parameters: parameters).first)
            let corrected = try Correction.correct(disturbed.series).intervals
            let window = try #require(try HRV.windows(of: corrected, parameters: parameters).first)
            for (place, index) in HRVIndex.list(parameters).enumerated() {
                let (found, expected) = (try #require(window.values[place]), try #require(truth.values[place]))
                outcome.errors[index.name, default: []].append(abs(found / expected - 1))
            }
            outcome.windows += 1
            outcome.flagged += window.spectrumDoubt == nil ? 0 : 1
        }
        return outcome
    }

    @Test("a series without such beats is as it was") func clean() throws {
        for (name, errors) in try Self.outcome(share: 0).errors {
            #expect(errors.count { $0 > 0.01 } <= errors.count / 100, "\(name)")
        }
    }

    @Test(
        "up to 2 % of the intervals: each LF and HF within 10 % of those without the beats",
        arguments: [0, 7_000, 90_000])
    func few(firstSeed: Int) throws {
        let outcome = try Self.outcome(share: 0.02, seeds: firstSeed..<firstSeed + Self.count)
        for name in ["lf", "hf"] {
            let errors = try #require(outcome.errors[name])
            #expect(errors.allSatisfy { $0 <= 0.1 }, "\(name): \(errors.max() ?? 0)")
            #expect(Self.quantile(errors, 0.9) < 0.03, "\(name)")
        }
        for (name, errors) in outcome.errors { #expect(Self.quantile(errors, 0.95) < 0.1, "\(name)") }
    }

    @Test("3 %: nine in ten within 12 %") func more() throws {
        for (name, errors) in try Self.outcome(share: 0.03).errors {
            #expect(Self.quantile(errors, 0.9) < 0.12, "\(name)")
        }
    }

    @Test("5 %: the median within 12 %, and the window says so") func many() throws {
        let outcome = try Self.outcome(share: 0.05)
        for (name, errors) in outcome.errors { #expect(Self.quantile(errors, 0.5) < 0.12, "\(name)") }
        // An extra beat joins two intervals to a measured one: a series of nothing else has no estimates.
        let kinds = PrematureBeatSeries.Kind.allCases.count + 1
        #expect(outcome.flagged >= outcome.windows * (kinds - 1) / kinds - 1)
    }

    private static func quantile(_ values: [Double], _ share: Double) -> Double {
        values.sorted()[Int(share * Double(values.count - 1))]
    }
}
