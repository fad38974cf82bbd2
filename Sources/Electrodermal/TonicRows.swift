/// What each tonic unknown weighs at each sample, ready for a factorisation: lanes 0…3 the splines by index modulo 4,
/// lanes 4 and 5 offset and slope.
struct TonicRows {
    typealias Row = SIMD8<Double>

    private let step: Int
    private let offset: Int
    private let count: Int
    private let perSample: Double
    /// By place between two knots, and by the earlier knot's index modulo 4.
    private let rows: [Row]

    init(_ spline: TonicSpline, length: Int) {
        (step, offset, count) = (spline.step, spline.offset, spline.count)
        perSample = 1 / Double(length)
        var rows = [Row](repeating: .zero, count: 4 * spline.step)
        for phase in 0..<spline.step {
            for knot in 0..<4 {
                for neighbour in -1...2 {
                    let place = phase - neighbour * spline.step + spline.reach
                    guard spline.values.indices.contains(place) else { continue }
                    rows[4 * phase + knot][(knot + neighbour) & 3] = spline.values[place]
                }
                rows[4 * phase + knot][4] = 1
            }
        }
        self.rows = rows
    }

    /// Calls `body` with what tells the row of a sample among `samples`.
    func withRows(over samples: Range<Int>, _ body: ((Int) -> Row) -> Void) {
        var slope = Row.zero
        slope[5] = perSample
        rows.withUnsafeBufferPointer { rows in
            body { k in
                let place = k &+ offset
                let knot = place / step
                var row = rows[4 &* (place &- knot &* step) &+ (knot & 3)] + Double(k &+ 1) * slope
                if knot == 0 || knot &+ 2 >= count { row.replace(with: 0, where: missing(at: knot)) }
                return row
            }
        }
    }

    /// The lanes whose spline does not exist next to this knot.
    private func missing(at knot: Int) -> SIMDMask<SIMD8<Int64>> {
        var missing = SIMDMask<SIMD8<Int64>>(repeating: false)
        for neighbour in -1...2 where !(0..<count).contains(knot + neighbour) { missing[(knot + neighbour) & 3] = true }
        return missing
    }
}
