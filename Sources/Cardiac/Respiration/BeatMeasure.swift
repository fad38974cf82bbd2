public import Signals

/// Something measured once per beat, such as the height of its QRS complex.
public struct BeatMeasure: Hashable, Codable, Sendable {
    /// When the beat was, in seconds from the recording's start.
    public var onset: Seconds
    /// What was measured, in any unit; NaN where it could not be.
    public var value: Double
    /// Whether something lies between the previous beat and this one that may not be spanned.
    public var followsBreak: Bool

    /// `value` was measured at the beat at `onset`.
    public init(onset: Seconds, value: Double, followsBreak: Bool = false) {
        self.onset = onset
        self.value = value
        self.followsBreak = followsBreak
    }
}
