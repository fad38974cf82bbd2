import Foundation
import Kernels
import Signals

/// Tells sleep from wake by the heart rate of a day and night, with limits that the recording itself sets.
///
/// Perez-Pozuelo et al. 2022, Sci Rep 12:7956, as in their HypnosPy, with their parameters for days of free living:
/// where the rate (median of 5 min) stays below the 0.35 quantile of the recording for 30 minutes or more, somebody may
/// sleep; such blocks that are at most 120 minutes apart are one sleep period; it is extended, by 4 hours at its start
/// and 2 hours at its end at most, until the rate is volatile (standard deviation above 5 beats per minute in 10
/// minutes); in it, what lies above the rate of wake is an awakening.
///
/// The rule finds a lowest third in every recording, also in one without sleep, and so more is asked for here. The
/// limit is set once more, half-way between the medians of the longest sleep period and of what lies outside all. Then
/// sleep is told if the longest period holds four hours below the limit, which are 85 % of what is known of it and 70 %
/// of all that is low, if four hours are wake, and if the mean rate in sleep is at least 10 % lower than in wake (less
/// is a blunted dip; Ben-Dov et al. 2007, Arch Intern Med 167:2116). Otherwise everything is `undecided`: also where
/// fewer than 16 hours were recorded, or fewer than 12 of them with a rate.
public enum HeartSleep {
    /// Hours that a recording must have.
    public static let leastHours = 16.0
    /// Hours of them with a rate.
    static let leastKnown = 12.0
    /// Hours of sleep in one period.
    public static let leastSleep = 4.0
    /// Hours of wake altogether.
    static let leastWake = 4.0
    /// Share of the longest period, and of all that is low, which the longest period's low part must be.
    static let leastShare = 0.85
    static let leastMain = 0.7
    /// By which share the mean rate must be lower in sleep.
    public static let leastDip = 0.1

    /// Sleep and wake of the epochs of one recording.
    /// - Parameter rates: in order of time, as `HeartRateEpoch.among` gives them.
    public static func epochs(_ rates: [HeartRateEpoch]) -> [SleepEpoch] {
        var told = rates.map { SleepEpoch(onset: $0.onset, reason: $0.rate == nil ? $0.reason ?? .gap : .undecided) }
        for day in days(rates) {
            let part = rates[day].map { $0.rate ?? .nan }
            guard let asleep = HeartRateDay(part).asleep() else { continue }
            for (index, isAsleep) in zip(day, asleep) {
                guard let isAsleep else { continue }
                told[index] = SleepEpoch(onset: rates[index].onset, asleep: isAsleep ? 1 : 0)
            }
        }
        return told
    }

    /// Epochs of a day.
    private static let day = 2_880
    /// Epochs of an hour.
    static let hour = 120

    /// A recording of more than a day and a half is cut into days, at the time of day when the heart beats fastest.
    private static func days(_ rates: [HeartRateEpoch]) -> [Range<Int>] {
        var days: [Range<Int>] = []
        for run in runs(rates) {
            guard run.count > day + day / 2 else {
                days.append(run)
                continue
            }
            let first = run.lowerBound + busiest(rates[run].map { $0.rate ?? .nan })
            var cuts = Array(stride(from: first, to: run.upperBound, by: day))
            // What is left at the ends goes with its neighbour.
            let least = Int(leastHours) * hour
            if let cut = cuts.first, cut - run.lowerBound < least { cuts.removeFirst() }
            if let cut = cuts.last, run.upperBound - cut < least { cuts.removeLast() }
            let edges = [run.lowerBound] + cuts + [run.upperBound]
            days += zip(edges, edges.dropFirst()).map { $0..<$1 }
        }
        return days
    }

    /// The stretches in which epoch follows epoch.
    private static func runs(_ rates: [HeartRateEpoch]) -> [Range<Int>] {
        var (runs, first) = ([Range<Int>](), 0)
        for index in rates.indices.dropFirst()
        where rates[index].onset - rates[index - 1].onset > 1.5 * SleepEpoch.length {
            runs.append(first..<index)
            first = index
        }
        return first < rates.count ? runs + [first..<rates.count] : runs
    }

    /// The place within a day around which six hours of all days together have the highest mean rate.
    private static func busiest(_ rates: [Double]) -> Int {
        let hours = (0..<24).map { hour in
            let values = rates.indices.lazy.filter { $0 % day / Self.hour == hour }.map { rates[$0] }
            let known = values.filter { !$0.isNaN }
            return (sum: Statistics.sum(Array(known)), count: known.count)
        }
        let means = (0..<24).map { hour in
            let near = (-3..<3).map { hours[(hour + $0 + 24) % 24] }
            let count = near.reduce(0) { $0 + $1.count }
            return count > 0 ? near.reduce(0) { $0 + $1.sum } / Double(count) : 0
        }
        return (means.indices.max { means[$0] < means[$1] } ?? 0) * hour
    }
}
