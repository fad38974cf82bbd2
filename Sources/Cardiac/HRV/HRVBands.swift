/// A band of frequencies in Hz, from `lower` up to but not including `upper`.
public struct FrequencyBand: Hashable, Codable, Sendable {
    /// Lower edge in Hz.
    public var lower: Double
    /// Upper edge in Hz.
    public var upper: Double

    /// The band from `lower` to `upper` Hz.
    public init(_ lower: Double, _ upper: Double) {
        self.lower = lower
        self.upper = upper
    }
}

/// The frequency bands of heart-rate variability. The defaults are those of the Task Force (1996), table 2, and 0.4 to
/// 0.5 Hz above them.
public struct HRVBands: Hashable, Codable, Sendable {
    /// Ultra low frequency, 0…0.0033 Hz.
    public var ulf = FrequencyBand(0, 0.0033)
    /// Very low frequency, 0.0033…0.04 Hz.
    public var vlf = FrequencyBand(0.0033, 0.04)
    /// Low frequency, 0.04…0.15 Hz.
    public var lf = FrequencyBand(0.04, 0.15)
    /// High frequency, 0.15…0.4 Hz.
    public var hf = FrequencyBand(0.15, 0.4)
    /// Very high frequency, 0.4…0.5 Hz.
    public var vhf = FrequencyBand(0.4, 0.5)

    /// The Task Force's bands.
    public init() {}
}
