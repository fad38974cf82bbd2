public import Signals

/// How `BVPBeatDetector` looks for pulses.
public struct BVPParameters: Hashable, Codable, Sendable {
    /// Which moment of a pulse stands for the beat.
    public enum Fiducial: String, Codable, CaseIterable, Sendable {
        /// The systolic peak of the pulse smoothed to about 3 Hz.
        case systolicPeak
        /// The steepest point of the systolic upstroke: the most repeatable of the three.
        case upstroke
        /// The foot of the pulse, where the upstroke begins.
        case pulseOnset
    }

    /// Which way up the pulses are.
    public enum Polarity: String, Codable, CaseIterable, Sendable {
        /// Blood volume rises with the signal.
        case upright
        /// Blood volume falls with the signal, as in the raw light intensity of a camera or a sensor.
        case inverted
        /// Found from the signal: the systolic flank is the steeper one.
        case automatic
    }

    /// The moment reported as a beat's `onset`.
    public var fiducial: Fiducial
    /// Which way up the pulses are.
    public var polarity: Polarity
    /// Seconds under which two pulses cannot follow each other.
    public var shortestInterval: Seconds
    /// Seconds after which a missing pulse breaks the series.
    public var longestInterval: Seconds
    /// Confidence under which a pulse is not reported.
    public var leastConfidence: Float
    /// Longest run of missing samples, in seconds, over which the search goes on. No beat is reported within it.
    public var longestDropout: Seconds

    /// The default search, or one with some of its settings changed.
    public init(
        fiducial: Fiducial = .systolicPeak, polarity: Polarity = .automatic,
        shortestInterval: Seconds = 0.25, longestInterval: Seconds = 2.4,
        leastConfidence: Float = 0.3, longestDropout: Seconds = 0.1
    ) {
        self.fiducial = fiducial
        self.polarity = polarity
        self.shortestInterval = shortestInterval
        self.longestInterval = longestInterval
        self.leastConfidence = leastConfidence
        self.longestDropout = longestDropout
    }
}
