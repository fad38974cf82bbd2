import Signals

/// Interval lengths at the times of their later beats, made into evenly spaced samples by the natural cubic spline
/// through them.
struct EvenSampling {
    /// Samples, the first at the first beat time.
    var samples: [Double]

    /// Samples at `rate` per second from the first of `times` (rising, in seconds) to the last.
    init(times: [Seconds], values: [Double], rate: Double) {
        guard let start = times.first, let end = times.last, times.count > 1 else {
            samples = values
            return
        }
        let curvatures = Self.curvatures(times, values)
        let count = Int(((end - start) * rate + 1e-6).rounded(.down)) + 1
        samples = []
        samples.reserveCapacity(count)
        var piece = 0
        for place in 0..<count {
            let time = start + Double(place) / rate
            while piece + 2 < times.count, times[piece + 1] < time { piece += 1 }
            let width = times[piece + 1] - times[piece]
            let right = (time - times[piece]) / width
            let left = 1 - right
            let bend =
                (left * left * left - left) * curvatures[piece] + (right * right * right - right)
                * curvatures[piece + 1]
            samples.append(left * values[piece] + right * values[piece + 1] + bend * width * width / 6)
        }
    }

    /// Second derivatives at the knots, zero at both ends (de Boor 1978, ch. IV), by elimination.
    private static func curvatures(_ times: [Seconds], _ values: [Double]) -> [Double] {
        let last = times.count - 1
        var curvatures = [Double](repeating: 0, count: last + 1)
        guard last > 1 else { return curvatures }
        var ratio = curvatures
        for knot in 1..<last {
            let (before, after) = (times[knot] - times[knot - 1], times[knot + 1] - times[knot])
            let bend = (values[knot + 1] - values[knot]) / after - (values[knot] - values[knot - 1]) / before
            let pivot = 2 * (before + after) - before * ratio[knot - 1]
            ratio[knot] = after / pivot
            curvatures[knot] = (6 * bend - before * curvatures[knot - 1]) / pivot
        }
        for knot in stride(from: last - 1, through: 1, by: -1) {
            curvatures[knot] -= ratio[knot] * curvatures[knot + 1]
        }
        return curvatures
    }
}
