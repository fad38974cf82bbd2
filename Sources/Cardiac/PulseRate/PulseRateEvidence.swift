import Foundation

/// The evidence of one window for each heart rate.
///
/// In the even samples of a window the pulse wave is modelled as the sum of a slow trend (cosines up to 0.56 Hz), of what
/// follows the acceleration (its three axes, each at five moments up to 0.16 s around; the eight strongest parts), of one
/// oscillation at the heart rate, and of noise. All but the noise is fitted together by least squares, so that a heart
/// rate near the cadence is looked for only in what movement cannot explain. The evidence of a rate is the share of the
/// remaining power that the oscillation explains. Sinusoids with a motion reference: Zhang et al. 2015 (JOSS), IEEE Trans
/// Biomed Eng 62:1902; acceleration as reference: Widrow et al. 1975, Proc IEEE 63:1692.
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
        /// Of each rate, the share of power that an oscillation at this rate leaves, over all channels.
        var left: RateValues
        /// The largest share of a channel's power that the movement does not explain; 1 without movement.
        var unexplained: Float
        /// The number of channels that change.
        var channels: Int
        /// The root mean square of the acceleration without gravity; nil without acceleration.
        var movement: Double?
        fileprivate var grams: Grams?
        fileprivate var still: Grams

        /// The share of an oscillation at the rate of `index` that the movement does not explain.
        func free(_ index: Int) -> Float {
            guard let grams else { return 1 }
            return (grams.cosine[index] + grams.sine[index]) / (still.cosine[index] + still.sine[index])
        }
    }

    /// The products of cosine and cosine, cosine and sine, sine and sine, of each rate.
    fileprivate struct Grams {
        var cosine = RateValues()
        var mixed = RateValues()
        var sine = RateValues()

        /// Takes out what each of `waves`, of length 1, explains.
        mutating func take(_ waves: RateWaves, _ spectrum: RateSpectrum) {
            cosine.lanes.withUnsafeMutableBufferPointer { cosine in
                mixed.lanes.withUnsafeMutableBufferPointer { mixed in
                    sine.lanes.withUnsafeMutableBufferPointer { sine in
                        for wave in 0..<waves.count {
                            spectrum.products(of: wave, in: waves) { lane, a, b in
                                cosine[lane] -= a * a
                                mixed[lane] -= a * b
                                sine[lane] -= b * b
                            }
                        }
                    }
                }
            }
        }
    }

    private static let trendCount = 10
    /// The most parts of the movement that are removed.
    private static let largestBasis = 8
    /// The smallest part of the strongest motion, in amplitude, that is regressed on.
    private static let smallestPart: Float = 0.1
    /// The acceleration, in g, below which a part of it is the sensor's noise.
    private static let accelerometerNoise: Float = 0.01
    /// The root mean square of the acceleration, in g, below which the sensor rests and nothing is removed.
    private static let rest = 0.05
    /// The ridge of the oscillation, as share of its power: a rate that movement explains almost wholly has no evidence.
    private static let ridge: Float = 0.02

    private let spectrum = RateSpectrum()
    private let trend: RateWaves
    private let products: Grams
    /// The products without the trend.
    private let detrended: Grams

    init() {
        let count = Self.count
        var trend = RateWaves()
        for order in 0..<Self.trendCount {
            let wave = (0..<count).map { cos(.pi * Double(order) * (Double($0) + 0.5) / Double(count)) }
            let norm = wave.reduce(0) { $0 + $1 * $1 }.squareRoot()
            trend.append(wave.map { Float($0 / norm) })
        }
        self.trend = trend
        var products = Grams()
        for index in 0..<8 * RateValues.laneCount {
            let cosines = (0..<count / 2).map { cos(RateSpectrum.phase(Self.rate(index), $0)) }
            let power = 2 * cosines.reduce(0) { $0 + $1 * $1 }
            products.cosine[index] = Float(power)
            products.sine[index] = Float(Double(count) - power)
        }
        self.products = products
        products.take(trend, spectrum)
        detrended = products
    }

    /// The evidence of a window of pulse waves, and of acceleration in g along three axes with `lag` samples more on both
    /// sides.
    func finding(pulses: [[Float]], acceleration: [[Float]]?) -> Finding {
        let (basis, movement) = acceleration.map(motion) ?? (RateWaves(), nil)
        var finding = Finding(
            left: RateValues(repeating: 1), unexplained: 0, channels: 0, movement: movement, grams: nil,
            still: detrended)
        var grams = detrended
        if basis.count > 0 {
            grams.take(basis, spectrum)
            finding.grams = grams
        }
        var (waves, found) = (RateWaves(), [RateValues]())
        for pulse in pulses {
            let wave = waves.count
            waves.append(pulse)
            let raw = waves.power(wave)
            waves.remove(trend, from: wave)
            let power = waves.power(wave)
            guard power > 1e-11 * raw, power.isFinite else { continue }
            waves.remove(basis, from: wave)
            let rest = waves.power(wave)
            finding.unexplained = max(finding.unexplained, rest / power)
            found.append(left(of: wave, in: waves, power: rest, grams))
        }
        finding.channels = found.count
        finding.left = Self.joined(found)
        return finding
    }

    /// The mean of several channels' logarithms, in which one that shows no oscillation has little say.
    private static func joined(_ channels: [RateValues]) -> RateValues {
        guard channels.count > 1 else { return channels.first ?? RateValues(repeating: 1) }
        let peaks = channels.map { 1 - $0.minimum }
        let total = peaks.reduce(0, +)
        var joined = RateValues(repeating: 1)
        guard total > 0 else { return joined }
        for index in 0..<rateCount {
            joined[index] = exp(zip(channels, peaks).reduce(0) { $0 + $1.1 * log($1.0[index]) } / total)
        }
        return joined
    }

    /// Of each rate the share of the power of a wave that an oscillation at it leaves.
    private func left(of wave: Int, in waves: RateWaves, power: Float, _ grams: Grams) -> RateValues {
        var left = RateValues(repeating: 1)
        guard power > 0 else { return left }
        typealias Lanes = RateValues.Lanes
        let (ridge, one, least) = (Lanes(repeating: Self.ridge), Lanes(repeating: 1), Lanes(repeating: 1e-3))
        let scale = Lanes(repeating: 1 / power)
        left.lanes.withUnsafeMutableBufferPointer { left in
            spectrum.products(of: wave, in: waves) { lane, a, b in
                let mixed = grams.mixed.lanes[lane]
                let cosine = grams.cosine.lanes[lane] + ridge * products.cosine.lanes[lane]
                let sine = grams.sine.lanes[lane] + ridge * products.sine.lanes[lane]
                let determinant = cosine * sine - mixed * mixed
                let cross = mixed * a * b
                let explained = (sine * a * a - (cross + cross) + cosine * b * b) * scale / determinant
                var share = one - explained
                share.replace(with: one, where: share .> one)
                share.replace(with: least, where: share .< least)
                left[lane] = share.replacing(with: one, where: .!(determinant .> Lanes.zero))
            }
        }
        return left
    }

    /// An orthonormal basis of what acceleration can cause, strongest part first, and how strong the movement is.
    private func motion(_ axes: [[Float]]) -> (basis: RateWaves, movement: Double?) {
        var (parts, powers) = (RateWaves(), [Float]())
        for axis in axes { parts.append(axis, from: Self.lag) }
        for axis in axes.indices {
            parts.remove(trend, from: axis)
            powers.append(parts.power(axis))
        }
        let movement = (powers.reduce(0) { $0 + Double($1) } / Double(Self.count)).squareRoot()
        var basis = RateWaves()
        guard movement >= Self.rest else { return (basis, movement) }
        for axis in axes {
            for shift in 0...2 * Self.lag where shift != Self.lag {
                let part = parts.count
                parts.append(axis, from: shift)
                parts.remove(trend, from: part)
                powers.append(parts.power(part))
            }
        }
        let least = Self.accelerometerNoise * Self.accelerometerNoise * Float(Self.count)
        var (waiting, strongest) = (Array(powers.indices), Float(0))
        while basis.count < Self.largestBasis {
            guard let place = waiting.indices.max(by: { powers[waiting[$0]] < powers[waiting[$1]] }) else { break }
            let part = waiting[place]
            strongest = max(strongest, powers[part])
            guard powers[part] >= max(least, Self.smallestPart * Self.smallestPart * strongest) else { break }
            waiting.remove(at: place)
            parts.remove(unit: part, power: powers[part], from: waiting)
            for other in waiting { powers[other] = parts.power(other) }
            basis.append(part, of: parts)
        }
        return (basis, movement)
    }
}
