/// Pairs of patterns in a series that lie within a tolerance of one another, counted in lanes: the quantity behind
/// sample entropy, for series of up to a few thousand values.
public struct TemplateCounts: Sendable, Hashable {
    /// Pairs whose first `dimension` values all match.
    public private(set) var short = 0
    /// Pairs of which the next value matches as well.
    public private(set) var long = 0

    /// Counts the pairs i < j of the `count − dimension` patterns of `series` with |x[i+k] − x[j+k]| ≤ `tolerance` for
    /// k = 0 … dimension − 1, and to `dimension` (Richman & Moorman 2000). Values that are not numbers match nothing.
    /// - Precondition: a dimension of 1…5.
    public init(_ series: Span<Float>, dimension: Int, tolerance: Float) {
        precondition((1...5).contains(dimension), "patterns of 1 to 5 values")
        let patterns = series.count - dimension
        guard patterns > 1, tolerance > 0 else { return }
        if dimension == 2 {
            countPairs(series, patterns, tolerance)
            return
        }
        // Behind the end nothing matches.
        let padding = 8 + dimension
        var near = [Int32](repeating: 0, count: series.count + padding)
        series.withUnsafeBufferPointer { series in
            near.withUnsafeMutableBufferPointer { near in
                guard let x = series.baseAddress, let near = near.baseAddress else { return }
                for lag in 1..<patterns {
                    Self.compare(x, lag, series.count - lag, tolerance, near)
                    count(near, patterns - lag, dimension)
                }
            }
        }
    }

    /// Patterns of two values, by far the most usual: eight lags side by side, each value compared once, nothing stored.
    private mutating func countPairs(_ series: Span<Float>, _ patterns: Int, _ tolerance: Float) {
        // Behind the end nothing matches.
        var padded = [Float](repeating: .nan, count: series.count + 8)
        for index in series.indices { padded[index] = series[index] }
        let limit = SIMD8<Float>(repeating: tolerance)
        let lanes = SIMD8<Int32>(0, 1, 2, 3, 4, 5, 6, 7)
        padded.withUnsafeBufferPointer { x in
            guard let x = x.baseAddress else { return }
            for lag in stride(from: 1, to: patterns, by: 8) {
                var (first, second) = (Self.matches(x, lag, limit), Self.matches(x + 1, lag, limit))
                var (shorter, longer) = (SIMD8<Int32>.zero, SIMD8<Int32>.zero)
                // Of the last pairs of the block not all lags have one.
                let (whole, end) = (max(0, patterns - lag - 7), patterns - lag)
                for index in 0..<whole {
                    let third = Self.matches(x + index + 2, lag, limit)
                    let both = first & second
                    shorter &-= both
                    longer &-= both & third
                    (first, second) = (second, third)
                }
                for index in whole..<end {
                    let third = Self.matches(x + index + 2, lag, limit)
                    let isThere = lanes .< SIMD8<Int32>(repeating: Int32(end - index))
                    let both = (first & second).replacing(with: 0, where: .!isThere)
                    shorter &-= both
                    longer &-= both & third
                    (first, second) = (second, third)
                }
                short += Int(shorter.wrappedSum())
                long += Int(longer.wrappedSum())
            }
        }
    }

    /// −1 for each of the values `lag` to `lag` + 7 behind `x` that is within `limit` of it.
    @inline(__always)
    private static func matches(_ x: UnsafePointer<Float>, _ lag: Int, _ limit: SIMD8<Float>) -> SIMD8<Int32> {
        let others = UnsafeRawPointer(x + lag).loadUnaligned(as: SIMD8<Float>.self)
        let size = SIMD8<UInt32>(repeating: 0x7fff_ffff)
        let difference = unsafeBitCast(SIMD8<Float>(repeating: x.pointee) - others, to: SIMD8<UInt32>.self) & size
        return unsafeBitCast(unsafeBitCast(difference, to: SIMD8<Float>.self) .<= limit, to: SIMD8<Int32>.self)
    }

    /// Marks with −1 the values that match those `lag` later, with 0 those behind the last.
    @inline(__always)
    private static func compare(
        _ x: UnsafePointer<Float>, _ lag: Int, _ count: Int, _ tolerance: Float, _ near: UnsafeMutablePointer<Int32>
    ) {
        let limit = SIMD8<Float>(repeating: tolerance)
        let size = SIMD8<UInt32>(repeating: 0x7fff_ffff)
        let whole = count / 8 * 8
        for index in stride(from: 0, to: whole, by: 8) {
            let difference =
                UnsafeRawPointer(x + index).loadUnaligned(as: SIMD8<Float>.self)
                - UnsafeRawPointer(x + index + lag).loadUnaligned(as: SIMD8<Float>.self)
            // Without the sign's bit.
            let distance = unsafeBitCast(
                unsafeBitCast(difference, to: SIMD8<UInt32>.self) & size, to: SIMD8<Float>.self)
            UnsafeMutableRawPointer(near + index).storeBytes(
                of: unsafeBitCast(distance .<= limit, to: SIMD8<Int32>.self), as: SIMD8<Int32>.self)
        }
        for index in whole..<count { near[index] = abs(x[index] - x[index + lag]) <= tolerance ? -1 : 0 }
        for index in count..<count + 8 { near[index] = 0 }
    }

    /// Adds the runs of `dimension`, and of one more, that begin at the first `pairs` marks.
    @inline(__always)
    private mutating func count(_ near: UnsafePointer<Int32>, _ pairs: Int, _ dimension: Int) {
        var (shorter, longer) = (SIMD8<Int32>.zero, SIMD8<Int32>.zero)
        let whole = pairs / 8 * 8
        for index in stride(from: 0, to: whole, by: 8) {
            var match = Self.load(near + index)
            for step in 1..<max(1, dimension) { match &= Self.load(near + index + step) }
            shorter &-= match
            longer &-= match & Self.load(near + index + dimension)
        }
        short += Int(shorter.wrappedSum())
        long += Int(longer.wrappedSum())
        for index in whole..<pairs {
            var match = near[index]
            for step in 1..<max(1, dimension) { match &= near[index + step] }
            short -= Int(match)
            long -= Int(match & near[index + dimension])
        }
    }

    @inline(__always)
    private static func load(_ marks: UnsafePointer<Int32>) -> SIMD8<Int32> {
        UnsafeRawPointer(marks).loadUnaligned(as: SIMD8<Int32>.self)
    }
}
