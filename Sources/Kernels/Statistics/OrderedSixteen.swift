import CVectors

/// Up to sixteen numbers in order of size.
package struct OrderedSixteen: Sendable {
    /// The numbers behind one that is smaller than any, and before ones that are larger.
    private var padded: InlineArray<26, Float> = .init(repeating: .infinity)
    private let below = -Float.infinity

    /// None.
    package init() { padded[0] = below }

    /// The number with `rank` smaller ones.
    package subscript(rank: Int) -> Float { padded[rank + 1] }

    /// Forgets all.
    package mutating func removeAll() {
        padded = .init(repeating: .infinity)
        padded[0] = below
    }

    /// Adds a finite number to at most fifteen.
    package mutating func insert(_ number: Float) {
        var span = padded.mutableSpan
        span.withUnsafeMutableBytes { memory in
            let place = memory.baseAddress.unsafelyUnwrapped
            let number = marey_all(number)
            let high = place.loadUnaligned(fromByteOffset: 36, as: SIMD8<Float>.self)
            let highBefore = place.loadUnaligned(fromByteOffset: 32, as: SIMD8<Float>.self)
            let low = place.loadUnaligned(fromByteOffset: 4, as: SIMD8<Float>.self)
            let lowBefore = place.loadUnaligned(fromByteOffset: 0, as: SIMD8<Float>.self)
            place.storeBytes(of: marey_min(low, marey_max(lowBefore, number)), toByteOffset: 4, as: SIMD8<Float>.self)
            place.storeBytes(
                of: marey_min(high, marey_max(highBefore, number)), toByteOffset: 36, as: SIMD8<Float>.self)
        }
    }

    /// Takes one number out that is there.
    package mutating func remove(_ number: Float) {
        var span = padded.mutableSpan
        span.withUnsafeMutableBytes { memory in
            let place = memory.baseAddress.unsafelyUnwrapped
            let number = marey_all(number)
            let low = place.loadUnaligned(fromByteOffset: 4, as: SIMD8<Float>.self)
            let lowAfter = place.loadUnaligned(fromByteOffset: 8, as: SIMD8<Float>.self)
            let high = place.loadUnaligned(fromByteOffset: 36, as: SIMD8<Float>.self)
            let highAfter = place.loadUnaligned(fromByteOffset: 40, as: SIMD8<Float>.self)
            place.storeBytes(of: marey_below(low, number, lowAfter), toByteOffset: 4, as: SIMD8<Float>.self)
            place.storeBytes(of: marey_below(high, number, highAfter), toByteOffset: 36, as: SIMD8<Float>.self)
        }
    }
}
