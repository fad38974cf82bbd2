/// Fuzzy entropy, after Chen et al. 2007: patterns without their mean, belonging together by exp(−(distance / r)²).
/// The paper has exp(−distance² / r), which depends on the unit of the series.
enum FuzzyEntropy {
    /// ln of the memberships of patterns of `dimension` values over those of one value more; nil where there are none.
    static func value(_ series: [Double], dimension: Int, tolerance: Double) -> Double? {
        let count = series.count - dimension
        let short = membership(series, dimension, count, tolerance)
        let long = membership(series, dimension + 1, count, tolerance)
        return short > 0 && long > 0 ? logarithm(short / long) : nil
    }

    /// Sum of the memberships of all pairs of the first `count` patterns of `length` values.
    private static func membership(_ series: [Double], _ length: Int, _ count: Int, _ tolerance: Double) -> Double {
        // Row k holds the patterns' values at k, less the mean of their pattern, in units that make the membership a
        // power of two; whole vectors may be read beyond its end, where all is infinitely far.
        let scale = 1.201_122_408_786_449_8 / tolerance
        let stride = count + 4
        let rowCount = length == 2 ? 1 : length
        var rows = [Double](repeating: .infinity, count: rowCount * stride)
        for place in 0..<max(count, 0) {
            let mean = series[place..<place + length].reduce(0, +) / Double(length)
            for step in 0..<rowCount { rows[step * stride + place] = (series[place + step] - mean) * scale }
        }
        return rows.withUnsafeBufferPointer { rows in
            guard count > 1, let base = rows.baseAddress else { return 0 }
            // The two values of a pattern without its mean are opposite: one is enough. A constant number of rows
            // is unrolled.
            switch rowCount {
            case 1: return sum(base, 1, count, stride)
            case 3: return sum(base, 3, count, stride)
            default: return sum(base, rowCount, count, stride)
            }
        }
    }

    @inline(__always)
    private static func sum(_ rows: UnsafePointer<Double>, _ rowCount: Int, _ count: Int, _ stride: Int) -> Double {
        var sum = SIMD4<Double>.zero
        for place in 0..<count - 1 {
            var other = place + 1
            while other < count {
                var furthest = square(rows, place, other)
                for step in 1..<max(rowCount, 1) {
                    let next = square(rows + step * stride, place, other)
                    furthest = furthest.replacing(with: next, where: next .> furthest)
                }
                sum += halvings(furthest)
                other += 4
            }
        }
        return sum.sum()
    }

    /// The squared differences between four values and one.
    @inline(__always)
    private static func square(_ row: UnsafePointer<Double>, _ place: Int, _ other: Int) -> SIMD4<Double> {
        let values = UnsafeRawPointer(row + other).loadUnaligned(as: SIMD4<Double>.self)
        let difference = values - SIMD4(repeating: row[place])
        return difference * difference
    }

    /// 2^−x for x ≥ 0, to a relative error below 1e-12; 0 where that leaves the exponent's range.
    @inline(__always)
    private static func halvings(_ x: SIMD4<Double>) -> SIMD4<Double> {
        // 2^k·2^f with |f| ≤ 1/2: adding 1.5·2^52 leaves k in the lowest bits.
        let magic = SIMD4(repeating: 6_755_399_441_055_744.0)
        let shifted = magic - x
        let part = (magic - shifted) - x
        // The polynomial of least relative error on |f| ≤ 1/2.
        var series = part * 1.317_572_751_512_841_6e-06 + 1.530_973_627_843_806_5e-05
        series = series * part + 0.000_154_038_524_028_402_65
        series = series * part + 0.001_333_345_206_627_944_5
        series = series * part + 0.009_618_128_541_844_568
        series = series * part + 0.055_504_109_393_391_5
        series = series * part + 0.240_226_506_988_857_22
        series = series * part + 0.693_147_180_546_510_9
        series = series * part + 0.999_999_999_999_762_5
        let bits = (unsafeBitCast(shifted, to: SIMD4<UInt64>.self) &+ 1_023) &<< 52
        let power = series * unsafeBitCast(bits, to: SIMD4<Double>.self)
        return SIMD4.zero.replacing(with: power, where: x .<= 1_000)
    }
}
