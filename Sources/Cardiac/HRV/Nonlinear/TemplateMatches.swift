/// Pairs of patterns in a series that lie within a tolerance of one another, the quantity behind sample entropy.
struct TemplateMatches {
    /// Pairs whose first `dimension` values all match.
    var short = 0
    /// Pairs of which the next value matches as well.
    var long = 0

    /// −ln(long / short); nil where nothing matches.
    var sampleEntropy: Double? {
        long > 0 ? -logarithm(Double(long) / Double(short)) : nil
    }

    static func + (left: TemplateMatches, right: TemplateMatches) -> TemplateMatches {
        TemplateMatches(short: left.short + right.short, long: left.long + right.long)
    }

    init(short: Int = 0, long: Int = 0) {
        self.short = short
        self.long = long
    }

    /// Counts the pairs i < j of the `count − dimension` patterns of `series` with |x[i+k] − x[j+k]| ≤ `tolerance` for
    /// k = 0 … dimension − 1, and to `dimension` (Richman & Moorman 2000).
    ///
    /// Patterns are put in order of their first value, so that only neighbours in that order need looking at: about a
    /// tenth of all pairs at a tolerance of 0.2 standard deviations, eight at a time.
    init(_ series: [Double], dimension: Int, tolerance: Double) {
        let count = series.count - dimension
        guard count > 1, dimension > 0, tolerance >= 0 else { return }
        let order = (0..<count).sorted { series[$0] < series[$1] }
        // Column k holds the patterns' values at k in that order, and a full vector beyond the end.
        let columns = (0...dimension).map { step in
            order.map { series[$0 + step] } + Array(repeating: Double.infinity, count: 8)
        }
        var last = 0
        let first = columns[0]
        for place in 0..<count {
            last = max(last, place)
            while last + 1 < count, first[last + 1] - first[place] <= tolerance { last += 1 }
            if dimension == 2 {
                countPairs(columns[1], columns[2], place, last, tolerance)
            } else {
                countPairs(columns, dimension, place, last, tolerance)
            }
        }
    }

    /// Pairs of the pattern at `place` with those up to `last`, for patterns of two values.
    private mutating func countPairs(
        _ second: [Double], _ third: [Double], _ place: Int, _ last: Int, _ tolerance: Double
    ) {
        second.withUnsafeBufferPointer { second in
            third.withUnsafeBufferPointer { third in
                let (here, next) = (SIMD8(repeating: second[place]), SIMD8(repeating: third[place]))
                let limit = SIMD8(repeating: tolerance)
                let floor = SIMD8(repeating: -tolerance)
                var (matches, longMatches) = (SIMD8<Int64>.zero, SIMD8<Int64>.zero)
                let ones = SIMD8<Int64>(repeating: 1)
                var other = place + 1
                while other + 7 <= last {
                    let raw = UnsafeRawPointer(second.baseAddress! + other).loadUnaligned(as: SIMD8<Double>.self) - here
                    let inside = (raw .<= limit) .& (raw .>= floor)
                    let rawNext =
                        UnsafeRawPointer(third.baseAddress! + other).loadUnaligned(as: SIMD8<Double>.self) - next
                    let insideNext = inside .& (rawNext .<= limit) .& (rawNext .>= floor)
                    matches = matches &+ SIMD8<Int64>.zero.replacing(with: ones, where: inside)
                    longMatches = longMatches &+ SIMD8<Int64>.zero.replacing(with: ones, where: insideNext)
                    other += 8
                }
                short += Int(matches.wrappedSum())
                long += Int(longMatches.wrappedSum())
                while other <= last {
                    if abs(second[other] - second[place]) <= tolerance {
                        short += 1
                        if abs(third[other] - third[place]) <= tolerance { long += 1 }
                    }
                    other += 1
                }
            }
        }
    }

    private mutating func countPairs(
        _ columns: [[Double]], _ dimension: Int, _ place: Int, _ last: Int, _ tolerance: Double
    ) {
        for other in stride(from: place + 1, through: last, by: 1) {
            var step = 1
            while step <= dimension, abs(columns[step][other] - columns[step][place]) <= tolerance { step += 1 }
            if step >= dimension { short += 1 }
            if step > dimension { long += 1 }
        }
    }
}
