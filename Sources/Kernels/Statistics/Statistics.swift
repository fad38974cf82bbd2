/// Statistics of whole arrays. No values give not-a-number, and so does any value that is not a number.
public enum Statistics {
    /// What turns a median absolute deviation into the standard deviation of normal data: 1 / Φ⁻¹(3/4).
    public static let normalConsistency = 1.482_602_218_505_602

    /// The sum, in eight partial sums.
    public static func sum(_ values: [Double]) -> Double {
        values.withUnsafeBufferPointer { values in
            guard let base = values.baseAddress else { return 0 }
            var (s0, s1) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
            let blocks = values.count / 8
            for block in 0..<blocks {
                let from = UnsafeRawPointer(base + 8 * block)
                s0 += from.loadUnaligned(as: SIMD4<Double>.self)
                s1 += from.loadUnaligned(fromByteOffset: 32, as: SIMD4<Double>.self)
            }
            return values[(8 * blocks)...].reduce((s0 + s1).sum(), +)
        }
    }

    /// The arithmetic mean.
    public static func mean(_ values: [Double]) -> Double {
        sum(values) / Double(values.count)
    }

    /// The arithmetic mean of floats, in double precision.
    public static func mean(_ values: Span<Float>) -> Double {
        values.withUnsafeBufferPointer { values in
            // Four partial sums in fixed order: the same on every machine, and no waiting for one sum.
            var (s0, s1, s2, s3) = (0.0, 0.0, 0.0, 0.0)
            let whole = values.count / 4 * 4
            for index in stride(from: 0, to: whole, by: 4) {
                s0 += Double(values[index])
                s1 += Double(values[index + 1])
                s2 += Double(values[index + 2])
                s3 += Double(values[index + 3])
            }
            for index in whole..<values.count { s0 += Double(values[index]) }
            return ((s0 + s1) + (s2 + s3)) / Double(values.count)
        }
    }

    /// The sum of squared distances from the mean over `count − ddof`, in two passes.
    /// - Parameter ddof: 1 for the estimate from a sample, 0 for the variance of the values themselves.
    public static func variance(_ values: [Double], ddof: Int = 1) -> Double {
        guard values.count > ddof else { return .nan }
        let centre = mean(values)
        let distances = values.map { $0 - centre }
        // What rounding left in the mean is taken out again.
        let rest = sum(distances)
        return (sum(distances.map { $0 * $0 }) - rest * rest / Double(values.count)) / Double(values.count - ddof)
    }

    /// The root of the variance.
    /// - Parameter ddof: 1 for the estimate from a sample, 0 for the deviation of the values themselves.
    public static func standardDeviation(_ values: [Double], ddof: Int = 1) -> Double {
        let variance = variance(values, ddof: ddof)
        return variance < 0 ? 0 : variance.squareRoot()
    }

    /// The middle value, the mean of the middle two for an even number.
    public static func median(_ values: [Double]) -> Double {
        guard !values.isEmpty, !values.contains(where: \.isNaN) else { return .nan }
        var values = values
        let middle = values.count / 2
        let high = select(&values, middle)
        guard values.count % 2 == 0, let low = values[..<middle].max() else { return high }
        return low == high ? low : low / 2 + high / 2
    }

    /// The `probability` quantile with linear interpolation between order statistics (numpy's and scipy's default,
    /// type 7 of Hyndman & Fan 1996).
    /// - Parameter probability: 0…1.
    public static func quantile(_ values: [Double], _ probability: Double) -> Double {
        guard !values.isEmpty, probability >= 0, probability <= 1, !values.contains(where: \.isNaN) else { return .nan }
        var values = values
        let place = probability * Double(values.count - 1)
        let index = Int(place)
        let low = select(&values, index)
        guard index + 1 < values.count, let high = values[(index + 1)...].min(), high != low else { return low }
        return low + (high - low) * (place - Double(index))
    }

    /// The median distance from the median, unscaled; times `normalConsistency` it estimates a standard deviation.
    public static func medianAbsoluteDeviation(_ values: [Double]) -> Double {
        let centre = median(values)
        return median(values.map { abs($0 - centre) })
    }

    /// The area under the points (`x`, `y`) by the trapezoid rule; 0 for fewer than two points.
    /// - Precondition: as many `x` as `y`.
    public static func trapezoid(_ y: [Double], x: [Double]) -> Double {
        precondition(x.count == y.count, "an x for each y")
        guard y.count > 1 else { return 0 }
        let areas = (1..<y.count).map { index -> Double in
            let (width, height) = (x[index] - x[index - 1], y[index] + y[index - 1])
            return width * height / 2
        }
        return sum(areas)
    }

    /// The area under values `spacing` apart by the trapezoid rule; 0 for fewer than two values.
    public static func trapezoid(_ y: [Double], spacing: Double) -> Double {
        guard y.count > 1 else { return 0 }
        return spacing * (sum(y) - (y[0] + y[y.count - 1]) / 2)
    }

    /// The least-squares line y = intercept + slope·x; not a number for fewer than two different x.
    /// - Precondition: as many `x` as `y`.
    public static func linearFit(x: [Double], y: [Double]) -> (slope: Double, intercept: Double) {
        precondition(x.count == y.count, "an x for each y")
        let (middle, level) = (mean(x), mean(y))
        let distances = x.map { $0 - middle }
        let spread = sum(distances.map { $0 * $0 })
        guard spread > 0 else { return (.nan, .nan) }
        let slope = sum(zip(distances, y).map { $0 * ($1 - level) }) / spread
        return (slope, level - slope * middle)
    }

    /// The value of rank `rank`, moved there with nothing larger before it and nothing smaller behind it.
    private static func select(_ values: inout [Double], _ rank: Int) -> Double {
        var (low, high) = (0, values.count - 1)
        // Quickselect (Hoare 1961); should the pivots be unlucky for long, sorting bounds the time.
        var rounds = 64
        while low < high {
            if rounds == 0 {
                values[low...high].sort()
                break
            }
            rounds -= 1
            let pivot = middle(values[low], values[(low + high) / 2], values[high])
            var (i, j) = (low, high)
            while i <= j {
                while values[i] < pivot { i += 1 }
                while values[j] > pivot { j -= 1 }
                if i <= j {
                    values.swapAt(i, j)
                    i += 1
                    j -= 1
                }
            }
            if rank <= j { high = j } else if rank >= i { low = i } else { break }
        }
        return values[rank]
    }

    private static func middle(_ a: Double, _ b: Double, _ c: Double) -> Double {
        max(min(a, b), min(max(a, b), c))
    }
}
