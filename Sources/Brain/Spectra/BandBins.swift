/// The bins of a spectrum that belong to a band.
struct BandBins: Sendable {
    /// Their places; nil where the spectrum does not reach the band's upper edge, or no bin lies within.
    let range: Range<Int>?
    private let resolution: Double

    /// How far, in bins, a frequency may be from an edge and still be on it: measured sample rates are never round.
    static let slack = 0.05

    /// The bins from the band's lower edge (inclusive) to its upper (exclusive) of evenly spaced `frequencies`.
    init(_ band: EEGBand, frequencies: [Double]) {
        resolution = frequencies.count > 1 ? frequencies[1] - frequencies[0] : 0
        let margin = Self.slack * resolution
        let first = frequencies.firstIndex { $0 >= band.lower - margin }
        let end = frequencies.firstIndex { $0 >= band.upper - margin }
        guard let first, let end, first < end else {
            range = nil
            return
        }
        range = first..<end
    }

    /// The power in the band: each bin stands for the spacing of the bins. Not a number without bins.
    func power(_ density: Span<Double>) -> Double {
        guard let range else { return .nan }
        // Two partial sums: the next does not wait for the last.
        var (even, odd) = (0.0, 0.0)
        var bin = range.lowerBound
        while bin + 1 < range.upperBound {
            even += density[bin]
            odd += density[bin + 1]
            bin += 2
        }
        if bin < range.upperBound { even += density[bin] }
        return (even + odd) * resolution
    }
}
