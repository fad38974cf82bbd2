/// The power of a channel in every band, in squared units of the signal; not a number where the spectrum does not hold
/// the band.
public struct BandPowers: Hashable, Sendable {
    /// δ.
    public var delta = Double.nan
    /// θ.
    public var theta = Double.nan
    /// α.
    public var alpha = Double.nan
    /// β.
    public var beta = Double.nan
    /// Low β.
    public var lowBeta = Double.nan
    /// High β.
    public var highBeta = Double.nan
    /// γ.
    public var gamma = Double.nan
    /// All that relative powers refer to.
    public var total = Double.nan
}

/// Integrates densities on one grid of frequencies over bands: a plan, made once.
public struct BandIntegration: Sendable {
    private let delta, theta, alpha, beta, lowBeta, highBeta, gamma, total: BandBins

    /// The plan for densities at evenly spaced `frequencies`, of which those in `reach` passed the filter unchanged.
    public init(_ bands: EEGBands, frequencies: [Double], reach: ClosedRange<Double> = EEGBands.everything) {
        func bins(_ band: EEGBand) -> BandBins { BandBins(band, frequencies: frequencies, reach: reach) }
        (delta, theta, alpha, beta) = (bins(bands.delta), bins(bands.theta), bins(bands.alpha), bins(bands.beta))
        (lowBeta, highBeta, gamma) = (bins(bands.lowBeta), bins(bands.highBeta), bins(bands.gamma))
        total = bins(bands.total)
    }

    /// The powers of one channel's density.
    public func powers(_ density: Span<Double>) -> BandPowers {
        BandPowers(
            delta: delta.power(density), theta: theta.power(density), alpha: alpha.power(density),
            beta: beta.power(density), lowBeta: lowBeta.power(density), highBeta: highBeta.power(density),
            gamma: gamma.power(density), total: total.power(density))
    }
}
