import Foundation
import Signals

/// The Lomb-Scargle periodogram of values at uneven times.
enum LombScargle {
    /// The density at 0, `spacing`, 2 `spacing` … up to `highest` Hz of values whose mean or trend is already out.
    ///
    /// Scaled by twice the mean spacing of the samples, so that its integral is the variance where they are even
    /// (Scargle 1982, eq. 10, has the periodogram before scaling). Each frequency's sines and cosines are turned on from
    /// the last one's, and set right every 64 frequencies.
    static func spectrum(
        times: [Seconds], values: [Double], spacing: Double, highest: Double, meanSpacing: Seconds
    ) -> PowerSpectrum {
        let count = Int((highest / spacing).rounded(.up)) + 1
        var density = [Double](repeating: 0, count: count)
        let lanes = (times.count + 3) / 4
        var oscillators = Oscillators(times: times, values: values, lanes: lanes, step: 2 * .pi * spacing)
        for place in 1..<max(count, 1) {
            if place % 64 == 0 { oscillators.set(to: place) } else { oscillators.advance() }
            density[place] = 2 * meanSpacing * oscillators.power()
        }
        return PowerSpectrum(spacing: spacing, density: density)
    }

    /// A cosine and a sine per sample, four samples to a vector.
    private struct Oscillators {
        private let step: Double
        private let times: [Seconds]
        private let values: [SIMD4<Double>]
        private let used: [SIMD4<Double>]
        private let turnCosine: [SIMD4<Double>]
        private let turnSine: [SIMD4<Double>]
        private var cosine: [SIMD4<Double>]
        private var sine: [SIMD4<Double>]

        init(times: [Seconds], values: [Double], lanes: Int, step: Double) {
            self.step = step
            // Times from the middle: the power does not depend on the origin, rounding does.
            let middle = ((times.first ?? 0) + (times.last ?? 0)) / 2
            self.times = times.map { $0 - middle }
            func vectors(_ element: (Int) -> Double) -> [SIMD4<Double>] {
                (0..<lanes).map { lane in
                    var vector = SIMD4<Double>.zero
                    for part in 0..<4 where lane * 4 + part < values.count { vector[part] = element(lane * 4 + part) }
                    return vector
                }
            }
            let centred = self.times
            self.values = vectors { values[$0] }
            used = vectors { _ in 1 }
            turnCosine = vectors { cos(step * centred[$0]) }
            turnSine = vectors { sin(step * centred[$0]) }
            cosine = used
            sine = Array(repeating: .zero, count: lanes)
        }

        mutating func set(to place: Int) {
            for lane in cosine.indices {
                for part in 0..<4 where lane * 4 + part < times.count {
                    let phase = step * Double(place) * times[lane * 4 + part]
                    cosine[lane][part] = cos(phase)
                    sine[lane][part] = sin(phase)
                }
            }
        }

        mutating func advance() {
            for lane in cosine.indices {
                let (c, s) = (cosine[lane], sine[lane])
                cosine[lane] = c * turnCosine[lane] - s * turnSine[lane]
                sine[lane] = s * turnCosine[lane] + c * turnSine[lane]
            }
        }

        /// Lomb's periodogram, with the shift in time that makes it independent of the origin.
        func power() -> Double {
            var (yc, ys, cc, cs) = (SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero, SIMD4<Double>.zero)
            for lane in cosine.indices {
                let (c, s) = (cosine[lane], sine[lane])
                yc += values[lane] * c
                ys += values[lane] * s
                cc += c * c
                cs += c * s
            }
            let count = Double(times.count)
            let (yCosine, ySine, cosineSquares, product) = (yc.sum(), ys.sum(), cc.sum(), cs.sum())
            let sineSquares = count - cosineSquares
            let shift = 0.5 * atan2(2 * product, cosineSquares - sineSquares)
            let (c, s) = (cos(shift), sin(shift))
            let along = c * yCosine + s * ySine
            let across = c * ySine - s * yCosine
            let alongSquares = c * c * cosineSquares + 2 * c * s * product + s * s * sineSquares
            let acrossSquares = count - alongSquares
            let first = alongSquares > 1e-9 * count ? along * along / alongSquares : 0
            let second = acrossSquares > 1e-9 * count ? across * across / acrossSquares : 0
            return 0.5 * (first + second)
        }
    }
}
