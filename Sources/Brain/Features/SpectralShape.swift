/// Where the power of a spectrum lies.
struct SpectralShape: Hashable, Sendable {
    /// The frequency of the highest local maximum in the α range; not a number without one.
    var alphaPeak = Double.nan
    /// The mean frequency of the α range, weighted with density.
    var alphaGravity = Double.nan
    /// The frequency below which the given share of the total power lies.
    var edge = Double.nan
    /// The frequency below which half of the total power lies.
    var median = Double.nan
    /// The entropy of the density over the total range, as a share of the greatest possible.
    var entropy = Double.nan
}

/// Measures spectra on one grid of frequencies: a plan, made once.
struct SpectralShapePlan: Sendable {
    private let frequencies: [Double]
    private let search: BandBins
    private let total: BandBins
    private let edge: Double

    init(_ bands: EEGBands, edge: Double, frequencies: [Double], reach: ClosedRange<Double>) {
        self.frequencies = frequencies
        self.edge = edge
        search = BandBins(bands.alphaSearch, frequencies: frequencies, reach: reach)
        total = BandBins(bands.total, frequencies: frequencies, reach: reach)
    }

    func shape(_ density: Span<Double>) -> SpectralShape {
        var shape = SpectralShape()
        if let range = search.range {
            shape.alphaPeak = peak(density, range)
            shape.alphaGravity = gravity(density, range)
        }
        if let range = total.range {
            shape.edge = frequency(density, range, below: edge)
            shape.median = frequency(density, range, below: 0.5)
            shape.entropy = entropy(density, range)
        }
        return shape
    }

    /// The top of the parabola through the logarithms of the highest local maximum and its neighbours.
    private func peak(_ density: Span<Double>, _ range: Range<Int>) -> Double {
        var best: Int?
        for bin in range where bin > 0 && bin + 1 < density.count {
            guard density[bin] > density[bin - 1], density[bin] >= density[bin + 1] else { continue }
            if best.map({ density[bin] > density[$0] }) ?? true { best = bin }
        }
        guard let best, density[best - 1] > 0, density[best + 1] > 0 else { return .nan }
        let (left, middle, right) = (
            logarithm(density[best - 1]), logarithm(density[best]), logarithm(density[best + 1])
        )
        let bend = left - 2 * middle + right
        let shift = bend < 0 ? (left - right) / (2 * bend) : 0
        return frequencies[best] + shift * frequencies[1]
    }

    private func gravity(_ density: Span<Double>, _ range: Range<Int>) -> Double {
        var (moment, sum) = (0.0, 0.0)
        for bin in range {
            moment += frequencies[bin] * density[bin]
            sum += density[bin]
        }
        return sum > 0 ? moment / sum : .nan
    }

    /// Each bin's power is spread evenly over its width, so that the answer moves without jumps.
    private func frequency(_ density: Span<Double>, _ range: Range<Int>, below share: Double) -> Double {
        var sum = 0.0
        for bin in range { sum += density[bin] }
        guard sum > 0, sum.isFinite else { return .nan }
        var reached = 0.0
        for bin in range {
            if reached + density[bin] >= share * sum {
                let part = density[bin] > 0 ? (share * sum - reached) / density[bin] : 0
                return frequencies[bin] + (part - 0.5) * frequencies[1]
            }
            reached += density[bin]
        }
        return frequencies[range.upperBound - 1]
    }

    private func entropy(_ density: Span<Double>, _ range: Range<Int>) -> Double {
        var sum = 0.0
        for bin in range { sum += density[bin] }
        guard sum > 0, sum.isFinite, range.count > 1 else { return .nan }
        var entropy = 0.0
        for bin in range where density[bin] > 0 {
            let share = density[bin] / sum
            entropy -= share * logarithm(share)
        }
        return entropy / logarithm(Double(range.count))
    }
}
