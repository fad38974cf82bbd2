/// A second-order section: H(z) = (b0 + b1·z⁻¹ + b2·z⁻²) / (1 + a1·z⁻¹ + a2·z⁻²).
public struct Biquad: Sendable, Hashable {
    /// Numerator, power 0.
    public var b0: Double
    /// Numerator, power −1.
    public var b1: Double
    /// Numerator, power −2.
    public var b2: Double
    /// Denominator, power −1 (power 0 is 1).
    public var a1: Double
    /// Denominator, power −2.
    public var a2: Double

    /// The section with these coefficients, the denominator's first being 1.
    public init(b0: Double, b1: Double, b2: Double, a1: Double, a2: Double) {
        self.b0 = b0
        self.b1 = b1
        self.b2 = b2
        self.a1 = a1
        self.a2 = a2
    }

    /// The answer to a constant 1, once settled; infinite for a pole at 0 Hz.
    public var gainAtZero: Double { (b0 + b1 + b2) / (1 + a1 + a2) }

    /// The frequency response at `angle` radians per sample.
    func response(angle: Double) -> Complex {
        let z1 = Complex.unit(-angle)
        let z2 = Complex.unit(-2 * angle)
        return (Complex(b0) + z1 * b1 + z2 * b2) / (Complex(1) + z1 * a1 + z2 * a2)
    }
}
