/// How finely recent times were written, told from their decimals.
struct DelimitedResolution {
    private(set) var step = 0.0
    private var finest = Int.min
    private var count = 0

    @inline(__always)
    mutating func see(_ number: ScannedDecimal) {
        let decimals = -number.exponent
        if decimals > finest { finest = decimals }
        count += 1
        // Taken over stretches of 32 rows, since "100" may be 100.0 with its zero dropped.
        if count >= 32 || step == 0 || pow10(-finest) < step {
            step = pow10(-finest)
            if count >= 32 {
                count = 0
                finest = decimals
            }
        }
    }

    private func pow10(_ exponent: Int) -> Double {
        guard abs(exponent) <= 22 else { return 0 }
        return exponent < 0 ? 1 / powersOfTen[-exponent] : powersOfTen[exponent]
    }
}
