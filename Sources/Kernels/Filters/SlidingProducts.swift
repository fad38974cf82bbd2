import CVectors

/// Products of up to four short patterns with a signal at eight successive places.
package struct SlidingProducts: Sendable {
    /// Samples in a pattern.
    package static let length = 16
    /// Places.
    package static let places = 8

    /// The patterns, one after the other.
    package var patterns: [Float]
    private let count: Int

    /// Where the signal is most like a pattern of unit length.
    package struct Match {
        /// The correlation there, -1…1, and its product with the pattern.
        package var likeness: Float
        package var product: Float
        /// Which place, and which pattern.
        package var place: Int
        package var pattern: Int
    }

    /// Room for `count` patterns, all 0.
    package init(patterns count: Int) {
        self.count = count
        patterns = [Float](repeating: 0, count: count * Self.length)
    }

    /// Compares the `length + places - 1` samples from `signal` on with the patterns that have their bit in `used`; one
    /// more is read.
    /// - Returns: the best of the first `places`; nil where the signal is 0 or no pattern is used.
    package func best(_ signal: UnsafePointer<Float>, places: Int, used: UInt8) -> Match? {
        patterns.withUnsafeBufferPointer { patterns in
            let size = marey_root(Self.power(signal))
            var likeness = marey_all(-2 as Float)
            var product = SIMD8<Float>.zero
            var pattern = SIMD8<Float>.zero
            for index in 0..<count where used >> UInt8(index) & 1 == 1 {
                let taps = patterns.baseAddress.unsafelyUnwrapped + index * Self.length
                let here = Self.product(signal, taps)
                // No number where the signal is 0, which is not above anything.
                let ratio = marey_div(here, size)
                product = marey_above(ratio, likeness, here, product)
                pattern = marey_above(ratio, likeness, marey_all(Float(index)), pattern)
                likeness = marey_above(ratio, likeness, ratio, likeness)
            }
            let best = marey_highest(likeness, Int32(places))
            let highest = marey_lane(likeness, best)
            guard highest > -2 else { return nil }
            return Match(
                likeness: highest, product: marey_lane(product, best), place: Int(best),
                pattern: Int(marey_lane(pattern, best)))
        }
    }

    @inline(__always)
    private static func power(_ signal: UnsafePointer<Float>) -> SIMD8<Float> {
        var first = SIMD8<Float>.zero
        var second = SIMD8<Float>.zero
        for lag in stride(from: 0, to: length, by: 2) {
            let (one, other) = (load(signal + lag), load(signal + lag + 1))
            first = marey_add(first, marey_mul(one, one))
            second = marey_add(second, marey_mul(other, other))
        }
        return marey_add(first, second)
    }

    @inline(__always)
    private static func product(_ signal: UnsafePointer<Float>, _ taps: UnsafePointer<Float>) -> SIMD8<Float> {
        // Two sums, so that one addition need not wait for the other.
        var first = SIMD8<Float>.zero
        var second = SIMD8<Float>.zero
        for lag in stride(from: 0, to: length, by: 2) {
            first = marey_add(first, marey_mul(load(signal + lag), marey_all(taps[lag])))
            second = marey_add(second, marey_mul(load(signal + lag + 1), marey_all(taps[lag + 1])))
        }
        return marey_add(first, second)
    }
}

@inline(__always)
private func load(_ place: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(place).loadUnaligned(as: SIMD8<Float>.self)
}
