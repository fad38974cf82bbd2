/// Comparisons that stay in vectors, by the signs of differences, as masks are worked out lane by lane; and what the
/// lanes amount to.
extension SIMD8<Float> {
    @inline(__always)
    private var bits: SIMD8<Int32> { unsafeBitCast(self, to: SIMD8<Int32>.self) }

    /// The lower one of two finite numbers, in each lane.
    @inline(__always)
    func lower(_ other: Self) -> Self {
        let isLower = (self - other).bits &>> 31
        return unsafeBitCast((bits & isLower) | (other.bits & ~isLower), to: Self.self)
    }

    /// The higher one of two finite numbers, in each lane.
    @inline(__always)
    func higher(_ other: Self) -> Self {
        let isLower = (self - other).bits &>> 31
        return unsafeBitCast((other.bits & isLower) | (bits & ~isLower), to: Self.self)
    }

    /// Zero instead of what is below.
    @inline(__always)
    var positive: Self { unsafeBitCast(bits & ~(bits &>> 31), to: Self.self) }

    /// The sum of the lanes, by halves: three sums deep instead of eight.
    @inline(__always)
    var laneSum: Float { (lowHalf + highHalf).laneSum }

    /// The lowest lane.
    @inline(__always)
    var lowestLane: Float { Swift.min(lowHalf.lowestLane, highHalf.lowestLane) }

    /// The highest lane.
    @inline(__always)
    var highestLane: Float { Swift.max(lowHalf.highestLane, highHalf.highestLane) }
}

extension SIMD4<Float> {
    /// The sum of the lanes, by halves.
    @inline(__always)
    var laneSum: Float {
        let pair = lowHalf + highHalf
        return pair.x + pair.y
    }

    @inline(__always)
    fileprivate var lowestLane: Float { Swift.min(Swift.min(x, y), Swift.min(z, w)) }

    @inline(__always)
    fileprivate var highestLane: Float { Swift.max(Swift.max(x, y), Swift.max(z, w)) }
}
