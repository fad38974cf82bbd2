import CVectors

/// Products of short patterns with a signal at eight successive places.
package struct SlidingProducts: Sendable {
    /// Samples in a pattern.
    package static let length = 16
    /// Places.
    package static let places = 8

    /// The patterns, one after the other.
    package var patterns: [Float]
    private let count: Int
    /// The signal's power under the pattern at each place, then each pattern's product with it.
    package private(set) var results: [Float]

    /// Room for `count` patterns, all 0.
    package init(patterns count: Int) {
        self.count = count
        patterns = [Float](repeating: 0, count: count * Self.length)
        results = [Float](repeating: 0, count: (count + 1) * Self.places)
    }

    /// Looks at the `length + places - 1` samples from `signal` on; one more is read.
    package mutating func slide(_ signal: UnsafePointer<Float>) {
        let signal = UnsafeRawPointer(signal)
        let count = count
        patterns.withUnsafeBufferPointer { patterns in
            results.withUnsafeMutableBytes { results in
                var power = SIMD8<Float>.zero
                for lag in 0..<Self.length {
                    let here = signal.loadUnaligned(fromByteOffset: 4 * lag, as: SIMD8<Float>.self)
                    power = marey_add(power, marey_mul(here, here))
                }
                results.storeBytes(of: power, as: SIMD8<Float>.self)
                for pattern in 0..<count {
                    let taps = patterns.baseAddress.unsafelyUnwrapped + pattern * Self.length
                    // Two sums, so that one addition need not wait for the other.
                    var first = SIMD8<Float>.zero
                    var second = SIMD8<Float>.zero
                    for lag in stride(from: 0, to: Self.length, by: 2) {
                        let one = signal.loadUnaligned(fromByteOffset: 4 * lag, as: SIMD8<Float>.self)
                        let other = signal.loadUnaligned(fromByteOffset: 4 * lag + 4, as: SIMD8<Float>.self)
                        first = marey_add(first, marey_mul(one, marey_all(taps[lag])))
                        second = marey_add(second, marey_mul(other, marey_all(taps[lag + 1])))
                    }
                    results.storeBytes(
                        of: marey_add(first, second), toByteOffset: 32 * (pattern + 1), as: SIMD8<Float>.self)
                }
            }
        }
    }
}
