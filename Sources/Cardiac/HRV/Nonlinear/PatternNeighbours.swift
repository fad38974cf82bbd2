/// How many patterns of a series lie within a tolerance of each of them, the quantity behind approximate entropy.
struct PatternNeighbours {
    /// Matches of each pattern of `dimension` values, itself among them; one pattern more than there are longer ones.
    private var short: [Int]
    /// Matches of each pattern of `dimension` + 1 values, itself among them.
    private var long: [Int]

    /// Patterns match where all their values differ by no more than `tolerance`; nil where there is none.
    init?(_ series: [Double], dimension: Int, tolerance: Double) {
        let count = series.count - dimension
        guard count > 1, dimension > 0, tolerance > 0 else { return nil }
        let rows = PatternRows(series, count: count, length: dimension + 1)
        (short, long) = rows.neighbours(tolerance)
        // The last of the shorter patterns has no value to follow it.
        var own = 1
        for place in 0..<count
        where (0..<dimension).allSatisfy({ abs(series[place + $0] - series[count + $0]) <= tolerance }) {
            short[place] += 1
            own += 1
        }
        short.append(own)
    }

    /// Approximate entropy (Pincus 1991): every pattern matches itself, too.
    var approximateEntropy: Double { Self.phi(short) - Self.phi(long) }

    /// Pairs of patterns that match, those with a value to follow them alone (Richman & Moorman 2000).
    var matches: TemplateMatches {
        // Each pair was counted from both its ends, and each pattern with itself; the last one's pairs do not count.
        let last = short[short.count - 1]
        let pairs = short.reduce(0, +) - short.count - 2 * (last - 1)
        return TemplateMatches(short: pairs / 2, long: (long.reduce(0, +) - long.count) / 2)
    }

    private static func phi(_ neighbours: [Int]) -> Double {
        let count = Double(neighbours.count)
        return neighbours.reduce(0) { $0 + logarithm(Double($1) / count) } / count
    }
}

/// Patterns of successive values laid out for comparing every pair of them, four at a time.
///
/// Row k holds the values at k of all patterns; beyond its end a whole vector may be read, where all is infinitely far.
struct PatternRows {
    private let rows: [Double]
    private let count: Int
    private let length: Int
    private var stride: Int { count + 4 }

    init(_ series: [Double], count: Int, length: Int) {
        self.count = count
        self.length = length
        let stride = count + 4
        var rows = [Double](repeating: .infinity, count: length * stride)
        for step in 0..<length {
            for place in 0..<count { rows[step * stride + place] = series[place + step] }
        }
        self.rows = rows
    }

    /// Pairs whose values all match, and whose values but the last match.
    func matches(_ tolerance: Double) -> TemplateMatches {
        var (short, long) = (SIMD4<Int64>.zero, SIMD4<Int64>.zero)
        forEachGroup(tolerance) { _, nearShort, nearLong in
            short &-= nearShort
            long &-= nearLong
        } ended: { _ in
        }
        return TemplateMatches(short: Int(short.wrappedSum()), long: Int(long.wrappedSum()))
    }

    /// For each pattern how many match it in all values but the last, and in all, itself among them.
    func neighbours(_ tolerance: Double) -> (short: [Int], long: [Int]) {
        var short = [Int](repeating: 1, count: stride)
        var long = short
        short.withUnsafeMutableBytes { short in
            long.withUnsafeMutableBytes { long in
                var (ownShort, ownLong) = (SIMD4<Int64>.zero, SIMD4<Int64>.zero)
                forEachGroup(tolerance) { other, nearShort, nearLong in
                    Self.subtract(nearShort, short, other)
                    Self.subtract(nearLong, long, other)
                    ownShort &-= nearShort
                    ownLong &-= nearLong
                } ended: { place in
                    Self.add(ownShort, short, place)
                    Self.add(ownLong, long, place)
                    (ownShort, ownLong) = (.zero, .zero)
                }
            }
        }
        return (Array(short[..<count]), Array(long[..<count]))
    }

    @inline(__always)
    private static func subtract(_ near: SIMD4<Int64>, _ counts: UnsafeMutableRawBufferPointer, _ other: Int) {
        guard let base = counts.baseAddress else { return }
        let there = base + other * 8
        there.storeBytes(of: there.loadUnaligned(as: SIMD4<Int64>.self) &- near, as: SIMD4<Int64>.self)
    }

    @inline(__always)
    private static func add(_ own: SIMD4<Int64>, _ counts: UnsafeMutableRawBufferPointer, _ place: Int) {
        guard let base = counts.baseAddress else { return }
        base.assumingMemoryBound(to: Int.self)[place] &+= Int(own.wrappedSum())
    }

    /// Calls `body`, for one pattern after another, with the first of four later ones and lanes of −1 where these match it
    /// without and with their last value, and `ended` with the pattern when it was compared with all of them.
    @inline(__always)
    private func forEachGroup(
        _ tolerance: Double, _ body: (Int, SIMD4<Int64>, SIMD4<Int64>) -> Void, ended: (Int) -> Void
    ) {
        let stride = stride
        rows.withUnsafeBufferPointer { rows in
            guard let base = rows.baseAddress else { return }
            // A constant length is unrolled.
            if length == 3 {
                Self.walk(base, 3, count, stride, tolerance, body, ended)
            } else {
                Self.walk(base, length, count, stride, tolerance, body, ended)
            }
        }
    }

    @inline(__always)
    private static func walk(
        _ rows: UnsafePointer<Double>, _ length: Int, _ count: Int, _ stride: Int, _ tolerance: Double,
        _ body: (Int, SIMD4<Int64>, SIMD4<Int64>) -> Void, _ ended: (Int) -> Void
    ) {
        for place in 0..<count - 1 {
            var other = place + 1
            while other < count {
                var short = near(rows, place, other, tolerance)
                for step in 1..<max(1, length - 1) { short &= near(rows + step * stride, place, other, tolerance) }
                let long = short & near(rows + (length - 1) * stride, place, other, tolerance)
                body(other, short, long)
                other += 4
            }
            ended(place)
        }
    }

    @inline(__always)
    private static func near(
        _ row: UnsafePointer<Double>, _ place: Int, _ other: Int, _ tolerance: Double
    ) -> SIMD4<Int64> {
        let values = UnsafeRawPointer(row + other).loadUnaligned(as: SIMD4<Double>.self)
        let difference = values - SIMD4(repeating: row[place])
        // Without the sign's bit.
        let size = unsafeBitCast(difference, to: SIMD4<UInt64>.self) & SIMD4(repeating: 0x7fff_ffff_ffff_ffff)
        let mask = unsafeBitCast(size, to: SIMD4<Double>.self) .<= SIMD4(repeating: tolerance)
        return unsafeBitCast(mask, to: SIMD4<Int64>.self)
    }
}
