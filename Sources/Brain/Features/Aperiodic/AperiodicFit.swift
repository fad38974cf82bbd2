/// A spectrum as a 1/f background and peaks above it: log10 P(f) = offset − exponent·log10 f + Σ Gaussians. Donoghue et
/// al. 2020.
public struct AperiodicFit: Hashable, Sendable {
    /// log10 of the background's density at 1 Hz, in squared units per hertz.
    public var offset: Double
    /// How steeply the background falls: density goes with frequency to the power of −exponent.
    public var exponent: Double
    /// The peaks, by rising frequency.
    public var peaks: [PeriodicPeak]
    /// The squared correlation of model and log10 density.
    public var rSquared: Double
    /// The mean distance of model and log10 density.
    public var error: Double
}

/// A Gaussian above the 1/f background, in log10 of power.
public struct PeriodicPeak: Hashable, Sendable {
    /// Its centre in hertz.
    public var frequency: Double
    /// The height of all peaks together at its centre, above the background, in log10 of power.
    public var power: Double
    /// Two standard deviations in hertz.
    public var bandwidth: Double
    /// The Gaussian's own height in log10 of power.
    public var height: Double
}
