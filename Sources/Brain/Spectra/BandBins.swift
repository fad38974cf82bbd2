/// The bins of a spectrum that belong to a band.
struct BandBins: Sendable {
    /// Their places; nil where the spectrum, or what passed the filter, does not hold the band, or no bin lies within.
    let range: Range<Int>?
    private let resolution: Double

    /// How far, in bins, a frequency may be from an edge and still be on it: measured sample rates are never round.
    static let slack = 0.05

    /// The bins from the band's lower edge (inclusive) to its upper (exclusive) of evenly spaced `frequencies`.
    /// - Parameter reach: the frequencies that passed unchanged.
    init(_ band: EEGBand, frequencies: [Double], reach: ClosedRange<Double> = EEGBands.everything) {
        resolution = frequencies.count > 1 ? frequencies[1] - frequencies[0] : 0
        let margin = Self.slack * resolution
        let first = frequencies.firstIndex { $0 >= band.lower - margin }
        let end = frequencies.firstIndex { $0 >= band.upper - margin }
        let isHeld = band.lower >= reach.lowerBound - margin && band.upper <= reach.upperBound + margin
        guard isHeld, let first, let end, first < end else {
            range = nil
            return
        }
        range = first..<end
    }

    /// The power in the band: each bin stands for the spacing of the bins. Not a number without bins.
    func power(_ density: Span<Double>) -> Double {
        guard let range else { return .nan }
        precondition(range.upperBound <= density.count, "the density that the bins were found for")
        return density.withUnsafeBufferPointer { density in
            // Four partial sums in fixed order: the next does not wait for the last.
            var (s0, s1, s2, s3) = (0.0, 0.0, 0.0, 0.0)
            var bin = range.lowerBound
            while bin + 3 < range.upperBound {
                s0 += density[bin]
                s1 += density[bin + 1]
                s2 += density[bin + 2]
                s3 += density[bin + 3]
                bin += 4
            }
            while bin < range.upperBound {
                s0 += density[bin]
                bin += 1
            }
            return ((s0 + s1) + (s2 + s3)) * resolution
        }
    }
}
