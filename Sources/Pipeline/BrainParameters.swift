public import Brain
import Cardiac

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

    /// Checks what can be checked without knowing the EEG: that all parameters have a meaning, and that the ranges of
    /// frequencies that were asked for pass the cleaning.
    /// - Throws: the first that has none, by its keys.
    func validate() throws(InvalidParameter) {
        try Self.demand("cleaning.") { () throws(BrainError) in try cleaning.check() }
        try Self.demand("") { () throws(BrainError) in try epochs.check() }
        try Self.demand("features.") { () throws(BrainError) in
            try features.check()
            _ = try features.within(reach)
        }
    }

    /// Calls what it finds wrong by the keys that a file has for it.
    private static func demand(
        _ section: String, _ check: () throws(BrainError) -> Void
    ) throws(InvalidParameter) {
        do { try check() } catch {
            switch error {
            case .parameter(let name, let found, let expected):
                throw InvalidParameter(name: "eeg.\(section)\(name)", found: found, expected: expected)
            }
        }
    }

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
