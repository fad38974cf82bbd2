public import Signals

/// A beat detector that also listens to an accelerometer worn beside its sensor.
///
/// Hand the acceleration in ahead of the signal: before a sample is pushed, the acceleration up to
/// `accelerationLead` seconds after it. What comes later is not heard; what never comes counts as rest.
public protocol MotionAwareDetector: BeatDetector {
    /// How many seconds the acceleration must be ahead of the signal.
    var accelerationLead: Seconds { get }

    /// A run of acceleration begins.
    mutating func beginAcceleration(_ segment: SegmentStart)

    /// The next acceleration: up to three axes, each times `factor` in g, with gravity or without.
    mutating func pushAcceleration(_ block: SampleBlock, factor: Float)

    /// The run of acceleration ends.
    mutating func endAcceleration()
}
