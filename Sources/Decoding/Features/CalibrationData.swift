import Kernels

/// What a participant was asked to do in a block of a calibration.
public enum DecodedState: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
    /// What the prediction calls 0: rest, inattention, dislike.
    case low
    /// What the prediction calls 1: load, attention, liking.
    case high
    /// Neither: where predictions are to stand at 0.5.
    case neutral
}

/// A stretch of a calibration with one state, without its onset and end where the state is not yet, or no longer, sure.
public struct CalibrationBlock: Sendable {
    /// What the participant was asked to do.
    public var state: DecodedState
    /// The block's epochs, in order of time; those that are not decodable are left out of all that follows.
    public var epochs: [DecodableEpoch]

    /// A block with these epochs.
    public init(state: DecodedState, epochs: [DecodableEpoch]) {
        (self.state, self.epochs) = (state, epochs)
    }
}

/// The decodable epochs of one block as models are fitted to them.
struct Examples {
    var state: DecodedState
    var features: [[Double]]
    /// As many as features, or none where a covariance is missing.
    var covariances: [Matrix]
    /// As many as features.
    var controls: [EpochControls]

    init?(_ block: CalibrationBlock) {
        let usable = block.epochs.filter { $0.features != nil }
        guard !usable.isEmpty else { return nil }
        state = block.state
        features = usable.compactMap(\.features)
        controls = usable.map(\.controls)
        let found = usable.compactMap(\.covariance)
        covariances = found.count == features.count ? found : []
    }

    var count: Int { features.count }
}
