import Kernels
import Signals

/// Interval lengths at the times of their later beats, made into evenly spaced samples by the natural cubic spline
/// through them.
enum EvenSampling {
    /// Samples at `rate` per second from the first of `times` (rising, in seconds) to the last; none where the points
    /// make no curve.
    static func samples(times: [Seconds], values: [Double], rate: Double) -> [Double] {
        guard let start = times.first, let end = times.last,
            let curve = try? PiecewisePolynomial.cubicSpline(x: times, y: values, boundary: .natural)
        else { return [] }
        let last = Int(((end - start) * rate).rounded(.down))
        // The curve ends at `end`: rounding may not put the last place beyond.
        return curve((0...last).map { min(start + Double($0) / rate, end) })
    }
}
