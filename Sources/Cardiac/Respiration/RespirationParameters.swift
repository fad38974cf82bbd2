/// What can be set in the estimation of respiration.
public struct RespirationParameters: Hashable, Codable, Sendable {
    /// Length of a window in seconds, 20…600. A minute holds four of the slowest breaths, and is what breaths are
    /// counted over by hand; studies use 30 to 90 s (Charlton et al. 2018).
    public var window: Double
    /// From the start of a window to the start of the next in seconds, 1…600.
    public var step: Double
    /// Slowest rate in breaths per minute, at least 2.
    public var lowestRate: Double
    /// Slowest rate, in breaths per minute, that the lengths of intervals alone may tell: below, waves of blood pressure
    /// around 0.1 Hz swing them just as breathing does. Where methods are fused, one of less than a fifth more needs a
    /// second method beside it. Lower it where slow breathing is paced.
    public var lowestIntervalRate: Double
    /// Fastest rate in breaths per minute, at most 90.
    public var highestRate: Double
    /// Least share of a window with data, 0…1.
    public var minimumCoverage: Double
    /// Least share of the power between the slowest and the fastest rate that must lie around the highest peak, 0…1.
    public var minimumPeak: Double
    /// Largest standard deviation in breaths per minute of the rates that are fused.
    public var largestDisagreement: Double

    /// The defaults, or what is given instead.
    public init(
        window: Double = 60, step: Double = 10, lowestRate: Double = 4, lowestIntervalRate: Double = 8.5,
        highestRate: Double = 60, minimumCoverage: Double = 0.5, minimumPeak: Double = 0.42,
        largestDisagreement: Double = 4
    ) {
        self.window = window
        self.step = step
        self.lowestRate = lowestRate
        self.lowestIntervalRate = lowestIntervalRate
        self.highestRate = highestRate
        self.minimumCoverage = minimumCoverage
        self.minimumPeak = minimumPeak
        self.largestDisagreement = largestDisagreement
    }

    /// Checks that the parameters have a meaning.
    /// - Throws: the first that has none.
    public func validate() throws(InvalidParameter) {
        func demand(
            _ holds: Bool, _ name: String, _ found: Double, _ expected: String
        ) throws(InvalidParameter) {
            guard !holds else { return }
            throw InvalidParameter(name: "respiration.\(name)", found: "\(found)", expected: expected)
        }
        try demand((20...600).contains(window), "window", window, "20 to 600 s")
        try demand((1...600).contains(step), "step", step, "1 to 600 s")
        try demand((2...90).contains(lowestRate), "lowestRate", lowestRate, "2 to 90 breaths per minute")
        try demand(
            highestRate > lowestRate && highestRate <= 90, "highestRate", highestRate,
            "above the lowest rate, at most 90 breaths per minute")
        try demand(
            lowestIntervalRate >= lowestRate && lowestIntervalRate < highestRate, "lowestIntervalRate",
            lowestIntervalRate, "from the lowest rate to below the highest rate")
        try demand((0...1).contains(minimumCoverage), "minimumCoverage", minimumCoverage, "0 to 1")
        try demand((0...1).contains(minimumPeak), "minimumPeak", minimumPeak, "0 to 1")
        try demand(
            (0...60).contains(largestDisagreement), "largestDisagreement", largestDisagreement,
            "0 to 60 breaths per minute")
    }

    var rates: ClosedRange<Double> { lowestRate...highestRate }
}
