public import Signals

/// How an EEG is cut into epochs.
public struct EpochParameters: Hashable, Codable, Sendable {
    /// Length of an epoch in seconds.
    public var length: Seconds = 2
    /// Seconds from one epoch's start to the next one's: half the length is an overlap of 50 %.
    public var step: Seconds = 1

    /// Epochs of 2 s, overlapping by half.
    public init() {}

    /// Epochs of `length` seconds, `step` seconds apart.
    public init(length: Seconds, step: Seconds) {
        self.length = length
        self.step = step
    }

    /// - Throws: `BrainError` for a length or step that has no meaning.
    public func check() throws(BrainError) {
        try EEGFeatureParameters.demand(length == usedLength, "epochs.length", length, "0.1 to 3600 s")
        try EEGFeatureParameters.demand(step == usedStep, "epochs.step", step, "0.05 to 3600 s")
    }

    /// `length`, or 2 s where that has no meaning.
    var usedLength: Seconds { length.isFinite && length >= 0.1 && length <= 3_600 ? length : 2 }
    /// `step`, or half the length where that has no meaning.
    var usedStep: Seconds { step.isFinite && step >= 0.05 && step <= 3_600 ? step : usedLength / 2 }
}
