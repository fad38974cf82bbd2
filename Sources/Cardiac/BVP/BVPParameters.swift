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

    /// The polarity of the pulses.
    public enum Polarity: String, Codable, CaseIterable, Sendable {
        /// The signal rises with the blood volume.
        case upright
        /// The signal falls with the blood volume, as the raw light intensity of a camera or sensor does.
        case inverted
        /// Decided from the shape of the pulses, once for each contact of the sensor.
        case automatic
    }

    /// The moment reported as a beat's `onset`.
    public var fiducial: Fiducial
    /// The polarity of the pulses.
    public var polarity: Polarity
    /// Seconds under which two pulses cannot follow each other, 0.05…5.
    public var shortestInterval: Seconds
    /// Seconds after which a missing pulse breaks the series, above `shortestInterval`, at most 30.
    public var longestInterval: Seconds
    /// Confidence under which a pulse is not reported, 0…1.
    public var leastConfidence: Float
    /// Longest run of missing samples, in seconds, 0…3, over which the search goes on; no beat is reported within it.
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

    /// Checks that the parameters have a meaning.
    /// - Throws: the first that has none.
    public func validate() throws(InvalidParameter) {
        func demand(
            _ holds: Bool, _ name: String, _ found: Any, _ expected: String
        ) throws(InvalidParameter) {
            guard !holds else { return }
            throw InvalidParameter(name: "bvp.\(name)", found: "\(found)", expected: expected)
        }
        try demand(
            (0.05...5).contains(shortestInterval), "shortestInterval", shortestInterval, "0.05 to 5 s")
        try demand(
            longestInterval > shortestInterval && longestInterval <= 30, "longestInterval", longestInterval,
            "above bvp.shortestInterval, \(shortestInterval) s, at most 30 s")
        try demand((0...1).contains(leastConfidence), "leastConfidence", leastConfidence, "0 to 1")
        try demand((0...3).contains(longestDropout), "longestDropout", longestDropout, "0 to 3 s")
    }
}
