/// A one-sided power spectral density.
public struct PowerSpectrum: Sendable, Hashable {
    /// In hertz, rising.
    public var frequencies: [Double]
    /// In squared units of the signal per hertz: over a tone of amplitude A it integrates to A²/2.
    public var density: [Double]

    /// The spectrum with these points.
    /// - Precondition: as many frequencies as densities.
    public init(frequencies: [Double], density: [Double]) {
        precondition(frequencies.count == density.count, "a density for each frequency")
        self.frequencies = frequencies
        self.density = density
    }

    /// How the density is integrated over a band.
    public enum Rule: Sendable, Hashable {
        /// Straight lines between the points in the band.
        case trapezoid
        /// Each point stands for the spacing of the points around it: no power between two adjoining bands is lost.
        case sum
    }

    /// The power in a band, from the points at its lower edge (inclusive) to its upper (exclusive), in squared units.
    ///
    /// 0 when no point lies in the band. Spacing must be even for `sum`.
    public func power(in band: Range<Double>, by rule: Rule = .trapezoid) -> Double {
        let points = frequencies.indices.filter { band.contains(frequencies[$0]) }
        guard let first = points.first, let last = points.last else { return 0 }
        switch rule {
        case .trapezoid:
            return Statistics.trapezoid(Array(density[first...last]), x: Array(frequencies[first...last]))
        case .sum:
            guard frequencies.count > 1 else { return 0 }
            let span = frequencies[frequencies.count - 1] - frequencies[0]
            return Statistics.sum(Array(density[first...last])) * span / Double(frequencies.count - 1)
        }
    }

    /// The frequency of the highest point in a band, nil when the band holds no point.
    public func peak(in band: Range<Double>) -> Double? {
        frequencies.indices.filter { band.contains(frequencies[$0]) }.max { density[$0] < density[$1] }
            .map { frequencies[$0] }
    }
}
