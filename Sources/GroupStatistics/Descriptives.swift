import Kernels

/// What a set of values looks like. Not-a-number marks a missing value: it is counted, never used.
public struct Descriptives: Sendable, Hashable {
    /// Values that are there, and values that are missing.
    public let n: Int, missing: Int
    /// The mean, the deviation of the sample (n − 1), and the mean's confidence limits of 95 % by Student's t.
    public let mean: Double, sd: Double, meanLow: Double, meanHigh: Double
    /// Order statistics; quantiles by linear interpolation (type 7 of Hyndman & Fan 1996).
    public let minimum: Double, lowerQuartile: Double, median: Double, upperQuartile: Double, maximum: Double
    /// The median distance from the median, unscaled.
    public let mad: Double

    /// Of these values. What needs more values than are there is not a number.
    public init(_ values: [Double]) {
        let present = values.filter(\.isFinite)
        n = present.count
        missing = values.count - present.count
        mean = Statistics.mean(present)
        sd = n > 1 ? Statistics.standardDeviation(present) : .nan
        let half =
            n > 1
            ? StudentT(degreesOfFreedom: Double(n - 1)).quantile(0.975) * sd / Double(n).squareRoot() : .nan
        meanLow = mean - half
        meanHigh = mean + half
        minimum = present.min() ?? .nan
        lowerQuartile = Statistics.quantile(present, 0.25)
        median = Statistics.median(present)
        upperQuartile = Statistics.quantile(present, 0.75)
        maximum = present.max() ?? .nan
        mad = Statistics.medianAbsoluteDeviation(present)
    }
}
