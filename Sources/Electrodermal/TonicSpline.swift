/// The cubic B-splines of the tonic component, one knot every `step` samples: at most four reach any sample.
struct TonicSpline {
    /// Samples between knots.
    let step: Int
    /// Number of splines.
    let count: Int
    /// Values of one spline from its first to its last sample that is not zero, centred, highest value 1.
    let values: [Double]
    /// Samples a spline reaches to either side of its knot.
    let reach: Int

    /// The splines over `length` samples.
    init(step: Int, length: Int) {
        self.step = step
        count = (length + step - 1) / step
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

    /// The splines that reach a sample.
    func active(at sample: Int) -> Range<Int> {
        let low = sample - reach
        let first = low <= 0 ? 0 : (low + step - 1) / step
        let last = Swift.min(count - 1, (sample + reach) / step)
        return first..<Swift.max(first, last + 1)
    }

    /// The samples a spline reaches.
    func samples(of index: Int, within length: Int) -> Range<Int> {
        let centre = index * step
        return Swift.max(0, centre - reach)..<Swift.min(length, centre + reach + 1)
    }

    /// The value of spline `index` at a sample it reaches.
    func value(of index: Int, at sample: Int) -> Double {
        values[sample - index * step + reach]
    }
}
