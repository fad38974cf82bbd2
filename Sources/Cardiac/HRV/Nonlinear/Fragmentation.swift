/// Heart rate fragmentation (Costa, Davis & Goldberger 2017, Front Physiol 8:255), over all stretches of measured
/// intervals in a row.
struct Fragmentation {
    /// Percentage of inflection points: intervals where the heart stops slowing down or speeding up.
    private(set) var inflections = 0.0
    /// Inverse of the mean length of the stretches over which it slows down, or speeds up.
    private(set) var inverseLength: Double?
    /// Percentage of differences outside such stretches of three and more.
    private(set) var shortSegments = 0.0
    /// Percentage of differences in stretches of four and more that change sign with every beat.
    private(set) var alternation = 0.0

    /// From the differences of successive intervals, a list for each stretch of intervals in a row.
    init?(_ stretches: [[Double]]) {
        let total = stretches.reduce(0) { $0 + $1.count }
        let intervals = total + stretches.count
        guard total > 0 else { return nil }
        var (turns, segments, inSegments, inLong, inAlternation) = (0, 0, 0, 0, 0)
        for stretch in stretches {
            let signs = stretch.map { abs($0) < 1e-6 ? 0 : $0 > 0 ? 1 : -1 }
            for (sign, next) in zip(signs, signs.dropFirst()) where sign * next <= 0 && sign != next { turns += 1 }
            Self.forEachRun(signs, where: { $0 == $1 && $0 != 0 }) { length, first in
                guard first != 0 else { return }
                segments += 1
                inSegments += length
                if length >= 3 { inLong += length }
            }
            Self.forEachRun(signs, where: { $0 * $1 < 0 }) { length, _ in
                if length >= 4 { inAlternation += length }
            }
        }
        inflections = 100 * Double(turns) / Double(intervals)
        inverseLength = inSegments > 0 ? Double(segments) / Double(inSegments) : nil
        shortSegments = 100 * (1 - Double(inLong) / Double(total))
        alternation = 100 * Double(inAlternation) / Double(total)
    }

    /// Calls `body` with the length and the first element of each longest run whose neighbours `belong` together.
    private static func forEachRun(
        _ signs: [Int], where belong: (Int, Int) -> Bool, _ body: (_ length: Int, _ first: Int) -> Void
    ) {
        var start = 0
        for place in signs.indices where place + 1 == signs.count || !belong(signs[place], signs[place + 1]) {
            body(place + 1 - start, signs[start])
            start = place + 1
        }
    }
}
