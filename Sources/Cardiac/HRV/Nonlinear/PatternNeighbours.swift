import CVectors

/// How many patterns of a series lie within a tolerance of each of them, the quantity behind approximate entropy.
struct PatternNeighbours {
    /// Matches of each pattern of `dimension` values, itself among them; one pattern more than there are longer ones.
    private var short: [Int]
    /// Matches of each pattern of `dimension` + 1 values, itself among them.
    private var long: [Int]

    /// Up to so many values their neighbours are told at little cost.
    static let most = 10_000

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
        // Many patterns have as many: each logarithm is taken once.
        var known = [Double](repeating: .nan, count: neighbours.count + 1)
        return neighbours.reduce(0) { sum, matches in
            if known[matches].isNaN { known[matches] = logarithm(Double(matches) / count) }
            return sum + known[matches]
        } / count
    }
}

/// Patterns of successive values in the order of their first ones, so that only neighbours in that order need comparing.
///
/// Row k holds the values at k of all patterns; beyond its end a whole vector may be read, where all is infinitely far.
struct PatternRows {
    private var rows: [Double]
    /// Where in the series each pattern begins.
    private var places: [Int32]
    private let length: Int
    private var stride: Int { places.count + 4 }

    /// The first `count` patterns of `length` values, 2 at least.
    init(_ series: [Double], count: Int, length: Int) {
        precondition(length > 1 && count > 0 && count <= Int32.max && count + length - 1 <= series.count, "patterns")
        self.length = length
        places = [Int32](unsafeUninitializedCapacity: count) { places, filled in
            withUnsafeTemporaryAllocation(of: UInt.self, capacity: 2 * count) { spare in
                series.withUnsafeBufferPointer { series in
                    guard let from = series.baseAddress, let to = places.baseAddress, let spare = spare.baseAddress
                    else { return }
                    marey_put_in_order(from, Int32(count), to, spare, spare + count)
                    filled = count
                }
            }
        }
        rows = [Double](repeating: .infinity, count: length * (count + 4))
        for step in 0..<length {
            let row = step * stride
            for index in 0..<count { rows[row + index] = series[Int(places[index]) + step] }
        }
    }

    /// Pairs whose values all match, and whose values but the last match.
    func matches(_ tolerance: Double) -> TemplateMatches {
        rows.withUnsafeBufferPointer { rows in
            guard let rows = rows.baseAddress else { return TemplateMatches() }
            let found = marey_count_matches(rows, stride, Int32(length), places.count, tolerance)
            return TemplateMatches(short: found.shorts, long: found.longs)
        }
    }

    /// For each pattern how many match it in all values but the last, and in all, itself among them.
    func neighbours(_ tolerance: Double) -> (short: [Int], long: [Int]) {
        var counts = [Int](repeating: 0, count: stride)
        counts.withUnsafeMutableBufferPointer { counts in
            rows.withUnsafeBufferPointer { rows in
                guard let rows = rows.baseAddress, let counts = counts.baseAddress else { return }
                marey_count_neighbours(rows, stride, Int32(length), places.count, tolerance, counts)
            }
        }
        var short = [Int](repeating: 1, count: places.count)
        var long = short
        for (index, place) in places.enumerated() {
            short[Int(place)] += counts[index] & 0xffff_ffff
            long[Int(place)] += counts[index] >> 32
        }
        return (short, long)
    }
}
