import Foundation
import Kernels
import TestSupport
import Testing

private struct ResamplingOracle: Decodable {
    struct Spline: Decodable {
        var x, y, at, notAKnot, natural, linear: [Double]
    }
    struct Resampled: Decodable {
        var up, down, count: Int
        var values: [Double]
    }
    var splines: [Spline]
    var signal: [Double]
    var resampled: [Resampled]
}

@Suite struct ResamplingTests {
    @Test(.enabled(if: OracleData.has("kernels_resampling.json")))
    func splinesAgreeWithScipy() throws {
        let oracle: ResamplingOracle = try oracle("kernels_resampling.json")
        for entry in oracle.splines {
            let notAKnot = try PiecewisePolynomial.cubicSpline(x: entry.x, y: entry.y)
            expectClose(notAKnot(entry.at), entry.notAKnot, 1e-11, "not a knot, \(entry.x.count)")
            let natural = try PiecewisePolynomial.cubicSpline(x: entry.x, y: entry.y, boundary: .natural)
            expectClose(natural(entry.at), entry.natural, 1e-11, "natural, \(entry.x.count)")
            let linear = try PiecewisePolynomial.linear(x: entry.x, y: entry.y)
            expectClose(linear(entry.at), entry.linear, 1e-13, "linear, \(entry.x.count)")
            #expect(entry.at.reversed().map { notAKnot($0) } == notAKnot(entry.at).reversed())
            #expect(notAKnot(entry.x) == entry.y)
        }
    }

    @Test(.enabled(if: OracleData.has("kernels_resampling.json")))
    func resamplingAgreesWithScipy() throws {
        let oracle: ResamplingOracle = try oracle("kernels_resampling.json")
        for entry in oracle.resampled {
            let ratio = RateRatio(up: entry.up, down: entry.down)
            let x = Array(oracle.signal.prefix(entry.count))
            let name = "\(entry.up):\(entry.down) of \(entry.count)"
            expectClose(Resampler.resample(x, by: ratio, edge: .zero), entry.values, 1e-12, name)
            let floats = Resampler.resample(x.map(Float.init), by: ratio, edge: .zero).map(Double.init)
            expectClose(floats, entry.values, 1e-6, name + ", floats")
        }
    }

    @Test(arguments: [(1, 1), (2, 1), (1, 3), (25, 36), (128, 125), (45, 32)])
    func chunksDoNotChangeABit(up: Int, down: Int) {
        let ratio = RateRatio(up: up, down: down)
        let x = noise(20_000).map(Float.init)
        let expected = Resampler.resample(x, by: ratio)
        #expect(expected.count == (x.count * up + down - 1) / down)
        var resampler = Resampler(ratio)
        // The same resampler again and again: it starts anew after each end.
        for seed in UInt64(0)..<4 {
            var found: [Float] = []
            for cut in randomCuts(x.count, seed: seed) { resampler.push(x.span.extracting(cut), into: &found) }
            resampler.finish(into: &found)
            #expect(found == expected)
        }
        var found: [Float] = []
        for index in 0..<3000 {
            resampler.push(x.span.extracting(index..<index + 1), into: &found)
            let complete = max(0, index - resampler.lookAhead) * up / down
            #expect(found.count >= complete)
        }
        #expect(found == Array(expected.prefix(found.count)))
    }

    @Test func constantStaysConstantWhereTheEdgeIsHeld() {
        for ratio in [RateRatio(up: 25, down: 36), RateRatio(up: 3, down: 1), RateRatio(up: 1, down: 5)] {
            let found = Resampler.resample([Double](repeating: 7, count: 100), by: ratio)
            // The low-pass's ripple between phases, as in scipy's design.
            #expect(found.allSatisfy { abs($0 - 7) < 0.01 })
        }
        #expect(Resampler.resample([Double](), by: RateRatio(up: 2, down: 1)).isEmpty)
        #expect(Resampler.resample([Float](), by: RateRatio(up: 2, down: 1)).isEmpty)
    }

    @Test func slowSineKeepsItsTime() {
        let x = (0..<3600).map { sin(2 * Double.pi * 3 * Double($0) / 360) }
        let found = Resampler.resample(x, by: RateRatio(up: 25, down: 36))
        for index in 250..<2250 { #expect(abs(found[index] - sin(2 * Double.pi * 3 * Double(index) / 250)) < 2e-3) }
    }

    @Test func ratiosAreFoundFromRates() {
        #expect(RateRatio(from: 360, to: 250) == RateRatio(up: 25, down: 36))
        #expect(RateRatio(from: 250, to: 256) == RateRatio(up: 128, down: 125))
        #expect(RateRatio(from: 1000, to: 1) == RateRatio(up: 1, down: 1000))
        #expect(RateRatio(from: 100, to: 33.333_333_333_333) == RateRatio(up: 1, down: 3))
        #expect(RateRatio(from: 1, to: Double.pi) == nil)
        #expect(
            RateRatio(from: 0, to: 5) == nil && RateRatio(from: 5, to: -1) == nil && RateRatio(from: .nan, to: 1) == nil
        )
        #expect(RateRatio(up: 6, down: 4) == RateRatio(up: 3, down: 2))
    }

    @Test func nothingIsExtrapolatedAndBadPointsAreRefused() throws {
        let spline = try PiecewisePolynomial.cubicSpline(x: [0, 1, 2, 3], y: [1, 3, 2, 4])
        #expect(spline(-0.001).isNaN && spline(3.001).isNaN && spline(.nan).isNaN && spline(3) == 4)
        #expect(spline.sampled(from: 0, step: 1, count: 5).prefix(4) == [1, 3, 2, 4])
        #expect(throws: InterpolationError.tooFew(1, needed: 2)) { try PiecewisePolynomial.linear(x: [0], y: [1]) }
        #expect(throws: InterpolationError.notRising(index: 1)) {
            try PiecewisePolynomial.cubicSpline(x: [0, 0], y: [1, 2])
        }
        #expect(throws: InterpolationError.notFinite(index: 1)) {
            try PiecewisePolynomial.cubicSpline(x: [0, 1], y: [1, .nan])
        }
        #expect(throws: InterpolationError.mismatch(places: 2, values: 1)) {
            try PiecewisePolynomial.cubicSpline(x: [0, 1], y: [1])
        }
    }
}
