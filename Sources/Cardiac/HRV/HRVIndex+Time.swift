import Kernels
import Signals

private let taskForce = "Task Force 1996, Circulation 93:1043-1065"

extension HRVIndex {
    /// Statistics of the measured intervals, of their differences and of their histogram.
    static let timeDomain: [HRVIndex] =
        intervalStatistics + differenceStatistics + rateStatistics + histogramIndexes
        + [1, 2, 5].flatMap(segmentStatistics)

    private static func time(
        _ name: String, _ unit: Unit, _ definition: String, reference: String = taskForce, needs: HRVRequirement,
        _ compute: @escaping @Sendable (HRVSeries) -> Double?
    ) -> HRVIndex {
        HRVIndex(name, unit, .time, definition, reference: reference, needs: [needs], compute)
    }

    private static let intervalStatistics: [HRVIndex] = [
        time("meanNN", .milliseconds, "Mean of the NN intervals", needs: .intervals(2)) { $0.meanNN },
        time("medianNN", .milliseconds, "Median of the NN intervals", needs: .intervals(2)) {
            sortedQuantile($0.sorted, 0.5)
        },
        time(
            "sdnn", .milliseconds, "Standard deviation of the NN intervals, n - 1 in the denominator",
            needs: .intervals(3)
        ) { $0.sdnn },
        time(
            "cvnn", .dimensionless, "Coefficient of variation: SDNN over the mean NN interval", needs: .intervals(3)
        ) { $0.sdnn / $0.meanNN },
        time(
            "madNN", .milliseconds,
            "Median absolute deviation of the NN intervals from their median, times 1.4826 so that it equals the standard deviation of normally distributed intervals",
            reference: "Rousseeuw & Croux 1993, J Am Stat Assoc 88:1273-1283", needs: .intervals(3)
        ) { 1.4826 * $0.medianAbsoluteDeviation },
        time(
            "mcvNN", .dimensionless, "madNN over the median NN interval",
            reference: "Rousseeuw & Croux 1993, J Am Stat Assoc 88:1273-1283", needs: .intervals(3)
        ) { 1.4826 * $0.medianAbsoluteDeviation / sortedQuantile($0.sorted, 0.5) },
        time(
            "iqrNN", .milliseconds,
            "Interquartile range of the NN intervals, quantiles by linear interpolation (Hyndman & Fan type 7)",
            reference: "Hyndman & Fan 1996, Am Stat 50:361-365", needs: .intervals(4)
        ) { sortedQuantile($0.sorted, 0.75) - sortedQuantile($0.sorted, 0.25) },
        time(
            "prc20NN", .milliseconds, "20th percentile of the NN intervals (Hyndman & Fan type 7)",
            reference: "Hyndman & Fan 1996, Am Stat 50:361-365", needs: .intervals(5)
        ) { sortedQuantile($0.sorted, 0.2) },
        time(
            "prc80NN", .milliseconds, "80th percentile of the NN intervals (Hyndman & Fan type 7)",
            reference: "Hyndman & Fan 1996, Am Stat 50:361-365", needs: .intervals(5)
        ) { sortedQuantile($0.sorted, 0.8) },
        time("minNN", .milliseconds, "Shortest NN interval", needs: .intervals(2)) { $0.sorted.first },
        time("maxNN", .milliseconds, "Longest NN interval", needs: .intervals(2)) { $0.sorted.last },
    ]

    private static let differenceStatistics: [HRVIndex] =
        [
            time(
                "rmssd", .milliseconds, "Root mean square of the differences between successive NN intervals",
                needs: .differences(2)
            ) { $0.rmssd },
            time(
                "sdsd", .milliseconds,
                "Standard deviation of the (signed) differences between successive NN intervals, n - 1 in the denominator",
                needs: .differences(3)
            ) { $0.sdsd },
            time(
                "cvsd", .dimensionless, "RMSSD over the mean NN interval", needs: .differences(2)
            ) { $0.rmssd / $0.meanNN },
            time(
                "sdnnRmssd", .dimensionless, "SDNN over RMSSD",
                reference: "Sollers et al. 2007, Biomed Sci Instrum 43:80-83",
                needs: .differences(3)
            ) { $0.sdnn / $0.rmssd },
        ] + [50, 20].flatMap(exceedances)

    private static func exceedances(_ limit: Int) -> [HRVIndex] {
        let count: @Sendable (HRVSeries) -> Double = { $0.differencesAbove(Double(limit)) }
        return [
            time(
                "nn\(limit)", .dimensionless,
                "Number of differences between successive NN intervals that exceed \(limit) ms in size",
                needs: .differences(1), count),
            time(
                "pnn\(limit)", .percent, "NN\(limit) in percent of the number of differences", needs: .differences(1)
            ) { count($0) / Double($0.differences.count) * 100 },
        ]
    }

    private static let rateStatistics: [HRVIndex] = [
        time(
            "meanHR", .beatsPerMinute, "Mean of the instantaneous heart rate, 60000 over each NN interval in ms",
            needs: .intervals(2)
        ) { Statistics.mean($0.heartRate) },
        time("minHR", .beatsPerMinute, "Lowest instantaneous heart rate", needs: .intervals(2)) { $0.heartRate.min() },
        time("maxHR", .beatsPerMinute, "Highest instantaneous heart rate", needs: .intervals(2)) {
            $0.heartRate.max()
        },
        time(
            "sdHR", .beatsPerMinute,
            "Standard deviation of the instantaneous heart rate, n - 1 in the denominator", needs: .intervals(3)
        ) { Statistics.standardDeviation($0.heartRate) },
    ]

    private static let histogramIndexes: [HRVIndex] = [
        time(
            "hti", .dimensionless,
            "Triangular index: number of NN intervals over the height of their histogram, bins of 1/128 s from 0",
            needs: .intervals(20)
        ) { Double($0.nn.count) / $0.histogram.height },
        time(
            "tinn", .milliseconds,
            "Base of the triangle that fits the histogram of the NN intervals (bins of 1/128 s from 0) best in the sense of least squares, its peak at the highest bin",
            needs: .intervals(20)
        ) { $0.histogram.triangleBase },
    ]

    private static func segmentStatistics(_ minutes: Int) -> [HRVIndex] {
        let length = Double(minutes) * 60
        return [
            time(
                "sdann\(minutes)", .milliseconds,
                "Standard deviation of the mean NN intervals of successive stretches of \(minutes) min that lie wholly in the window",
                needs: .segments(3, duration: length)
            ) { Statistics.standardDeviation($0.segments(of: length).map(\.mean)) },
            time(
                "sdnni\(minutes)", .milliseconds,
                "Mean of the standard deviations of the NN intervals within successive stretches of \(minutes) min that lie wholly in the window (SDNN index)",
                needs: .segments(3, duration: length)
            ) { Statistics.mean($0.segments(of: length).map(\.sd)) },
        ]
    }
}

extension HRVSeries {
    /// Median distance of the measured intervals from their median, in ms.
    fileprivate var medianAbsoluteDeviation: Double {
        let centre = sortedQuantile(sorted, 0.5)
        return sortedQuantile(sorted.map { abs($0 - centre) }.sorted(), 0.5)
    }

    /// How many differences exceed `limit` ms in size.
    ///
    /// Times are kept to 0.1 ms, so a difference of exactly 50 ms may come out a rounding error above it.
    fileprivate func differencesAbove(_ limit: Double) -> Double {
        Double(differences.reduce(0) { $0 + (abs($1) > limit + 1e-6 ? 1 : 0) })
    }
}
