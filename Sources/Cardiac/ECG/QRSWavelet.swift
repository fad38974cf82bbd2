import Foundation
import Kernels

/// How much of a QRS complex there is at each moment: the geometric mean of the moduli of two Gabor wavelets, one of
/// the length of a complex and a shorter one for its edges. T and P waves have no edges, muscle noise has nothing
/// else. Blind to polarity and to the level.
///
/// The even parts of the wavelets are freed of their mean, so that a constant gives nothing.
enum QRSWavelet {
    /// Centre (Hz) and standard deviation (s) of the Gaussians. The centres lie where the QRS complex has its power
    /// (Thakor et al. 1984, IEEE Trans Biomed Eng 31:702) and an octave above.
    private static let long = (frequency: 11.5, width: 0.034)
    private static let short = (frequency: 26.0, width: 0.021)
    /// Where the Gaussians are cut off, in standard deviations.
    private static let cutoff = 3.0

    /// The wavelets for a signal of `rate` samples per second; up to `room` values are made in one go.
    static func modulus(rate: Double, room: Int) -> WaveletModulus {
        let reach = Int((rate * long.width * cutoff).rounded())
        let edgeReach = min(Int((rate * short.width * cutoff).rounded()), reach)
        return WaveletModulus(
            long: parts(frequency: long.frequency, width: long.width, reach: reach, rate: rate),
            short: parts(frequency: short.frequency, width: short.width, reach: edgeReach, rate: rate), room: room)
    }

    /// The wavelet's even and odd part at lags 0…reach, with unit gain for sines at its centre.
    private static func parts(
        frequency: Double, width: Double, reach: Int, rate: Double
    ) -> (even: [Float], odd: [Float]) {
        let lags = (0...reach).map { Double($0) / rate }
        let window = lags.map { exp(-$0 * $0 / (2 * width * width)) }
        let cosine = lags.map { cos(2 * .pi * frequency * $0) }
        let sine = lags.map { sin(2 * .pi * frequency * $0) }
        // Sums over both sides: lag 0 counts once, the others twice.
        func sum(_ a: [Double], _ b: [Double]) -> Double { 2 * zip(a, b).map(*).reduce(0, +) - a[0] * b[0] }
        let mean = sum(cosine, window) / (2 * window.reduce(0, +) - window[0])
        let even = zip(cosine, window).map { ($0 - mean) * $1 }
        let odd = zip(sine, window).map(*)
        let evenGain = sum(even, cosine)
        let oddGain = sum(odd, sine)
        return (even.map { Float($0 / evenGain) }, odd.map { Float($0 / oddGain) })
    }
}
