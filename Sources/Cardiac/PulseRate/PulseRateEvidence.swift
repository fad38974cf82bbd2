import Foundation
import Kernels

/// The evidence of one window for each heart rate.
///
/// In the even samples of a window the pulse wave is modelled as the sum of a slow trend (cosines up to 0.56 Hz), of what
/// follows the acceleration (its three axes, each at five moments up to 0.16 s around), of one oscillation at the heart
/// rate, and of noise. All but the noise is fitted together by least squares, so that a heart rate near the cadence is
/// looked for only in what movement cannot explain. The evidence of a rate is the share of the remaining power that the
/// oscillation explains. Sinusoids with a motion reference: Zhang et al. 2015 (JOSS), IEEE Trans Biomed Eng
/// 62:1902; acceleration as reference: Widrow et al. 1975, Proc IEEE 63:1692.
struct PulseRateEvidence: Sendable {
    /// Even samples of a window.
    static let count = Int(PulseRateParameters.window * EvenSamples.rate)
    /// Even samples by which the acceleration is known before and after the window.
    static let lag = 2
    /// The number of rates, 1 per minute apart.
    static let rateCount = 191
    /// The lowest rate, per minute.
    static let lowest = 30.0

    /// The heart rate of an index.
    static func rate(_ index: Int) -> Double { lowest + Double(index) }

    /// The evidence of one window.
    struct Finding {
        /// Of each rate, the logarithm of the share of power that an oscillation at this rate leaves, over all channels.
        var left: [Double]
        /// Of each rate, the share of an oscillation at it that the movement does not explain.
        var free: [Double]
        /// The largest share of a channel's power that the movement does not explain; 1 without acceleration.
        var unexplained: Double
        /// The number of channels that change.
        var channels: Int
        /// The root mean square of the acceleration without gravity; nil without acceleration.
        var movement: Double?
    }

    private static let trendCount = 10
    /// A transform of this length has a bin per minute.
    private static let transformLength = 750
    /// The smallest part of the strongest motion, in amplitude, that is regressed on.
    private static let smallestPart = 0.1
    /// The acceleration, in g, below which a part of it is the sensor's noise.
    private static let accelerometerNoise = 0.01
    /// The ridge of the oscillation, as share of its power: a rate that movement explains almost wholly has no evidence.
    private static let ridge = 0.02

    private let transform = RealFFT<Double>(length: Self.transformLength)
    private let trend: [[Double]]
    /// The products of cosine and cosine, cosine and sine, sine and sine, of each rate.
    private let products: [SIMD3<Double>]
    /// The same without the trend.
    private let detrended: [SIMD3<Double>]

    init() {
        let count = Self.count
        trend = (0..<Self.trendCount).map { order in
            let wave = (0..<count).map { cos(.pi * Double(order) * (Double($0) + 0.5) / Double(count)) }
            let norm = wave.reduce(0) { $0 + $1 * $1 }.squareRoot()
            return wave.map { $0 / norm }
        }
        products = (0..<Self.rateCount).map { index in
            let step = 2 * Double.pi * Self.rate(index) / 60 / EvenSamples.rate
            return (0..<count).reduce(into: SIMD3<Double>.zero) { sums, k in
                let (c, s) = (cos(step * Double(k)), sin(step * Double(k)))
                sums += SIMD3(c * c, c * s, s * s)
            }
        }
        var without = products
        for wave in trend { Self.take(wave, out: &without, transform) }
        detrended = without
    }

    /// The evidence of a window of pulse waves, and of acceleration along three axes with `lag` samples more on both sides.
    func finding(pulses: [[Double]], acceleration: [[Double]]?) -> Finding {
        let (basis, movement) = acceleration.map(motion) ?? ([], nil)
        var grams = detrended
        for wave in basis { Self.take(wave, out: &grams, transform) }
        let free = zip(grams, detrended).map { ($0.x + $0.z) / ($1.x + $1.z) }
        var finding = Finding(
            left: Array(repeating: 0, count: Self.rateCount), free: free, unexplained: 0, channels: 0,
            movement: movement)
        var found: [(logs: [Double], peak: Double)] = []
        for pulse in pulses {
            let raw = Self.dot(pulse, pulse)
            var wave = pulse
            for part in trend { Self.remove(part, from: &wave) }
            let power = Self.dot(wave, wave)
            guard power > 1e-13 * raw else { continue }
            for part in basis { Self.remove(part, from: &wave) }
            finding.unexplained = max(finding.unexplained, Self.dot(wave, wave) / power)
            let logs = logs(of: wave, grams)
            found.append((logs, 1 - exp(logs.min() ?? 0)))
        }
        finding.channels = found.count
        // A channel that shows no oscillation has little say.
        let total = found.reduce(0) { $0 + $1.peak }
        guard total > 0 else { return finding }
        for index in finding.left.indices {
            finding.left[index] = found.reduce(0) { $0 + $1.peak * $1.logs[index] } / total
        }
        return finding
    }

    /// Of each rate the logarithm of the share of `wave` that an oscillation at it leaves.
    private func logs(of wave: [Double], _ grams: [SIMD3<Double>]) -> [Double] {
        var logs = [Double](repeating: 0, count: Self.rateCount)
        let power = Self.dot(wave, wave)
        guard power > 0 else { return logs }
        let spectrum = Self.spectrum(wave, transform)
        for index in logs.indices {
            let bin = index + Int(Self.lowest)
            let (a, b) = (spectrum.real[bin], -spectrum.imaginary[bin])
            let (gram, full) = (grams[index], products[index])
            let (cosine, sine) = (gram.x + Self.ridge * full.x, gram.z + Self.ridge * full.z)
            let determinant = cosine * sine - gram.y * gram.y
            guard determinant > 0 else { continue }
            let explained = (sine * a * a - 2 * gram.y * a * b + cosine * b * b) / determinant
            logs[index] = log(max(1e-3, min(1, 1 - explained / power)))
        }
        return logs
    }

    /// An orthonormal basis of what acceleration can cause, strongest part first, and how strong the movement is.
    private func motion(_ axes: [[Double]]) -> (basis: [[Double]], movement: Double?) {
        var parts: [[Double]] = []
        var power = 0.0
        for axis in axes {
            for shift in 0...2 * Self.lag {
                var part = Array(axis[shift..<shift + Self.count])
                for wave in trend { Self.remove(wave, from: &part) }
                if shift == Self.lag { power += Self.dot(part, part) }
                parts.append(part)
            }
        }
        let least = Self.accelerometerNoise * Self.accelerometerNoise * Double(Self.count)
        var (basis, strongest) = ([[Double]](), 0.0)
        while !parts.isEmpty {
            let powers = parts.map { Self.dot($0, $0) }
            guard let place = powers.indices.max(by: { powers[$0] < powers[$1] }) else { break }
            strongest = max(strongest, powers[place])
            guard powers[place] >= max(least, Self.smallestPart * Self.smallestPart * strongest) else { break }
            let norm = powers[place].squareRoot()
            let wave = parts.remove(at: place).map { $0 / norm }
            for index in parts.indices { Self.remove(wave, from: &parts[index]) }
            basis.append(wave)
        }
        return (basis, (power / Double(Self.count)).squareRoot())
    }

    /// Takes what `wave` explains out of the products of cosine and sine of each rate.
    private static func take(_ wave: [Double], out grams: inout [SIMD3<Double>], _ transform: RealFFT<Double>) {
        let spectrum = spectrum(wave, transform)
        for index in grams.indices {
            let bin = index + Int(lowest)
            let (a, b) = (spectrum.real[bin], -spectrum.imaginary[bin])
            grams[index] -= SIMD3(a * a, a * b, b * b)
        }
    }

    private static func spectrum(_ wave: [Double], _ transform: RealFFT<Double>) -> Spectrum<Double> {
        transform.forward(wave + Array(repeating: 0, count: transformLength - wave.count))
    }

    private static func remove(_ unit: [Double], from wave: inout [Double]) {
        let share = dot(unit, wave)
        for index in wave.indices { wave[index] -= share * unit[index] }
    }

    private static func dot(_ one: [Double], _ other: [Double]) -> Double {
        var sum = 0.0
        for index in one.indices { sum += one[index] * other[index] }
        return sum
    }
}
