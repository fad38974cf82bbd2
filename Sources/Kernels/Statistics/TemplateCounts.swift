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
