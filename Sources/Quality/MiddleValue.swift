/// The middle of a handful of magnitudes, without branches and without allocating.
enum MiddleValue {
    /// The bits of magnitudes are ordered as they are.
    private static let infinity = Int32(bitPattern: Float.infinity.bitPattern)

    /// The middle one of `count` values of 0 or more, the lower one of two; 0 for none. Of the `known` lowest ones,
    /// where that is given.
    @inline(__always)
    static func of(_ count: Int, outOf known: Int? = nil, _ value: (Int) -> Float) -> Float {
        guard count > 0 else { return 0 }
        let padded = (count + 15) / 16 * 16
        return withUnsafeTemporaryAllocation(of: Int32.self, capacity: padded) { values in
            for place in 0..<count {
                values.initializeElement(at: place, to: Int32(bitPattern: value(place).magnitude.bitPattern))
            }
            for place in count..<padded { values.initializeElement(at: place, to: infinity) }
            let middle = select(UnsafeBufferPointer(values), count, rank: ((known ?? count) - 1) / 2)
            return Float(bitPattern: UInt32(bitPattern: middle))
        }
    }

    /// The value of this rank, from 0, of the first `count` ones; the rest, up to whole vectors, are infinite.
    private static func select(_ values: UnsafeBufferPointer<Int32>, _ count: Int, rank: Int) -> Int32 {
        guard count <= 128 else { return values[..<count].sorted()[rank] }
        let bytes = UnsafeRawBufferPointer(values)
        // One more than may exceed the value looked for.
        let above = SIMD16<Int32>(repeating: Int32(count - rank))
        let highest = SIMD16<Int32>(repeating: infinity)
        var middle = highest
        for vector in 0..<values.count / 16 {
            let candidates = bytes.loadUnaligned(fromByteOffset: vector &* 64, as: SIMD16<Int32>.self)
            // All bits of a difference's sign are -1 or 0: comparisons that stay in vectors.
            var exceeding = SIMD16<Int32>.zero
            for place in 0..<count { exceeding &-= (candidates &- SIMD16(repeating: values[place])) &>> 31 }
            let fits = (exceeding &- above) &>> 31
            let fitting = (candidates & fits) | (highest & ~fits)
            let difference = fitting &- middle
            middle = middle &+ (difference & (difference &>> 31))
        }
        return lowest(lowest(middle.lowHalf, middle.highHalf))
    }

    private static func lowest(_ one: SIMD8<Int32>, _ other: SIMD8<Int32>) -> SIMD8<Int32> {
        let difference = one &- other
        return other &+ (difference & (difference &>> 31))
    }

    private static func lowest(_ values: SIMD8<Int32>) -> Int32 {
        let (low, high) = (values.lowHalf, values.highHalf)
        return min(min(min(low.x, low.y), min(low.z, low.w)), min(min(high.x, high.y), min(high.z, high.w)))
    }
}
