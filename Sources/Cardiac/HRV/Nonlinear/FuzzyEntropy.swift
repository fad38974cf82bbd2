import CVectors

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
        let stride = max(count, 0) + 4 * Int(MAREY_ABREAST)
        let rowCount = length == 2 ? 1 : length
        var rows = [Double](repeating: .infinity, count: rowCount * stride)
        for place in 0..<max(count, 0) {
            let mean = series[place..<place + length].reduce(0, +) / Double(length)
            for step in 0..<rowCount { rows[step * stride + place] = (series[place + step] - mean) * scale }
        }
        return rows.withUnsafeBufferPointer { rows in
            guard count > 1, let base = rows.baseAddress else { return 0 }
            // The two values of a pattern without its mean are opposite: one is enough.
            return marey_memberships(base, stride, Int32(rowCount), count).sum()
        }
    }
}
