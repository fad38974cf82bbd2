public import Signals

/// A doubt about the polarity that was chosen for a pulse wave.
public struct PulseDoubt: Hashable, Codable, Sendable {
    /// Kinds of doubt.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// The shape of the pulses does not say which way up they are.
        case undecided
        /// The polarity that was taken first turned out to be the wrong one.
        case turned
    }

    /// The kind of doubt.
    public var kind: Kind
    /// The polarity that the beats were found with, in the end.
    public var polarity: BVPParameters.Polarity
    /// When the polarity turned over, in seconds from the recording's start; nil where it did not.
    public var onset: Seconds?

    /// A doubt about pulses taken to be `polarity`.
    public init(_ kind: Kind, taken polarity: BVPParameters.Polarity, at onset: Seconds? = nil) {
        self.kind = kind
        self.polarity = polarity
        self.onset = onset
    }
}
