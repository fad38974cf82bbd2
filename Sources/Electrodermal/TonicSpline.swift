/// The cubic B-splines of the tonic component, one knot every `step` samples: at most four reach any sample.
struct TonicSpline {
    /// Samples between knots.
    let step: Int
    /// Samples from the first knot to the first sample, fewer than `step`.
    let offset: Int
    /// Number of splines.
    let count: Int
    /// Values of one spline from its first to its last sample that is not zero, centred, highest value 1.
    let values: [Double]
    /// Samples a spline reaches to either side of its knot.
    let reach: Int

    /// The splines over `length` samples, the first of which comes `place` samples after a knot.
    init(step: Int, length: Int, place: Int) {
        self.step = step
        offset = place % step
        count = (length + offset + step - 1) / step
        let rise = (1..<step).map(Double.init)
        let triangle = rise + [Double(step)] + rise.reversed()
        var spline = [Double](repeating: 0, count: 2 * triangle.count - 1)
        for (i, a) in triangle.enumerated() {
            for (j, b) in triangle.enumerated() { spline[i + j] += a * b }
        }
        let highest = spline.max() ?? 1
        values = spline.map { $0 / highest }
        reach = values.count / 2
    }

    /// The place of a spline's knot; the first may lie before the first sample.
    @inline(__always)
    func knot(of index: Int) -> Int { index * step - offset }

    /// The first sample a spline reaches, at least 0.
    @inline(__always)
    func arrival(of index: Int) -> Int { Swift.max(0, knot(of: index) - reach) }

    /// The sample after the last that a spline reaches.
    @inline(__always)
    func departure(of index: Int) -> Int { knot(of: index) + reach + 1 }

    /// The samples a spline reaches.
    func samples(of index: Int, within length: Int) -> Range<Int> {
        arrival(of: index)..<Swift.min(length, departure(of: index))
    }
}
