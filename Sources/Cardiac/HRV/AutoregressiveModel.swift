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
}
