/// A one-sided power spectral density on evenly spaced frequencies from 0.
///
/// Each value stands for the frequencies half a step to either side of it, so the powers of adjoining bands add up to
/// that of their union, whatever their edges.
struct IntervalSpectrum {
    /// Hz between neighbouring values.
    var spacing: Double
    /// Density in ms²/Hz.
    var density: [Double]

    /// Power in a band, in ms².
    func power(in band: FrequencyBand) -> Double {
        guard let range = places(from: band.lower, to: band.upper) else { return 0 }
        var power = 0.0
        for place in range {
            let lower = max(band.lower, (Double(place) - 0.5) * spacing)
            let upper = min(band.upper, (Double(place) + 0.5) * spacing)
            power += density[place] * max(0, upper - lower)
        }
        return power
    }

    /// The frequency within a band at which the density is highest; nil where there is no power.
    func peak(in band: FrequencyBand) -> Double? {
        guard let range = places(from: band.lower, to: band.upper) else { return nil }
        let inside = range.filter { Double($0) * spacing >= band.lower && Double($0) * spacing < band.upper }
        guard let highest = inside.max(by: { density[$0] < density[$1] }), density[highest] > 0 else { return nil }
        return Double(highest) * spacing
    }

    private func places(from lower: Double, to upper: Double) -> ClosedRange<Int>? {
        let first = Int((lower / spacing).rounded())
        let last = min(Int((upper / spacing).rounded()), density.count - 1)
        return first <= last ? first...last : nil
    }
}
