/// Pairs of patterns in a series that lie within a tolerance of one another, the quantity behind sample entropy.
struct TemplateMatches {
    /// Pairs whose first `dimension` values all match.
    var short = 0
    /// Pairs of which the next value matches as well.
    var long = 0

    /// Up to so many patterns it is quicker to order them by their first value than by two.
    private static let mostInRow = 4_096

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
    /// For many patterns of two values these are points of a plane, put in strips as wide as the tolerance and, within a strip,
    /// in order of their second value: matches lie in a short row of the same or of the next strip.
    init(_ series: [Double], dimension: Int, tolerance: Double) {
        let count = series.count - dimension
        guard count > 1, dimension > 0, tolerance > 0 else { return }
        if count > Self.mostInRow, dimension == 2 {
            countStrips(series, count, tolerance)
        } else {
            self = PatternRows(series, count: count, length: dimension + 1).matches(tolerance)
        }
    }

    private mutating func countStrips(_ series: [Double], _ count: Int, _ tolerance: Double) {
        let strips = series.map { Int(($0 / tolerance).rounded(.down)) }
        let order = (0..<count).sorted {
            (strips[$0], series[$0 + 1]) < (strips[$1], series[$1 + 1])
        }
        let columns = (0...2).map { step in order.map { series[$0 + step] } }
        var start = 0
        while start < count {
            let strip = strips[order[start]]
            var end = start
            while end < count, strips[order[end]] == strip { end += 1 }
            var nextEnd = end
            while nextEnd < count, strips[order[nextEnd]] == strip + 1 { nextEnd += 1 }
            countStrip(columns, start..<end, next: end..<nextEnd, tolerance)
            start = end
        }
    }

    /// Pairs within one strip, whose first values match, and from it to the next.
    private mutating func countStrip(
        _ columns: [[Double]], _ strip: Range<Int>, next: Range<Int>, _ tolerance: Double
    ) {
        let second = columns[1]
        var last = strip.lowerBound
        var (low, high) = (next.lowerBound, next.lowerBound)
        for place in strip {
            last = max(last, place)
            while last + 1 < strip.upperBound, second[last + 1] - second[place] <= tolerance { last += 1 }
            short += last - place
            long += Self.matches(columns[2], place, place + 1..<last + 1, tolerance)
            while low < next.upperBound, second[place] - second[low] > tolerance { low += 1 }
            high = max(high, low)
            while high < next.upperBound, second[high] - second[place] <= tolerance { high += 1 }
            let both = Self.matches(columns[0], columns[2], place, low..<high, tolerance)
            short += both.first
            long += both.both
        }
    }

    /// How many of the values in `range` match the one at `place`.
    private static func matches(
        _ column: [Double], _ place: Int, _ range: Range<Int>, _ tolerance: Double
    ) -> Int {
        column.withUnsafeBufferPointer { column in
            let here = SIMD4(repeating: column[place])
            let (floor, limit) = (SIMD4(repeating: -tolerance), SIMD4(repeating: tolerance))
            // A mask's lane is -1 where it holds.
            var (found, other) = (SIMD4<Int64>.zero, range.lowerBound)
            while other + 4 <= range.upperBound {
                let difference = load(column, other) - here
                found &-= lanes(difference .<= limit) & lanes(difference .>= floor)
                other += 4
            }
            var total = Int(found.wrappedSum())
            while other < range.upperBound {
                if abs(column[other] - column[place]) <= tolerance { total += 1 }
                other += 1
            }
            return total
        }
    }

    /// How many of the places in `range` match the one at `place` in the first column, and in both.
    private static func matches(
        _ first: [Double], _ second: [Double], _ place: Int, _ range: Range<Int>, _ tolerance: Double
    ) -> (first: Int, both: Int) {
        first.withUnsafeBufferPointer { first in
            second.withUnsafeBufferPointer { second in
                let (here, there) = (SIMD4(repeating: first[place]), SIMD4(repeating: second[place]))
                let (floor, limit) = (SIMD4(repeating: -tolerance), SIMD4(repeating: tolerance))
                var (found, foundBoth, other) = (SIMD4<Int64>.zero, SIMD4<Int64>.zero, range.lowerBound)
                while other + 4 <= range.upperBound {
                    let (near, far) = (load(first, other) - here, load(second, other) - there)
                    let inside = lanes(near .<= limit) & lanes(near .>= floor)
                    found &-= inside
                    foundBoth &-= inside & lanes(far .<= limit) & lanes(far .>= floor)
                    other += 4
                }
                var total = (first: Int(found.wrappedSum()), both: Int(foundBoth.wrappedSum()))
                while other < range.upperBound {
                    if abs(first[other] - first[place]) <= tolerance {
                        total.first += 1
                        if abs(second[other] - second[place]) <= tolerance { total.both += 1 }
                    }
                    other += 1
                }
                return total
            }
        }
    }

    @inline(__always)
    private static func load(_ column: UnsafeBufferPointer<Double>, _ place: Int) -> SIMD4<Double> {
        UnsafeRawPointer(column.baseAddress! + place).loadUnaligned(as: SIMD4<Double>.self)
    }

    @inline(__always)
    private static func lanes(_ mask: SIMDMask<SIMD4<Int64>>) -> SIMD4<Int64> {
        unsafeBitCast(mask, to: SIMD4<Int64>.self)
    }
}
