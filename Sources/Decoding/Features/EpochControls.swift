/// A source of signals that an EEG holds and that is not the brain.
public enum ArtifactSource: String, Codable, CodingKeyRepresentable, CaseIterable, Sendable {
    /// Muscles of the jaw, the forehead and the neck.
    case muscle
    /// Blinks and movements of the eyes.
    case eyes
    /// Movements of the head.
    case motion

    /// The source in a few words for participants.
    public var explanation: String {
        switch self {
        case .muscle: "muscle activity"
        case .eyes: "eye movements and blinks"
        case .motion: "head movements"
        }
    }
}

/// Measures of an epoch that control models are fitted to.
public struct EpochControls: Hashable, Sendable {
    /// The measures of each artifact source; the same number in every epoch of a layout, NaN where one is unknown. Sources that
    /// were not measured are absent.
    public var artifacts: [ArtifactSource: [Double]] = [:]
    /// The number of key presses within the epoch; nil where they were not recorded.
    public var responses: Double?
    /// The mean heart rate in beats per minute; nil where it was not recorded.
    public var heartRate: Double?

    /// An epoch of which nothing is known.
    public init() {}
}
