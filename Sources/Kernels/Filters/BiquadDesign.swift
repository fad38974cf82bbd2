import Foundation

extension BiquadCascade {
    /// The orders the designs accept.
    public static let orders = 1...40

    /// A Butterworth filter: maximally flat, 3 dB down at the corners.
    ///
    /// Band filters have twice `order` poles, as everywhere in the field.
    /// - Parameters:
    ///   - band: what passes, corners in hertz.
    ///   - order: of the low-pass prototype, 1…40.
    ///   - sampleRate: in hertz.
    public static func butterworth(
        _ band: FilterBand, order: Int, sampleRate: Double
    ) throws(FilterDesignError) -> BiquadCascade {
        try band.check(sampleRate: sampleRate)
        guard orders.contains(order) else { throw .order(order, allowed: orders) }
        return AnalogPrototype.butterworth(order: order).digital(band, sampleRate: sampleRate)
    }

    /// A Chebyshev filter of the second kind: flat pass band, ripples in the stop band.
    ///
    /// - Parameters:
    ///   - band: what passes; the corners, in hertz, are where the stop band's attenuation is first reached.
    ///   - order: of the low-pass prototype, 1…40.
    ///   - attenuation: of the stop band in decibels, above 0.
    ///   - sampleRate: in hertz.
    public static func chebyshev2(
        _ band: FilterBand, order: Int, attenuation: Double, sampleRate: Double
    ) throws(FilterDesignError) -> BiquadCascade {
        try band.check(sampleRate: sampleRate)
        guard orders.contains(order) else { throw .order(order, allowed: orders) }
        guard attenuation > 0, attenuation <= 400 else {
            throw .parameter("attenuation", attenuation, mustBe: "above 0 and at most 400 dB")
        }
        return AnalogPrototype.chebyshev2(order: order, attenuation: attenuation).digital(band, sampleRate: sampleRate)
    }

    /// A notch: zero at `frequency`, 1 away from it, 3 dB down at the edges of a band `frequency`/`quality` wide.
    ///
    /// Orfanidis, Introduction to Signal Processing, equation 11.3.
    /// - Parameters:
    ///   - frequency: in hertz.
    ///   - quality: centre over bandwidth, above 0.
    ///   - sampleRate: in hertz.
    public static func notch(
        _ frequency: Double, quality: Double, sampleRate: Double
    ) throws(FilterDesignError) -> BiquadCascade {
        try FilterBand.lowpass(frequency).check(sampleRate: sampleRate)
        let angle = 2 * Double.pi * frequency / sampleRate
        guard quality.isFinite, quality > 0, angle / quality < Double.pi else {
            throw .parameter("quality", quality, mustBe: "above \(2 * frequency / sampleRate) at \(frequency) Hz")
        }
        let gain = 1 / (1 + tan(angle / quality / 2))
        let b1 = -2 * gain * cos(angle)
        return BiquadCascade([Biquad(b0: gain, b1: b1, b2: gain, a1: b1, a2: 2 * gain - 1)])
    }
}
