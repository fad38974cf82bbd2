import func Foundation.exp

/// Entropies that look at every pair of patterns.
enum PatternEntropies {
    /// Approximate entropy (Pincus 1991): every pattern matches itself, too.
    static func approximate(_ series: [Double], dimension: Int, tolerance: Double) -> Double {
        func phi(_ length: Int) -> Double {
            let count = series.count - length + 1
            var sum = 0.0
            for place in 0..<count {
                sum += logarithm(Double(matches(series, length, place, count, tolerance)) / Double(count))
            }
            return sum / Double(count)
        }
        return phi(dimension) - phi(dimension + 1)
    }

    /// How many of the first `count` patterns of `length` values match the one at `place`.
    private static func matches(
        _ series: [Double], _ length: Int, _ place: Int, _ count: Int, _ tolerance: Double
    ) -> Int {
        series.withUnsafeBufferPointer { series in
            let limit = SIMD8(repeating: tolerance)
            var found = SIMD8<Int64>.zero
            let ones = SIMD8<Int64>(repeating: 1)
            var other = 0
            while other + 8 <= count {
                var furthest = SIMD8<Double>.zero
                for step in 0..<length {
                    let values = UnsafeRawPointer(series.baseAddress! + other + step)
                        .loadUnaligned(as: SIMD8<Double>.self)
                    let difference = values - SIMD8(repeating: series[place + step])
                    furthest = furthest.replacing(with: difference, where: difference .> furthest)
                    furthest = furthest.replacing(with: -difference, where: -difference .> furthest)
                }
                found = found &+ SIMD8<Int64>.zero.replacing(with: ones, where: furthest .<= limit)
                other += 8
            }
            var total = Int(found.wrappedSum())
            while other < count {
                if (0..<length).allSatisfy({ abs(series[other + $0] - series[place + $0]) <= tolerance }) { total += 1 }
                other += 1
            }
            return total
        }
    }

    /// Fuzzy entropy, after Chen et al. 2007: patterns without their mean, belonging together by exp(−(distance / r)²).
    /// The paper has exp(−distance² / r), which depends on the unit of the series.
    static func fuzzy(_ series: [Double], dimension: Int, tolerance: Double) -> Double? {
        let count = series.count - dimension
        let short = membership(series, dimension, count, tolerance)
        let long = membership(series, dimension + 1, count, tolerance)
        return short > 0 && long > 0 ? logarithm(short / long) : nil
    }

    /// Sum of the memberships of all pairs of the first `count` patterns of `length` values.
    private static func membership(_ series: [Double], _ length: Int, _ count: Int, _ tolerance: Double) -> Double {
        // Row k holds the patterns' values at k, less the mean of their pattern.
        let means = (0..<count).map { place in series[place..<place + length].reduce(0, +) / Double(length) }
        let rows = (0..<length).flatMap { step in (0..<count).map { series[$0 + step] - means[$0] } }
        let inverse = 1 / tolerance
        var sum = SIMD4<Double>.zero
        rows.withUnsafeBufferPointer { rows in
            for place in 0..<max(count - 1, 0) {
                var other = place + 1
                while other < count {
                    let lanes = min(8, count - other)
                    var furthest = SIMD8<Double>.zero
                    for step in 0..<length {
                        let row = rows.baseAddress! + step * count
                        var values = SIMD8<Double>.zero
                        if lanes == 8 {
                            values = UnsafeRawPointer(row + other).loadUnaligned(as: SIMD8<Double>.self)
                        } else {
                            for lane in 0..<lanes { values[lane] = row[other + lane] }
                        }
                        let difference = values - SIMD8(repeating: row[place])
                        furthest = furthest.replacing(with: difference, where: difference .> furthest)
                        furthest = furthest.replacing(with: -difference, where: -difference .> furthest)
                    }
                    for lane in lanes..<8 { furthest[lane] = .infinity }
                    let scaled = furthest * inverse
                    let squares = scaled * scaled
                    sum += negativeExponential(squares.lowHalf)
                    sum += negativeExponential(squares.highHalf)
                    other += 8
                }
            }
        }
        return sum.sum()
    }

    /// exp(−x) for x ≥ 0, to a relative error below 1e-11.
    @inline(__always)
    private static func negativeExponential(_ x: SIMD4<Double>) -> SIMD4<Double> {
        // Beyond this, 2^k leaves the exponent's range; such pairs are outliers and few.
        if x.max() > 700 { return SIMD4(exp(-x.x), exp(-x.y), exp(-x.z), exp(-x.w)) }
        // 2^k·e^f with |f| ≤ ln 2 / 2: adding 1.5·2^52 leaves k in the lowest bits.
        let magic = SIMD4(repeating: 6_755_399_441_055_744.0)
        let shifted = magic - x * 1.442_695_040_888_963_4
        let whole = shifted - magic
        let part = -x - whole * 0.693_147_180_369_123_8 - whole * 1.908_214_929_270_587_7e-10
        var series = part * (1 / 3_628_800.0) + 1 / 362_880.0
        series = series * part + 1 / 40_320.0
        series = series * part + 1 / 5_040.0
        series = series * part + 1 / 720.0
        series = series * part + 1 / 120.0
        series = series * part + 1 / 24.0
        series = series * part + 1 / 6.0
        series = series * part + 0.5
        series = series * part + 1
        series = series * part + 1
        let bits = (unsafeBitCast(shifted, to: SIMD4<UInt64>.self) &+ 1_023) &<< 52
        return series * unsafeBitCast(bits, to: SIMD4<Double>.self)
    }

    /// Shannon entropy, in bits, of a histogram of positive counts.
    static func shannon(_ counts: [Double]) -> Double {
        let total = counts.reduce(0, +)
        return counts.reduce(0) { sum, count in
            count > 0 ? sum - count / total * logarithm(count / total) / logarithm(2) : sum
        }
    }
}
