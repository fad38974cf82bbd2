import Foundation

/// Discrete prolate spheroidal sequences: the tapers whose energy is most concentrated within a frequency band. Slepian
/// 1978; computed from the commuting tridiagonal matrix as in Percival & Walden 1993, section 8.3.
public struct SlepianTapers: Sendable, Hashable {
    /// The tapers, best first, each with unit energy before it was cut to its periodic form.
    public let tapers: [[Double]]
    /// The share of each taper's energy within the band, 0…1.
    public let concentrations: [Double]

    /// The tapers of `length` samples for a band of ±`halfBandwidth`/`length` cycles per sample, in their periodic form
    /// (one sample more, its last left out), as `scipy.signal.windows.dpss(sym=False)`.
    /// - Parameters:
    ///   - halfBandwidth: the product of time and half bandwidth, 0.5 or more, below half the length.
    ///   - least: only tapers at least this concentrated are kept, but always the best.
    /// - Precondition: the ranges above, `length` at least 4.
    public init(length: Int, halfBandwidth: Double, least: Double = 0.9) {
        precondition(length >= 4 && halfBandwidth >= 0.5 && halfBandwidth < Double(length) / 2, "a band that fits")
        let (size, most) = (length + 1, max(1, Int(2 * halfBandwidth)))
        let width = halfBandwidth / Double(size)
        let diagonal = (0..<size).map { t in
            let centred = Double(size - 1 - 2 * t) / 2
            return centred * centred * cos(2 * Double.pi * width)
        }
        let beside = (1..<size).map { Double($0) * Double(size - $0) / 2 }
        // A finite symmetric matrix always has its eigenvectors.
        guard let found = try? TridiagonalEigen.largest(min(most, size), diagonal: diagonal, beside: beside) else {
            (tapers, concentrations) = ([Array(repeating: 1 / Double(length).squareRoot(), count: length)], [1])
            return
        }
        let shares = found.vectors.map { Self.concentration($0, width: width) }
        let kept = max(1, shares.count { $0 > least })
        tapers = found.vectors.prefix(kept).enumerated().map { order, taper in
            let sign: Double = Self.startsNegative(taper, order: order) ? -1 : 1
            return taper.dropLast().map { sign * $0 }
        }
        concentrations = Array(shares.prefix(kept))
    }

    /// Even orders have a positive mean, odd ones begin with a positive lobe.
    private static func startsNegative(_ taper: [Double], order: Int) -> Bool {
        if order % 2 == 0 { return Statistics.sum(taper) < 0 }
        let threshold = max(1e-7, 1 / Double(taper.count))
        return (taper.first { $0 * $0 > threshold } ?? 0) < 0
    }

    /// The energy within ±`width`: the autocorrelation weighted with the band's kernel. Percival & Walden 1993, p. 390.
    private static func concentration(_ taper: [Double], width: Double) -> Double {
        let count = taper.count
        let plan = RealFFT<Double>(length: 2 * count)
        let power = plan.forward(taper + Array(repeating: 0, count: count)).power
        let correlation = plan.inverse(Spectrum(real: power, imaginary: Array(repeating: 0, count: plan.bins)))
        var sum = 2 * width * correlation[0]
        for lag in 1..<count {
            sum += 2 * sin(2 * Double.pi * width * Double(lag)) / (Double.pi * Double(lag)) * correlation[lag]
        }
        return sum
    }
}
