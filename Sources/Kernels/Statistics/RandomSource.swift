/// Random numbers that are the same on every machine: SplitMix64 (Steele, Lea & Flood, OOPSLA 2014) with the
/// distributions a simulation needs.
public struct RandomSource: Hashable, Sendable {
    private var state: UInt64
    private var spare: Double?

    /// The numbers that belong to `seed`, and within it to `label`: sources with different labels are independent.
    public init(seed: UInt64, _ label: String = "") {
        // FNV-1a of the label, so that adding a source never shifts another one's numbers.
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in label.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        state = seed &* 0x9E37_79B9_7F4A_7C15 ^ hash
        state = bits()
    }

    /// 64 random bits.
    public mutating func bits() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Evenly distributed in 0..<1.
    public mutating func uniform() -> Double { Double(bits() >> 11) * 0x1p-53 }

    /// A whole number from 0 and below `count`, all with the same probability.
    /// - Precondition: `count` above 0.
    public mutating func index(below count: Int) -> Int {
        Int(bits().multipliedFullWidth(by: UInt64(count)).high)
    }

    /// Evenly distributed in `range`.
    public mutating func uniform(_ range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * uniform()
    }

    /// Normally distributed with mean 0 and variance 1 (Marsaglia & Bray's polar method, SIAM Review 6:260, 1964).
    public mutating func gaussian() -> Double {
        if let value = spare {
            spare = nil
            return value
        }
        while true {
            let u = 2 * uniform() - 1
            let v = 2 * uniform() - 1
            let s = u * u + v * v
            if s < 1, s > 0 {
                let factor = (-2 * Elementary.log(s) / s).squareRoot()
                spare = v * factor
                return u * factor
            }
        }
    }

    /// Exponentially distributed with this mean: the wait for the next event of a Poisson process.
    public mutating func exponential(mean: Double) -> Double { -mean * Elementary.log(1 - uniform()) }
}
