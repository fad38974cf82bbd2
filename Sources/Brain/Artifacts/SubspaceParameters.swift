public import Signals

/// How artefact subspace reconstruction decides and repairs.
public struct SubspaceParameters: Hashable, Codable, Sendable {
    /// Beyond how many standard deviations of its clean amplitude a component is an artefact; 10 to 30 are usual, 20
    /// spares the EEG (Chang et al. 2020).
    public var cutoff: Double = 20
    /// Length of the windows amplitudes are told of, in seconds.
    public var window: Seconds = 0.5
    /// The largest share of dimensions that may be repaired at a time, 0…1.
    public var mostDimensions: Double = 0.66

    /// Cutoff 20, windows of half a second, at most two thirds of the dimensions.
    public init() {}

    func check() throws(BrainError) {
        try EEGFeatureParameters.demand(cutoff > 0 && cutoff.isFinite, "cutoff", cutoff, "above 0")
        try EEGFeatureParameters.demand(window >= 0.1 && window <= 10, "window", window, "0.1 to 10 s")
        try EEGFeatureParameters.demand(
            mostDimensions > 0 && mostDimensions <= 1, "mostDimensions", mostDimensions, "above 0, at most 1")
    }
}
