import Foundation

/// A complex number.
public struct Complex: Sendable, Hashable {
    /// The real part.
    public var real: Double
    /// The imaginary part.
    public var imaginary: Double

    /// The number `real` + i·`imaginary`.
    public init(_ real: Double, _ imaginary: Double = 0) {
        self.real = real
        self.imaginary = imaginary
    }

    /// The absolute value.
    public var magnitude: Double { hypot(real, imaginary) }

    /// The angle in radians, −π…π.
    public var phase: Double { atan2(imaginary, real) }

    /// e^(i·`angle`).
    static func unit(_ angle: Double) -> Complex { Complex(cos(angle), sin(angle)) }

    var conjugate: Complex { Complex(real, -imaginary) }

    /// The root with the non-negative real part.
    var squareRoot: Complex {
        let size = magnitude
        let a = ((size + abs(real)) / 2).squareRoot()
        guard a > 0 else { return Complex(0) }
        let b = abs(imaginary) / (2 * a)
        let (r, i) = real >= 0 ? (a, b) : (b, a)
        return Complex(r, imaginary < 0 ? -i : i)
    }

    static func + (a: Complex, b: Complex) -> Complex { Complex(a.real + b.real, a.imaginary + b.imaginary) }
    static func - (a: Complex, b: Complex) -> Complex { Complex(a.real - b.real, a.imaginary - b.imaginary) }
    static func * (a: Complex, b: Complex) -> Complex {
        Complex(a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real)
    }
    static func * (a: Complex, b: Double) -> Complex { Complex(a.real * b, a.imaginary * b) }
    static func / (a: Complex, b: Complex) -> Complex {
        // Smith 1962: divides by the larger part first, so that nothing overflows on the way.
        if abs(b.real) >= abs(b.imaginary) {
            let ratio = b.imaginary / b.real
            let scale = b.real + b.imaginary * ratio
            return Complex((a.real + a.imaginary * ratio) / scale, (a.imaginary - a.real * ratio) / scale)
        }
        let ratio = b.real / b.imaginary
        let scale = b.real * ratio + b.imaginary
        return Complex((a.real * ratio + a.imaginary) / scale, (a.imaginary * ratio - a.real) / scale)
    }
}
