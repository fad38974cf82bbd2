import Foundation

/// The regularised incomplete beta function I_x(a, b), from which the tails of Student's t and of F follow.
enum IncompleteBeta {
    /// I_x(a, b) by its continued fraction (DLMF 8.17.22), evaluated from the front by the modified Lentz method on the
    /// side where it converges quickly.
    /// - Parameter x: 0…1; `complement` is 1 − x, given apart so that tails keep their digits.
    static func regularized(_ x: Double, complement: Double, a: Double, b: Double) -> Double {
        guard x > 0 else { return 0 }
        guard complement > 0 else { return 1 }
        let front = exp(a * log(x) + b * log(complement) + lgamma(a + b) - lgamma(a) - lgamma(b))
        return x < (a + 1) / (a + b + 2)
            ? front * fraction(x, a, b) / a : 1 - front * fraction(complement, b, a) / b
    }

    /// The continued fraction 1 / (1 + d₁ / (1 + d₂ / (1 + …))).
    private static func fraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
        let tiny = 1e-300
        var c = 1.0
        var d = nonzero(1 - (a + b) * x / (a + 1), tiny)
        d = 1 / d
        var value = d
        for step in 1...10_000 {
            let m = Double(step)
            let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
            let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
            for coefficient in [even, odd] {
                d = 1 / nonzero(1 + coefficient * d, tiny)
                c = nonzero(1 + coefficient / c, tiny)
                value *= d * c
            }
            if abs(d * c - 1) < 1e-16 { break }
        }
        return value
    }

    private static func nonzero(_ value: Double, _ tiny: Double) -> Double { abs(value) < tiny ? tiny : value }
}
