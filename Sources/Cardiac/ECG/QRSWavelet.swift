import Foundation

/// How much of a QRS complex there is at each moment: the geometric mean of the moduli of two Gabor wavelets, one of
/// the length of a complex and a shorter one for its edges. T and P waves have no edges, muscle noise has nothing
/// else. Blind to polarity and to the level.
///
/// The even parts of the wavelets are freed of their mean, so that a constant gives nothing.
struct QRSWavelet {
    /// Low-rate samples it reaches to each side.
    let reach: Int
    private let edgeReach: Int
    /// Taps at lags 0…reach: even and odd part of the long wavelet, then of the short one.
    private let taps: [SIMD4<Float>]

    /// Centre (Hz) and standard deviation (s) of the Gaussians. The centres lie where the QRS complex has its power
    /// (Thakor et al. 1984, IEEE Trans Biomed Eng 31:702) and an octave above.
    private static let long = (frequency: 11.5, width: 0.034)
    private static let short = (frequency: 26.0, width: 0.021)
    /// Where the Gaussians are cut off, in standard deviations.
    private static let cutoff = 3.0

    init(rate: Double) {
        let reach = Int((rate * Self.long.width * Self.cutoff).rounded())
        let edgeReach = min(Int((rate * Self.short.width * Self.cutoff).rounded()), reach)
        let long = Self.parts(frequency: Self.long.frequency, width: Self.long.width, reach: reach, rate: rate)
        let short = Self.parts(frequency: Self.short.frequency, width: Self.short.width, reach: edgeReach, rate: rate)
        taps = (0...reach).map { lag in
            let edge: (Float, Float) = lag <= edgeReach ? (short.even[lag], short.odd[lag]) : (0, 0)
            return SIMD4(long.even[lag], long.odd[lag], edge.0, edge.1)
        }
        self.reach = reach
        self.edgeReach = edgeReach
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

    /// Writes `count` values, a multiple of 16, for the samples from `input` on, which `reach` more surround.
    /// - Returns: their sum.
    @inline(__always)
    func transform(_ input: UnsafePointer<Float>, _ output: UnsafeMutablePointer<Float>, count: Int) -> Float {
        taps.withUnsafeBufferPointer { taps in
            var sums = SIMD16<Float>.zero
            for first in stride(from: 0, to: count, by: 16) {
                let value = strength(input + first, taps)
                sums += value
                UnsafeMutableRawPointer(output + first).storeBytes(of: value, as: SIMD16<Float>.self)
            }
            return sums.sum()
        }
    }

    @inline(__always)
    private func strength(_ input: UnsafePointer<Float>, _ taps: UnsafeBufferPointer<SIMD4<Float>>) -> SIMD16<Float> {
        let here = load16(input)
        var real = here * taps[0].x
        var edgeReal = here * taps[0].z
        var imaginary = SIMD16<Float>.zero
        var edgeImaginary = SIMD16<Float>.zero
        var lag = 1
        while lag <= edgeReach {
            let later = load16(input + lag)
            let earlier = load16(input - lag)
            let tap = taps[lag]
            let sum = later + earlier
            let difference = later - earlier
            real += sum * tap.x
            imaginary += difference * tap.y
            edgeReal += sum * tap.z
            edgeImaginary += difference * tap.w
            lag += 1
        }
        while lag <= reach {
            let later = load16(input + lag)
            let earlier = load16(input - lag)
            let tap = taps[lag]
            real += (later + earlier) * tap.x
            imaginary += (later - earlier) * tap.y
            lag += 1
        }
        let power = real * real + imaginary * imaginary
        let edgePower = edgeReal * edgeReal + edgeImaginary * edgeImaginary
        let strength = (power * edgePower).squareRoot().squareRoot()
        // Where the power leaves Float's range: no number beyond it may stay in the levels.
        return strength.replacing(with: 4e9, where: .!(strength .< 4e9))
    }
}

/// Sixteen samples from an unaligned place.
@inline(__always)
func load16(_ place: UnsafePointer<Float>) -> SIMD16<Float> {
    UnsafeRawPointer(place).loadUnaligned(as: SIMD16<Float>.self)
}

/// Eight samples from an unaligned place.
@inline(__always)
func load8(_ place: UnsafePointer<Float>) -> SIMD8<Float> {
    UnsafeRawPointer(place).loadUnaligned(as: SIMD8<Float>.self)
}
