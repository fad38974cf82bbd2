import CVectors

/// Passes over samples that look at eight at once.
package enum Scans {
    /// The largest magnitude among `values`, 0 where there are none; not a number where one of them is not.
    package static func largestMagnitude(_ values: Span<Float>) -> Float {
        values.withUnsafeBufferPointer { values in
            // The bits of magnitudes are in the order of the magnitudes, those of what is not a number behind all.
            var most: UInt32 = 0
            for value in values { most = max(most, value.bitPattern & 0x7fff_ffff) }
            return Float(bitPattern: most)
        }
    }

    /// Lowers `values` to those of `others` where these are lower.
    /// - Precondition: as many of both.
    package static func lower(_ values: inout [Float], to others: Span<Float>) {
        precondition(values.count == others.count, "as many of both")
        values.withUnsafeMutableBufferPointer { values in
            others.withUnsafeBufferPointer { others in
                for place in values.indices {
                    values[place] = others[place] < values[place] ? others[place] : values[place]
                }
            }
        }
    }

    /// In how many places both are above `floor`.
    /// - Precondition: as many of both.
    package static func count(_ some: Span<Float>, _ others: Span<Float>, above floor: Float) -> Int {
        precondition(some.count == others.count, "as many of both")
        return some.withUnsafeBufferPointer { some in
            others.withUnsafeBufferPointer { others in
                var count: Int32 = 0
                for place in some.indices {
                    let one: Int32 = some[place] > floor ? 1 : 0
                    let other: Int32 = others[place] > floor ? 1 : 0
                    count &+= one & other
                }
                return Int(count)
            }
        }
    }

    /// How many magnitudes of `values` are below `low`, and how many are `high` or less.
    package static func countMagnitudes(_ values: Span<Float>, below low: Float, upTo high: Float) -> (Int, Int) {
        values.withUnsafeBufferPointer { values in
            var counts: (Int32, Int32) = (0, 0)
            for value in values {
                let isLow: Int32 = abs(value) < low ? 1 : 0
                let isIn: Int32 = abs(value) <= high ? 1 : 0
                counts.0 &+= isLow
                counts.1 &+= isIn
            }
            return (Int(counts.0), Int(counts.1))
        }
    }

    /// Adds `values` times `weight` to those at `target`.
    package static func add(_ values: Span<Float>, times weight: Float, to target: UnsafeMutablePointer<Float>) {
        values.withUnsafeBufferPointer { values in
            for index in 0..<values.count { target[index] += weight * values[index] }
        }
    }

    /// Writes `count` values times `factor` and moved by `level` to `target`, where they may lie as well.
    package static func move(
        _ values: UnsafePointer<Float>, count: Int, times factor: Float, by level: Float,
        to target: UnsafeMutablePointer<Float>
    ) {
        for index in 0..<count { target[index] = values[index] * factor + level }
    }

    /// Writes values times `weight` to `target`.
    package static func write(
        _ values: Span<Float>, times weight: Float, to target: UnsafeMutablePointer<Float>
    ) {
        // As added to nothing: no zero is negative.
        values.withUnsafeBufferPointer { values in
            for index in 0..<values.count { target[index] = 0 + weight * values[index] }
        }
    }

    /// Writes the steps from each of `values` to the next into `steps`.
    /// - Precondition: one step fewer than values.
    package static func steps(_ values: Span<Float>, into steps: inout [Float]) {
        precondition(steps.count + 1 == values.count, "a step between two values")
        values.withUnsafeBufferPointer { values in
            steps.withUnsafeMutableBufferPointer { steps in
                guard let from = values.baseAddress, let to = steps.baseAddress else { return }
                for index in 0..<steps.count { to[index] = from[index &+ 1] - from[index] }
            }
        }
    }

    /// How many of `values` are not a number.
    package static func countMissing(_ values: Span<Float>) -> Int {
        // Mostly there is none, which the loop that looks at eight at once tells.
        largestMagnitude(values).isNaN ? values.indices.count { values[$0].isNaN } : 0
    }

    /// At each of `places` the value `reach` places later less that as many before.
    /// - Precondition: all of these are there.
    package static func differences(_ values: Span<Float>, around places: Range<Int>, reach: Int) -> [Float] {
        guard !places.isEmpty else { return [] }
        precondition(places.lowerBound >= reach && places.upperBound + reach <= values.count, "places with neighbours")
        return values.withUnsafeBufferPointer { values in
            Array(unsafeUninitializedCapacity: places.count) { found, count in
                for place in places {
                    found[place - places.lowerBound] = values[place + reach] - values[place - reach]
                }
                count = places.count
            }
        }
    }

    /// The largest of these differences, as a magnitude; not a number where one of them is not.
    /// - Precondition: as `differences`.
    package static func largestDifference(_ values: Span<Float>, around places: Range<Int>, reach: Int) -> Float {
        guard !places.isEmpty else { return 0 }
        precondition(places.lowerBound >= reach && places.upperBound + reach <= values.count, "places with neighbours")
        return values.withUnsafeBufferPointer { values in
            var most: UInt32 = 0
            for place in places {
                most = max(most, (values[place &+ reach] - values[place &- reach]).bitPattern & 0x7fff_ffff)
            }
            return Float(bitPattern: most)
        }
    }

    /// Whether three successive values are the same somewhere.
    package static func hasThreeEqual(_ values: Span<Float>) -> Bool {
        values.withUnsafeBufferPointer { values in
            guard let start = values.baseAddress else { return false }
            return marey_three_equal(start, values.count) != 0
        }
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
