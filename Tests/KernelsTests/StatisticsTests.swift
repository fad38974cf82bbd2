import Foundation
import Kernels
import TestSupport
import Testing

private struct StatisticsOracle: Decodable {
    struct Sliding: Decodable {
        var window: Int
        var median, centred, mad, quantile, minimum, maximum, sum: [Double]
    }
    struct Whole: Decodable {
        var values, x, quantiles: [Double]
        var mean, offset, variance0, variance1, median, mad, trapezoid, trapezoidSpaced, slope, intercept: Double
    }
    var x: [Double]
    var sliding: [Sliding]
    var arrays: [Whole]
}

@Suite struct StatisticsTests {
    @Test(.enabled(if: OracleData.has("kernels_statistics.json")))
    func slidingStatisticsAgreeWithNumpy() throws {
        let oracle: StatisticsOracle = try oracle("kernels_statistics.json")
        let x = oracle.x.map(Float.init)
        for entry in oracle.sliding {
            var median = SlidingMedian(window: entry.window)
            var extremum = SlidingExtremum(window: entry.window)
            var sum = SlidingSum(window: entry.window)
            for (index, value) in x.enumerated() {
                #expect(abs(Double(median.push(value)) - entry.median[index]) < 1e-5)
                #expect(abs(Double(median.medianAbsoluteDeviation) - entry.mad[index]) < 1e-5)
                #expect(abs(Double(median.quantile(0.2)) - entry.quantile[index]) < 1e-5)
                extremum.push(value)
                #expect(Double(extremum.minimum) == entry.minimum[index])
                #expect(Double(extremum.maximum) == entry.maximum[index])
                #expect(abs(sum.push(Double(value)) - entry.sum[index]) < 1e-10)
                #expect(sum.count == min(index + 1, entry.window))
            }
            if entry.window % 2 == 1 {
                let centred = SlidingMedian.centred(x, window: entry.window).map(Double.init)
                expectClose(centred, entry.centred, 1e-6, "centred \(entry.window)")
            }
        }
    }

    @Test(.enabled(if: OracleData.has("kernels_statistics.json")))
    func arrayStatisticsAgreeWithNumpy() throws {
        let oracle: StatisticsOracle = try oracle("kernels_statistics.json")
        for entry in oracle.arrays {
            let values = entry.values
            expectClose([Statistics.mean(values)], [entry.mean], 1e-14)
            expectClose([Statistics.variance(values, ddof: 0)], [entry.variance0], 1e-6)
            if values.count > 1 { expectClose([Statistics.variance(values)], [entry.variance1], 1e-6) }
            expectClose([Statistics.median(values)], [entry.median], 1e-15)
            expectClose([Statistics.medianAbsoluteDeviation(values)], [entry.mad], 1e-6)
            let quantiles = [0, 0.05, 0.25, 1.0 / 3, 0.5, 0.9, 1].map { Statistics.quantile(values, $0) }
            expectClose(quantiles, entry.quantiles, 1e-14)
            expectClose([Statistics.trapezoid(values, x: entry.x)], [entry.trapezoid], 1e-13)
            expectClose([Statistics.trapezoid(values, spacing: 0.25)], [entry.trapezoidSpaced], 1e-13)
            if values.count > 2 {
                let fit = Statistics.linearFit(x: entry.x, y: values.map { $0 - entry.offset })
                expectClose([fit.slope, fit.intercept], [entry.slope, entry.intercept], 1e-9)
            }
        }
    }

    @Test(arguments: [1, 2, 7, 100, 5000])
    func chunksOfSlidingStatisticsDoNotChangeABit(window: Int) {
        let x = noise(3000).map { $0 > 2 ? Float.nan : Float($0) }
        var (one, ones) = (SlidingSum(window: window), SlidingExtremum(window: window))
        var (sums, minima, maxima) = ([UInt64](), [UInt32](), [UInt32]())
        for value in x {
            sums.append(one.push(Double(value)).bitPattern)
            ones.push(value)
            minima.append(ones.minimum.bitPattern)
            maxima.append(ones.maximum.bitPattern)
        }
        for seed in UInt64(0)..<3 {
            var (sum, extremum) = (SlidingSum(window: window), SlidingExtremum(window: window))
            for cut in randomCuts(x.count, seed: seed) {
                var found = [Double](repeating: 0, count: cut.count)
                var (low, high) = ([Float](repeating: 0, count: cut.count), [Float](repeating: 0, count: cut.count))
                var foundSpan = found.mutableSpan
                sum.push(x.span.extracting(cut), sums: &foundSpan)
                var lowSpan = low.mutableSpan
                var highSpan = high.mutableSpan
                extremum.push(x.span.extracting(cut), minima: &lowSpan, maxima: &highSpan)
                #expect(found.map(\.bitPattern).elementsEqual(sums[cut]))
                #expect(low.map(\.bitPattern).elementsEqual(minima[cut]))
                #expect(high.map(\.bitPattern).elementsEqual(maxima[cut]))
            }
            #expect(sum.count == min(window, x.count))
        }
    }

    @Test func slidingSumNeverDrifts() {
        var sum = SlidingSum(window: 100)
        for index in 0..<100_000 { sum.push(index < 50_000 ? 1e15 + 0.125 * Double(index) : 0.1) }
        #expect(abs(sum.sum - 10) < 1e-12)
        #expect(abs(sum.mean - 0.1) < 1e-14)
        sum.push(.nan)
        for _ in 0..<99 {
            #expect(sum.sum.isNaN)
            sum.push(0.1)
        }
        sum.push(0.1)
        #expect(abs(sum.sum - 10) < 1e-12)
    }

    @Test(arguments: [1, 2, 5, 32, 33])
    func missingValuesArePassedOver(window: Int) {
        var generator = SplitMix64(seed: 3)
        let x = (0..<500).map { _ in
            Bool.random(using: &generator) ? Float.nan : Float(Int.random(in: -9...9, using: &generator))
        }
        var median = SlidingMedian(window: window)
        var extremum = SlidingExtremum(window: window)
        for index in x.indices {
            median.push(x[index])
            extremum.push(x[index])
            let present = x[max(0, index + 1 - window)...index].filter { !$0.isNaN }.map(Double.init)
            #expect(median.present == present.count)
            if present.isEmpty {
                #expect(median.median.isNaN && median.medianAbsoluteDeviation.isNaN && extremum.maximum.isNaN)
            } else {
                #expect(Double(median.median) == Statistics.median(present))
                #expect(Double(median.medianAbsoluteDeviation) == Statistics.medianAbsoluteDeviation(present))
                #expect(Double(extremum.minimum) == present.min() && Double(extremum.maximum) == present.max())
            }
        }
        while median.count > 0 { median.removeOldest() }
        #expect(median.median.isNaN)
    }

    @Test(arguments: [0, 1, 2, 3, 4, 10], [1, 3, 5, 7, 21])
    func centredMedianCutsTheWindowAtBothEnds(count: Int, window: Int) {
        let x = noise(count).map(Float.init)
        let expected = x.indices.map { index in
            Float(
                Statistics.median(x[max(0, index - window / 2)...min(count - 1, index + window / 2)].map(Double.init)))
        }
        let found = SlidingMedian.centred(x, window: window)
        #expect(found.count == count)
        for (a, b) in zip(found, expected) { #expect(abs(a - b) < 1e-6) }
    }

    @Test func nothingGivesNotANumber() {
        for value in [
            Statistics.mean([]), Statistics.median([]), Statistics.quantile([], 0.5), Statistics.variance([1]),
            Statistics.medianAbsoluteDeviation([]), Statistics.median([1, .nan]), Statistics.quantile([1], 1.5),
            Statistics.linearFit(x: [1, 1], y: [2, 3]).slope,
        ] { #expect(value.isNaN) }
        #expect(Statistics.trapezoid([3], spacing: 1) == 0)
        #expect(Statistics.median([.infinity, .infinity]) == .infinity)
    }

    @Test func selectionStaysFastOnPatterns() {
        let count = 200_000
        for pattern: (Int) -> Double in [
            { Double($0) }, { Double(-$0) }, { Double($0 % 2) }, { _ in 1 },
            { Double($0 < count / 2 ? $0 : count - $0) },
        ] {
            let values = (0..<count).map(pattern)
            #expect(Statistics.median(values) == Statistics.quantile(values, 0.5))
        }
    }
}
