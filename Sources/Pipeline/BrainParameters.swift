public import Brain

/// How EEG is cleaned, cut into epochs and measured.
public struct BrainParameters: Hashable, Codable, Sendable {
    /// Cleaning.
    public var cleaning = EEGCleaningParameters()
    /// Epochs.
    public var epochs = EpochParameters()
    /// What is computed of each epoch.
    public var features = EEGFeatureParameters()

    /// The defaults.
    public init() {}

    /// The frequencies that cleaning passes unchanged, in hertz.
    var reach: ClosedRange<Double> {
        cleaning.lowest <= cleaning.highest ? cleaning.lowest...cleaning.highest : EEGBands.everything
    }

    /// What is computed of each epoch, as far as the frequencies that pass allow.
    /// - Throws: `BrainError` for a range of frequencies that was asked for and does not pass.
    public func usedFeatures() throws -> EEGFeatureParameters {
        try features.within(reach)
    }
}
