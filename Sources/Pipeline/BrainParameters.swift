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
}
