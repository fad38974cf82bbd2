import func Foundation.cos
import func Foundation.sin

/// An autoregressive model fitted by Burg's method: x[t] + Σ a[k]·x[t−k] = e[t].
///
/// Burg 1975; several stretches share one model by adding up their prediction errors (Haykin et al. 1982), so nothing
/// is predicted across a gap.
struct AutoregressiveModel {
    /// Coefficients a[0] = 1, a[1] … a[order].
    private(set) var coefficients: [Double] = [1]
    /// Variance of the prediction error e.
    private(set) var errorVariance: Double

    /// The model of `order` that predicts `stretches` best; nil where they hold too few samples or no variation.
    init?(order: Int, stretches: [[Double]]) {
        var forward = stretches.filter { $0.count > order }
        let samples = forward.reduce(0) { $0 + $1.count }
        errorVariance = forward.reduce(0) { $0 + $1.reduce(0) { $0 + $1 * $1 } } / Double(max(samples, 1))
        guard errorVariance > 0, errorVariance.isFinite else { return nil }
        // After `step` steps, place i holds the error at time step + i: both rows are then walked side by side.
        var backward = forward
        for step in 1...order {
            for stretch in forward.indices {
                forward[stretch].removeFirst()
                backward[stretch].removeLast()
            }
            let reflection = Self.reflection(forward, backward)
            guard abs(reflection) < 1 else { return nil }
            for stretch in forward.indices { Self.predict(&forward[stretch], &backward[stretch], reflection) }
            let last = coefficients + [0]
            coefficients = (0...step).map { last[$0] + reflection * last[step - $0] }
            errorVariance *= 1 - reflection * reflection
        }
    }

    /// The reflection coefficient that makes the errors of prediction in both directions smallest.
    private static func reflection(_ forward: [[Double]], _ backward: [[Double]]) -> Double {
        var (product, power) = (0.0, 0.0)
        for (ahead, behind) in zip(forward, backward) {
            let sums = ahead.withUnsafeBufferPointer { ahead in
                behind.withUnsafeBufferPointer { behind in Self.sums(ahead, behind) }
            }
            product += sums.product
            power += sums.power
        }
        return -2 * product / power
    }

    /// Σ a·b and Σ (a² + b²).
    private static func sums(
        _ ahead: UnsafeBufferPointer<Double>, _ behind: UnsafeBufferPointer<Double>
    ) -> (product: Double, power: Double) {
        var (products, powers) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        let whole = ahead.count & ~3
        for time in stride(from: 0, to: whole, by: 4) {
            let a = UnsafeRawPointer(ahead.baseAddress! + time).loadUnaligned(as: SIMD4<Double>.self)
            let b = UnsafeRawPointer(behind.baseAddress! + time).loadUnaligned(as: SIMD4<Double>.self)
            products += a * b
            powers += a * a + b * b
        }
        var (product, power) = (products.sum(), powers.sum())
        for time in whole..<ahead.count {
            product += ahead[time] * behind[time]
            power += ahead[time] * ahead[time] + behind[time] * behind[time]
        }
        return (product, power)
    }

    private static func predict(_ forward: inout [Double], _ backward: inout [Double], _ reflection: Double) {
        let count = forward.count
        forward.withUnsafeMutableBufferPointer { forward in
            backward.withUnsafeMutableBufferPointer { backward in
                for time in 0..<count {
                    let (ahead, behind) = (forward[time], backward[time])
                    forward[time] = ahead + reflection * behind
                    backward[time] = behind + reflection * ahead
                }
            }
        }
    }

    /// The spectrum up to `highest` Hz of a model of `rate` samples per second.
    ///
    /// The line of a steady tone can be far narrower than `spacing`; each value is therefore the mean of the density
    /// over its frequencies, found by adaptive integration (Simpson's rule).
    func spectrum(rate: Double, spacing: Double, highest: Double) -> IntervalSpectrum {
        let scale = 2 * errorVariance / rate
        let density = { frequency in scale / gain(cos(2 * .pi * frequency / rate), sin(2 * .pi * frequency / rate)) }
        let cells = Int((highest / spacing).rounded(.up)) + 1
        // Every cell but the first, which is half as wide, takes five of these, the outer two shared.
        let quarters = gains(angle: .pi * spacing / (2 * rate), count: 4 * cells - 1).map { scale / $0 }
        return IntervalSpectrum(
            spacing: spacing,
            density: (0..<cells).map { cell in
                let (lower, upper) = (max(0, Double(cell) - 0.5) * spacing, (Double(cell) + 0.5) * spacing)
                let points =
                    cell == 0
                    ? Integral.Points(quarters[0], density(upper / 4), quarters[1], density(upper * 0.75), quarters[2])
                    : Integral.Points(quarters[4 * cell - 2...4 * cell + 2])
                return Integral.of(density, from: lower, to: upper, points) / (upper - lower)
            })
    }

    /// |A(e^iω)|² where e^iω is `cosine` + i·`sine`.
    private func gain(_ cosine: Double, _ sine: Double) -> Double {
        var (real, imaginary) = (0.0, 0.0)
        for coefficient in coefficients.reversed() {
            (real, imaginary) = (real * cosine + imaginary * sine + coefficient, imaginary * cosine - real * sine)
        }
        return real * real + imaginary * imaginary
    }

    /// |A(e^iω)|² at 0, `angle`, 2·`angle` …
    private func gains(angle: Double, count: Int) -> [Double] {
        // Four neighbours side by side turn on together by one complex product, and start afresh before errors grow.
        let turn = (cosine: cos(4 * angle), sine: sin(4 * angle))
        var (cosine, sine) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        var gains = [Double](repeating: 0, count: count)
        for first in stride(from: 0, to: count, by: 4) {
            if first % 256 == 0 {
                for lane in 0..<4 {
                    cosine[lane] = cos(angle * Double(first + lane))
                    sine[lane] = sin(angle * Double(first + lane))
                }
            }
            let group = gain(cosine, sine)
            for lane in 0..<min(4, count - first) { gains[first + lane] = group[lane] }
            (cosine, sine) = (
                cosine * turn.cosine - sine * turn.sine, sine * turn.cosine + cosine * turn.sine
            )
        }
        return gains
    }

    private func gain(_ cosine: SIMD4<Double>, _ sine: SIMD4<Double>) -> SIMD4<Double> {
        var (real, imaginary) = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        for coefficient in coefficients.reversed() {
            (real, imaginary) = (real * cosine + imaginary * sine + coefficient, imaginary * cosine - real * sine)
        }
        return real * real + imaginary * imaginary
    }
}

/// Areas under smooth curves.
private enum Integral {
    /// Values at both ends of a stretch and at its quarters.
    struct Points {
        var left, before, centre, after, right: Double

        init(_ left: Double, _ before: Double, _ centre: Double, _ after: Double, _ right: Double) {
            (self.left, self.before, self.centre, self.after, self.right) = (left, before, centre, after, right)
        }

        init(_ five: ArraySlice<Double>) {
            let first = five.startIndex
            self.init(five[first], five[first + 1], five[first + 2], five[first + 3], five[first + 4])
        }
    }

    /// The area under `curve` by Simpson's rule on halves until halving changes it by less than a millionth.
    static func of(
        _ curve: (Double) -> Double, from lower: Double, to upper: Double, _ points: Points, depth: Int = 36
    ) -> Double {
        let width = upper - lower
        let ends = points.left + points.right
        let coarse = width / 6 * (ends + 4 * points.centre)
        let fine = width / 12 * (ends + 4 * (points.before + points.after) + 2 * points.centre)
        if depth == 0 || abs(fine - coarse) <= 1e-6 * fine { return fine }
        let (middle, eighth) = (lower + width / 2, width / 8)
        let left = Points(
            points.left, curve(lower + eighth), points.before, curve(middle - eighth), points.centre)
        let right = Points(
            points.centre, curve(middle + eighth), points.after, curve(upper - eighth), points.right)
        return of(curve, from: lower, to: middle, left, depth: depth - 1)
            + of(curve, from: middle, to: upper, right, depth: depth - 1)
    }
}
