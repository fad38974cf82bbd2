import Foundation

/// An analogue low-pass of corner 1 rad/s given by its zeros and poles, and the way from there to digital sections.
///
/// Oppenheim & Schafer, Discrete-Time Signal Processing, chapter 7 (bilinear transform with pre-warped corners). The
/// gain needs no bookkeeping: each section is scaled to 1 where the pass band has its reference.
struct AnalogPrototype {
    var zeros: [Complex]
    var poles: [Complex]

    /// Maximally flat, 3 dB down at the corner (Butterworth 1930).
    static func butterworth(order: Int) -> AnalogPrototype {
        AnalogPrototype(zeros: [], poles: (0..<order).map { pole($0, order: order) })
    }

    /// Flat pass band, stop band never above −`attenuation` dB, which is reached at the corner (inverse Chebyshev).
    static func chebyshev2(order: Int, attenuation: Double) -> AnalogPrototype {
        let epsilon = 1 / (pow(10, attenuation / 10) - 1).squareRoot()
        let mu = asinh(1 / epsilon) / Double(order)
        let zeros = (0..<order).compactMap { k -> Complex? in
            guard 2 * k + 1 != order else { return nil }
            return Complex(0, 1 / cos(Double.pi * Double(2 * k + 1) / Double(2 * order)))
        }
        let poles = (0..<order).map { k in
            let p = pole(k, order: order)
            return Complex(1) / Complex(sinh(mu) * p.real, cosh(mu) * p.imaginary)
        }
        return AnalogPrototype(zeros: zeros, poles: poles)
    }

    /// Pole `k` on the left half of the unit circle, exactly real in the middle.
    private static func pole(_ k: Int, order: Int) -> Complex {
        let j = 2 * k + 1 - order
        return j == 0 ? Complex(-1) : Complex.unit(Double.pi * Double(j) / Double(2 * order)) * -1
    }

    /// The digital filter for `band`.
    func digital(_ band: FilterBand, sampleRate: Double) -> BiquadCascade {
        let warped = band.corners.map { tan(Double.pi * $0 / sampleRate) }
        let excess = poles.count - zeros.count
        let z: [Complex]
        let p: [Complex]
        let reference: Double
        switch band {
        case .lowpass:
            z = zeros.map { $0 * warped[0] }
            p = poles.map { $0 * warped[0] }
            reference = 0
        case .highpass:
            z = zeros.map { Complex(warped[0]) / $0 } + Array(repeating: Complex(0), count: excess)
            p = poles.map { Complex(warped[0]) / $0 }
            reference = Double.pi
        case .bandpass:
            let (width, centre2) = (warped[1] - warped[0], warped[0] * warped[1])
            z = zeros.flatMap { Self.roots($0 * width, centre2) } + Array(repeating: Complex(0), count: excess)
            p = poles.flatMap { Self.roots($0 * width, centre2) }
            reference = 2 * atan(centre2.squareRoot())
        case .bandstop:
            let (width, centre2) = (warped[1] - warped[0], warped[0] * warped[1])
            let notch = [Complex(0, centre2.squareRoot()), Complex(0, -centre2.squareRoot())]
            z =
                zeros.flatMap { Self.roots(Complex(width) / $0, centre2) }
                + (0..<excess).flatMap { _ in notch }
            p = poles.flatMap { Self.roots(Complex(width) / $0, centre2) }
            reference = 0
        }
        // What is missing in zeros lies at infinity, which the bilinear transform takes to half the sample rate.
        let digitalZeros = z.map(Self.bilinear) + Array(repeating: Complex(-1), count: p.count - z.count)
        return SectionPairing.cascade(zeros: digitalZeros, poles: p.map(Self.bilinear), reference: reference)
    }

    /// Both solutions of s² − b·s + c = 0.
    private static func roots(_ b: Complex, _ c: Double) -> [Complex] {
        let half = b * 0.5
        let root = (half * half - Complex(c)).squareRoot
        return [half + root, half - root]
    }

    private static func bilinear(_ s: Complex) -> Complex {
        (Complex(1) + s) / (Complex(1) - s)
    }
}
