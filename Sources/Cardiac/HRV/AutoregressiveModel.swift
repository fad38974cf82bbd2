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
        var backward = forward
        for step in 1...order {
            let reflection = Self.reflection(forward, backward, step)
            guard abs(reflection) < 1 else { return nil }
            for stretch in forward.indices {
                Self.predict(&forward[stretch], &backward[stretch], reflection, step)
            }
            let last = coefficients + [0]
            coefficients = (0...step).map { last[$0] + reflection * last[step - $0] }
            errorVariance *= 1 - reflection * reflection
        }
    }

    /// The reflection coefficient that makes the errors of prediction in both directions smallest.
    private static func reflection(_ forward: [[Double]], _ backward: [[Double]], _ step: Int) -> Double {
        var (product, power) = (0.0, 0.0)
        for (ahead, behind) in zip(forward, backward) {
            for time in step..<ahead.count {
                product += ahead[time] * behind[time - 1]
                power += ahead[time] * ahead[time] + behind[time - 1] * behind[time - 1]
            }
        }
        return -2 * product / power
    }

    private static func predict(
        _ forward: inout [Double], _ backward: inout [Double], _ reflection: Double, _ step: Int
    ) {
        for time in stride(from: forward.count - 1, through: step, by: -1) {
            let (ahead, behind) = (forward[time], backward[time - 1])
            forward[time] = ahead + reflection * behind
            backward[time] = behind + reflection * ahead
        }
    }

    /// The spectrum up to `highest` Hz of a model of `rate` samples per second.
    ///
    /// The line of a steady tone can be far narrower than `spacing`; each value is therefore the mean of the density
    /// over its frequencies, found by adaptive integration (Simpson's rule).
    func spectrum(rate: Double, spacing: Double, highest: Double) -> IntervalSpectrum {
        let scale = 2 * errorVariance / rate
        let density = { frequency in scale / gain(2 * .pi * frequency / rate) }
        let cells = Int((highest / spacing).rounded(.up)) + 1
        var (lower, left) = (0.0, density(0))
        return IntervalSpectrum(
            spacing: spacing,
            density: (0..<cells).map { cell in
                let upper = (Double(cell) + 0.5) * spacing
                let right = density(upper)
                let area = Integral.of(density, from: lower, to: upper, left, density((lower + upper) / 2), right)
                defer { (lower, left) = (upper, right) }
                return area / (upper - lower)
            })
    }

    /// |A(e^iω)|².
    private func gain(_ angle: Double) -> Double {
        let (cosine, sine) = (cos(angle), -sin(angle))
        var (real, imaginary) = (0.0, 0.0)
        for coefficient in coefficients.reversed() {
            (real, imaginary) = (real * cosine - imaginary * sine + coefficient, real * sine + imaginary * cosine)
        }
        return real * real + imaginary * imaginary
    }
}

/// Areas under smooth curves.
private enum Integral {
    /// The area under `curve`, known at both ends and in the middle, by Simpson's rule on halves until halving changes
    /// it by less than a millionth.
    static func of(
        _ curve: (Double) -> Double, from lower: Double, to upper: Double, _ left: Double, _ centre: Double,
        _ right: Double, depth: Int = 36
    ) -> Double {
        let width = upper - lower
        let middle = (lower + upper) / 2
        let (before, after) = (curve((lower + middle) / 2), curve((middle + upper) / 2))
        let coarse = width / 6 * (left + 4 * centre + right)
        let fine = width / 12 * (left + 4 * before + 2 * centre + 4 * after + right)
        if depth == 0 || abs(fine - coarse) <= 1e-6 * fine { return fine }
        return of(curve, from: lower, to: middle, left, before, centre, depth: depth - 1)
            + of(curve, from: middle, to: upper, centre, after, right, depth: depth - 1)
    }
}
