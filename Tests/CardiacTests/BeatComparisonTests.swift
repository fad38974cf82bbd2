import Cardiac
import Foundation
import TestSupport
import Testing

@Suite("Comparison of beats")
struct BeatComparisonTests {
    @Test("a list compared with itself matches throughout, without offsets")
    func identity() {
        let beats = (0..<100).map { Double($0) * 0.8 }
        let comparison = BeatComparison(detected: beats, reference: beats, tolerance: 0.15)
        #expect(comparison.truePositives == 100)
        #expect(comparison.falsePositives == 0 && comparison.falseNegatives == 0)
        #expect(comparison.f1 == 1 && comparison.sensitivity == 1 && comparison.positivePredictiveValue == 1)
        #expect(comparison.medianOffset == 0 && comparison.medianJitter == 0)
    }

    @Test("missed and extra beats are counted and listed")
    func errors() {
        let comparison = BeatComparison(
            detected: [1.01, 2, 2.5, 4], reference: [1, 2, 3, 4, 5], tolerance: 0.15)
        #expect(comparison.truePositives == 3)
        #expect(comparison.extra == [2.5] && comparison.missed == [3, 5])
        #expect(comparison.sensitivity == 3.0 / 5 && comparison.positivePredictiveValue == 3.0 / 4)
        #expect(comparison.f1 == 6.0 / 9)
    }

    @Test("the tolerance includes its limit")
    func limit() {
        #expect(BeatComparison(detected: [1.25], reference: [1], tolerance: 0.25).truePositives == 1)
        #expect(BeatComparison(detected: [1.2501], reference: [1], tolerance: 0.25).truePositives == 0)
    }

    @Test("of two detections in reach the nearer one counts")
    func nearer() {
        let comparison = BeatComparison(detected: [0.9, 1.02, 1.1], reference: [1], tolerance: 0.15)
        #expect(comparison.extra == [0.9, 1.1])
        #expect(comparison.falsePositives == 2)
    }

    @Test("most pairs go before nearest pairs")
    func mostPairs() {
        // 1.1 is nearer to 1.2 than to 1.0, but then 1.0 and 1.3 would stay alone.
        let comparison = BeatComparison(detected: [1.1, 1.3], reference: [1.0, 1.19], tolerance: 0.15)
        #expect(comparison.truePositives == 2)
    }

    @Test("pairing is as good as the best of all pairings that keep the order")
    func optimal() {
        var generator = SplitMix64(seed: 3)
        for _ in 0..<300 {
            let detected = (0..<Int.random(in: 0...6, using: &generator))
                .map { _ in Double.random(in: 0...1, using: &generator) }.sorted()
            let reference = (0..<Int.random(in: 0...6, using: &generator))
                .map { _ in Double.random(in: 0...1, using: &generator) }.sorted()
            let comparison = BeatComparison(detected: detected, reference: reference, tolerance: 0.15)
            let best = bestPairing(detected[...], reference[...], 0.15)
            #expect(comparison.truePositives == best.pairs)
            #expect(abs(comparison.offsets.map { abs($0) }.reduce(0, +) - best.distance) < 1e-9)
        }
    }

    /// By trying everything.
    private func bestPairing(
        _ detected: ArraySlice<Double>, _ reference: ArraySlice<Double>, _ tolerance: Double
    ) -> (pairs: Int, distance: Double) {
        guard let d = detected.first, let r = reference.first else { return (0, 0) }
        var options = [
            bestPairing(detected.dropFirst(), reference, tolerance),
            bestPairing(detected, reference.dropFirst(), tolerance),
        ]
        if abs(d - r) <= tolerance {
            let rest = bestPairing(detected.dropFirst(), reference.dropFirst(), tolerance)
            options.append((rest.pairs + 1, rest.distance + abs(d - r)))
        }
        return options.min { ($1.pairs, $0.distance) < ($0.pairs, $1.distance) } ?? (0, 0)
    }

    @Test("only the span asked for counts, and no excluded stretch")
    func span() {
        let beats = (0..<60).map { Double($0) }
        let comparison = BeatComparison(
            detected: beats, reference: beats, tolerance: 0.15, within: 10..<50, excluding: [20..<25, 30..<31])
        #expect(comparison.truePositives == 34)
    }

    @Test("a pair at an edge is not torn apart: it counts by its reference beat")
    func edges() {
        let reference = [9.98, 20.02, 30, 40.01]
        let detected = [10.03, 19.97, 30.01, 39.95, 45]
        let comparison = BeatComparison(
            detected: detected, reference: reference, tolerance: 0.15, within: 10..<60, excluding: [20..<25, 40..<41])
        #expect(comparison.truePositives == 1)
        #expect(comparison.extra == [45] && comparison.missed.isEmpty)
    }

    private struct Case: Decodable {
        var kind: String
        var detected, reference: [Int]
        var window, tp, fp, fn: Int
    }

    @Test(
        "counts are those of wfdb-python where beats are apart, and no worse where they crowd",
        .enabled(if: OracleData.has("cardiac_comparison.json")))
    func reference() throws {
        let data = try Data(contentsOf: OracleData.url("cardiac_comparison.json"))
        let cases = try JSONDecoder().decode([Case].self, from: data)
        #expect(cases.count == 20)
        for one in cases {
            let comparison = BeatComparison(
                detected: one.detected.map(Double.init), reference: one.reference.map(Double.init),
                tolerance: Double(one.window))
            let counts = [comparison.truePositives, comparison.falsePositives, comparison.falseNegatives]
            if one.kind == "apart" { #expect(counts == [one.tp, one.fp, one.fn]) }
            #expect(comparison.truePositives >= one.tp)
        }
    }

    @Test("the median offset is the detector's bias, the jitter is without it")
    func offsets() {
        let reference = (0..<101).map { Double($0) }
        let detected = reference.enumerated().map { $1 + 0.03 + ($0 % 2 == 0 ? 0.004 : -0.004) }
        let comparison = BeatComparison(detected: detected, reference: reference, tolerance: 0.15)
        #expect(abs((comparison.medianOffset ?? 0) - 0.034) < 1e-9)
        #expect((comparison.medianJitter ?? 1) < 0.0081)
    }

    @Test("without beats there is nothing to divide by")
    func empty() {
        let comparison = BeatComparison(detected: [], reference: [], tolerance: 0.15)
        #expect(comparison.f1 == nil && comparison.sensitivity == nil && comparison.positivePredictiveValue == nil)
        #expect(comparison.medianOffset == nil && comparison.medianJitter == nil)
        #expect(BeatComparison(detected: [], reference: [1], tolerance: 0.15).sensitivity == 0)
        #expect(BeatComparison(detected: [.nan, 1], reference: [1, .infinity], tolerance: 0.15).f1 == 1)
    }

    @Test("gross figures add up the counts of the records")
    func merged() {
        let one = BeatComparison(detected: [1, 2, 2.5], reference: [1, 2], tolerance: 0.15)
        let other = BeatComparison(detected: [1], reference: [1, 2, 3], tolerance: 0.15)
        let sum = BeatComparison.merged([one, other])
        #expect(sum.truePositives == 3 && sum.falsePositives == 1 && sum.falseNegatives == 2)
        #expect(sum.tolerance == 0.15)
    }

    @Test("a tolerance beyond all sense ends in good time")
    func hugeTolerance() {
        let beats = (0..<20_000).map { Double($0) }
        #expect(BeatComparison(detected: beats, reference: beats, tolerance: 1e6).truePositives == 20_000)
    }
}
