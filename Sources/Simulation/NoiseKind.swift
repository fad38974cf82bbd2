/// Kinds of noise, each with its spectrum.
public enum NoiseKind: String, Codable, CaseIterable, Sendable {
    /// Flat spectrum, normal distribution.
    case white
    /// Power ∝ 1/f, from 0.02 Hz to a quarter of the sample rate.
    case pink
    /// Power ∝ 1/f² above 0.05 Hz: a leaky random walk.
    case brown
    /// Power ∝ f: the differences of pink noise.
    case blue
    /// Power ∝ f²: the differences of white noise.
    case violet
    /// Electromyogram: 20-150 Hz (or to 0.45 of the sample rate) in bursts.
    case muscle
    /// Slow drift below about 0.5 Hz.
    case baselineWander
    /// Skin stretch and cable movement: transients of 0.1-1 s, as large and as fast as QRS complexes.
    case electrodeMotion
    /// The mains' 50 Hz with its harmonics.
    case mains50
    /// The mains' 60 Hz with its harmonics.
    case mains60
    /// A level that jumps twice a second on average and stays between the jumps.
    case steps
    /// Arm swing near 1.8 Hz with harmonics, and jerks: what walking does to a wrist sensor.
    case motion
}

/// A noise at a signal-to-noise ratio.
public struct NoiseLevel: Hashable, Codable, Sendable {
    /// The noise.
    public var kind: NoiseKind
    /// Signal-to-noise ratio in dB; see `NoiseSource.rms(snr:peakToPeak:)`.
    public var snr: Double

    /// `kind` at `snr` dB.
    public init(_ kind: NoiseKind, snr: Double) {
        self.kind = kind
        self.snr = snr
    }
}
