/// Distances of values some places apart, in lanes.
public enum LaggedDistances {
    /// For each r below `lag`, the sum of |x[t + lag] − x[t]| over t = r, r + lag, r + 2·lag …
    /// - Precondition: a lag of at least 1.
    public static func sums(_ x: Span<Float>, lag: Int) -> [Double] {
        precondition(lag > 0, "values apart")
        var sums = [Double](repeating: 0, count: lag)
        let count = x.count - lag
        guard count > 0 else { return sums }
        // Vectors so many vectors apart hold the same remainders, lane by lane.
        let period = lag / greatestCommonDivisor(lag, 8)
        let vectors = count / 8
        x.withUnsafeBufferPointer { x in
            guard let x = x.baseAddress else { return }
            for first in 0..<min(period, vectors) {
                let total = sum(x, lag, from: first, to: vectors, by: period)
                for lane in 0..<8 { sums[(8 * first + lane) % lag] += Double(total[lane]) }
            }
            for index in 8 * vectors..<count { sums[index % lag] += Double(abs(x[index + lag] - x[index])) }
        }
        return sums
    }

    @inline(__always)
    private static func sum(
        _ x: UnsafePointer<Float>, _ lag: Int, from first: Int, to end: Int, by period: Int
    ) -> SIMD8<Float> {
        var (even, odd) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
        var vector = first
        while vector + period < end {
            even += distance(x + 8 * vector, lag)
            odd += distance(x + 8 * (vector + period), lag)
            vector += 2 * period
        }
        if vector < end { even += distance(x + 8 * vector, lag) }
        return even + odd
    }

    @inline(__always)
    private static func distance(_ x: UnsafePointer<Float>, _ lag: Int) -> SIMD8<Float> {
        let difference =
            UnsafeRawPointer(x + lag).loadUnaligned(as: SIMD8<Float>.self)
            - UnsafeRawPointer(x).loadUnaligned(as: SIMD8<Float>.self)
        let size = unsafeBitCast(difference, to: SIMD8<UInt32>.self) & SIMD8(repeating: 0x7fff_ffff)
        return unsafeBitCast(size, to: SIMD8<Float>.self)
    }

    private static func greatestCommonDivisor(_ a: Int, _ b: Int) -> Int {
        b == 0 ? a : greatestCommonDivisor(b, a % b)
    }
}
