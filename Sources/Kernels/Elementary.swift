/// Elementary functions made of IEEE additions, multiplications and divisions alone, so that a simulation has the same
/// bits on every machine, whatever its mathematical library. Errors are a few units in the last place.
public enum Elementary {
    /// (−1)^n/(2n+1)! for n from 10 down to 1.
    private static let sineSeries: InlineArray<10, Double> = [
        1 / 51_090_942_171_709_440_000, -1 / 121_645_100_408_832_000, 1 / 355_687_428_096_000, -1 / 1_307_674_368_000,
        1 / 6_227_020_800, -1 / 39_916_800, 1 / 362_880, -1 / 5_040, 1 / 120, -1 / 6,
    ]

    /// Sine of `turns` full turns.
    public static func sine(turns: Double) -> Double {
        let reduced = turns - turns.rounded()
        let folded = reduced > 0.25 ? 0.5 - reduced : (reduced < -0.25 ? -0.5 - reduced : reduced)
        let x = folded * 6.283185307179586
        let y = x * x
        var sum = 0.0
        for index in sineSeries.indices { sum = sum * y + sineSeries[index] }
        return x * (1 + sum * y)
    }

    /// Cosine of `turns` full turns.
    public static func cosine(turns: Double) -> Double { sine(turns: turns + 0.25) }

    /// e to the power `x`, for |x| below 700.
    public static func exp(_ x: Double) -> Double {
        let whole = (x * 1.4426950408889634).rounded()
        let rest = (x - whole * 0.693147180369123816490) - whole * 1.90821492927058770002e-10
        var sum = 0.0
        for index in stride(from: 14, through: 1, by: -1) { sum = (1 + sum) * (rest / Double(index)) }
        return (1 + sum) * Double(sign: .plus, exponent: Int(whole), significand: 1)
    }

    /// Natural logarithm of `x`, which is above 0.
    public static func log(_ x: Double) -> Double {
        var exponent = Double(x.exponent)
        var mantissa = x.significand
        if mantissa > 1.4142135623730951 {
            mantissa /= 2
            exponent += 1
        }
        let f = (mantissa - 1) / (mantissa + 1)
        let g = f * f
        // The series of the inverse hyperbolic tangent; |f| is below 0.172, so twelve terms are beyond the last bit.
        var sum = 1.0 / 23
        for odd in stride(from: 21.0, through: 1, by: -2) { sum = sum * g + 1 / odd }
        return 2 * f * sum + exponent * 0.6931471805599453
    }
}
