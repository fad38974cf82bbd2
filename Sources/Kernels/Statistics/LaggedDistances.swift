import CVectors

/// Distances of values some places apart, in lanes.
public enum LaggedDistances {
    /// The largest lag.
    public static let largest = 64

    /// For each r below `lag`, the sum of |x[t + lag] − x[t]| over t = r, r + lag, r + 2·lag …
    /// - Parameter sums: the first `lag` of them are set.
    /// - Precondition: a lag of 1…`largest`, room for as many sums, fewer than 2^31 values.
    public static func sums(_ x: Span<Float>, lag: Int, into sums: inout [Double]) {
        precondition((1...largest).contains(lag) && lag <= sums.count && x.count <= Int32.max, "values apart")
        let count = max(0, x.count - lag)
        let vectors = count / 8
        x.withUnsafeBufferPointer { x in
            sums.withUnsafeMutableBufferPointer { sums in
                guard let x = x.baseAddress, let sums = sums.baseAddress else { return }
                marey_lagged_sums(x, Int32(lag), Int32(vectors), Int32(lag >> min(lag.trailingZeroBitCount, 3)), sums)
                var remainder = 8 * vectors % lag
                for index in 8 * vectors..<count {
                    sums[remainder] += Double(abs(x[index + lag] - x[index]))
                    remainder = remainder + 1 == lag ? 0 : remainder + 1
                }
            }
        }
    }
}
