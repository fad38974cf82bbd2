import Foundation

/// How strong the QRS band is at each moment: the modulus of a Gabor wavelet, blind to polarity and to the level.
///
/// The even part of the wavelet is freed of its mean, so that a constant gives nothing.
struct QRSWavelet {
    /// Taps at lags 0…reach of the even and of the odd part.
    private let even: [Float]
    private let odd: [Float]
    private let reach: Int

    /// A wavelet of `frequency` Hz under a Gaussian with a standard deviation of `width` seconds.
    init(frequency: Double, width: Double, reach: Int, rate: Double) {
        self.reach = reach
        let lags = (0...reach).map { Double($0) / rate }
        let window = lags.map { exp(-$0 * $0 / (2 * width * width)) }
        let cosine = zip(lags, window).map { cos(2 * .pi * frequency * $0) * $1 }
        let sine = zip(lags, window).map { sin(2 * .pi * frequency * $0) * $1 }
        // Sums over both sides: lag 0 counts once, the others twice.
        func sum(_ values: [Double]) -> Double { 2 * values.reduce(0, +) - values[0] }
        let mean = sum(cosine) / sum(window)
        let flat = zip(cosine, window).map { $0 - mean * $1 }
        // Unit gain for a sine at the centre.
        let gain = sum(zip(lags, flat).map { cos(2 * .pi * frequency * $0) * $1 })
        let oddGain = 2 * zip(lags, sine).map { sin(2 * .pi * frequency * $0) * $1 }.reduce(0, +)
        even = flat.map { Float($0 / gain) }
        odd = sine.map { Float($0 / oddGain) }
    }

    /// Writes the moduli of `count` samples, a multiple of 8, from `input` on, which `reach` samples surround.
    /// - Returns: their sum.
    @inline(__always)
    func moduli(_ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int) -> Float {
        var sums = SIMD8<Float>.zero
        even.withUnsafeBufferPointer { even in
            odd.withUnsafeBufferPointer { odd in
                for first in stride(from: 0, to: count, by: 8) {
                    var real = load8(input + first) * even[0]
                    var imaginary = SIMD8<Float>.zero
                    for lag in 1...reach {
                        let later = load8(input + first + lag)
                        let earlier = load8(input + first - lag)
                        real += (later + earlier) * even[lag]
                        imaginary += (later - earlier) * odd[lag]
                    }
                    let modulus = (real * real + imaginary * imaginary).squareRoot()
                    sums += modulus
                    UnsafeMutableRawPointer(output + first).storeBytes(of: modulus, as: SIMD8<Float>.self)
                }
            }
        }
        return sums.sum()
    }
}

/// Eight samples from an unaligned place.
@inline(__always)
func load8(_ place: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(place).loadUnaligned(as: SIMD8<Float>.self)
}
