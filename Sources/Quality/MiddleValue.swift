import CVectors

/// The middle of some magnitudes, without branches where they are a handful, and without allocating.
package enum MiddleValue {
    /// The bits of magnitudes are ordered as they are.
    private static let infinity = Int32(bitPattern: Float.infinity.bitPattern)

    /// The middle one of `count` values of 0 or more, the lower one of two; 0 for none. Of the `known` lowest ones,
    /// where that is given.
    @inline(__always)
    package static func of(_ count: Int, outOf known: Int? = nil, _ value: (Int) -> Float) -> Float {
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
        guard let first = values.baseAddress else { return infinity }
        guard count <= 128 else {
            var next: Int32 = 0
            return marey_selected(first, Int32(count), Int32(rank), 0, .max, &next)
        }
        // One more than may exceed the value looked for.
        return marey_middle(first, Int32(count), Int32(values.count), Int32(count - rank))
    }
}
