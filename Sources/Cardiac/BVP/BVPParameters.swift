public import Signals

/// How pulses are looked for in a blood volume pulse signal.
public struct BVPParameters: Hashable, Codable, Sendable {
    /// Which moment of a pulse stands for the beat.
    public enum Fiducial: String, Codable, CaseIterable, Sendable {
        /// The systolic peak as placed from the upstroke: its steepest point plus the running mean time from there to
        /// the peak. It lies on the peak, with intervals as repeatable as the upstroke's, while the peak itself
        /// wanders by tens of milliseconds where it is flat or double.
        case systolicPeak
        /// Each pulse's own maximum, smoothed with a Gaussian of 50 ms.
        case pulsePeak
        /// The steepest point of the systolic upstroke.
        case upstroke
        /// The foot of the pulse, by the intersecting tangent.
        case foot
    }

    /// Which way up the pulses are.
    public enum Polarity: String, Codable, CaseIterable, Sendable {
        /// The signal rises with the blood volume.
        case upright
        /// The signal falls with the blood volume, as the raw light intensity of a camera or sensor does.
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
    /// Longest run of missing samples, in seconds, over which the search goes on; no beat is reported within it.
    public var longestDropout: Seconds

    /// The default search, or one with some of its settings changed.
    public init(
        fiducial: Fiducial = .systolicPeak, polarity: Polarity = .automatic,
        shortestInterval: Seconds = 0.25, longestInterval: Seconds = 2.4,
        leastConfidence: Float = 0.15, longestDropout: Seconds = 0.1
    ) {
        self.fiducial = fiducial
        self.polarity = polarity
        self.shortestInterval = shortestInterval
        self.longestInterval = longestInterval
        self.leastConfidence = leastConfidence
        self.longestDropout = longestDropout
    }
}
