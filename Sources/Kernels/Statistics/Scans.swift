import CVectors

/// Passes over samples that look at eight at once.
package enum Scans {
    /// A bit for each of the eight values from `values` on that stands above `floor` and above the value before it, and
    /// is not below the next one.
    @inline(__always)
    package static func tops(_ values: UnsafePointer<Float>, above floor: Float) -> UInt32 {
        marey_tops(values, floor)
    }

    /// The sum of `count` values, a multiple of 8.
    package static func sum(_ values: UnsafePointer<Float>, _ count: Int) -> Float {
        var sum = SIMD8<Float>.zero
        for place in stride(from: 0, to: count, by: 8) { sum = marey_add(sum, load(values + place)) }
        return marey_sum(sum)
    }

    /// Where the highest of `count` places is, the first of equal ones, once each is averaged with triangular weights
    /// over `smoothing` samples to either side. Eight places are read at once, so up to seven more than `count`.
    /// - Parameters:
    ///   - reference: taken from every sample first.
    ///   - sign: -1 for the lowest.
    package static func top(
        _ values: UnsafePointer<Float>, count: Int, smoothing: Int, reference: Float, sign: Float
    ) -> Int {
        var best = 0
        var highest = -Float.infinity
        let reference = marey_all(reference)
        for first in stride(from: 0, to: count, by: 8) {
            var heights = SIMD8<Float>.zero
            for lag in -smoothing...smoothing {
                let weight = marey_all(sign * Float(smoothing + 1 - abs(lag)))
                heights = marey_add(heights, marey_mul(weight, marey_sub(load(values + first + lag), reference)))
            }
            for lane in 0..<min(8, count - first) where heights[lane] > highest {
                highest = heights[lane]
                best = first + lane
            }
        }
        return best
    }

    /// Copies `count` samples.
    /// - Returns: whether all are finite.
    package static func copy(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Float>, _ count: Int)
        -> Bool
    {
        var first = SIMD8<Float>.zero
        var second = SIMD8<Float>.zero
        let zero = SIMD8<Float>.zero
        var place = 0
        while place + 16 <= count {
            let one = load(source + place)
            let other = load(source + place + 8)
            store(one, target + place)
            store(other, target + place + 8)
            // NaN for what is not finite.
            first = marey_add(first, marey_mul(one, zero))
            second = marey_add(second, marey_mul(other, zero))
            place += 16
        }
        var rest = marey_sum(marey_add(first, second))
        while place < count {
            target[place] = source[place]
            rest += source[place] * 0
            place += 1
        }
        return rest == 0
    }
}

@inline(__always)
private func load(_ place: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(place).loadUnaligned(as: SIMD8<Float>.self)
}

@inline(__always)
private func store(_ value: SIMD8<Float>, _ place: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(place).storeBytes(of: value, as: SIMD8<Float>.self)
}
