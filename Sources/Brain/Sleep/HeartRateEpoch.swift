public import Signals

/// The heart rate of 30 s, which `HeartSleep` tells sleep from.
public struct HeartRateEpoch: Hashable, Sendable {
    /// Seconds from the recording's start, a multiple of 30.
    public var onset: Seconds
    /// Mean rate in beats per minute; nil where intervals cover less than half of the epoch.
    public var rate: Double?
    /// Why the rate is not known; nil where it is.
    public var reason: SleepEpoch.Reason?

    /// A rate that is known.
    public init(onset: Seconds, rate: Double) {
        (self.onset, self.rate) = (onset, rate)
    }

    /// A rate that is not known.
    public init(onset: Seconds, reason: SleepEpoch.Reason) {
        (self.onset, self.reason) = (onset, reason)
    }

    /// Epochs of a run that are looked at: those of a year.
    private static let mostEpochs = 1_051_200

    /// The same epochs with those around them in which samples were recorded, but no beats found: what is missing where
    /// half of an epoch or more was recorded is `badSignal`.
    /// - Parameters:
    ///   - rates: what `HeartRates` gave, in order of time.
    ///   - runs: the contiguous runs of samples, in order; empty where the recording holds only intervals.
    public static func among(_ rates: [HeartRateEpoch], runs: [Range<Seconds>]) -> [HeartRateEpoch] {
        let length = SleepEpoch.length
        var recorded: [Int: Double] = [:]
        for run in runs {
            let numbers =
                HeartRates.number(
                    run.lowerBound)...max(
                    HeartRates.number(run.lowerBound), HeartRates.number(run.upperBound))
            for number in numbers.prefix(mostEpochs) {
                let (start, end) = (Double(number) * length, Double(number + 1) * length)
                recorded[number, default: 0] += max(0, min(end, run.upperBound) - max(start, run.lowerBound))
            }
        }
        var epochs: [Int: HeartRateEpoch] = [:]
        for (number, seconds) in recorded where seconds > 0 {
            let reason = seconds >= length / 2 ? SleepEpoch.Reason.badSignal : .gap
            epochs[number] = HeartRateEpoch(onset: Double(number) * length, reason: reason)
        }
        for rate in rates {
            let number = HeartRates.number(rate.onset)
            if rate.rate != nil || epochs[number] == nil { epochs[number] = rate }
        }
        return epochs.sorted { $0.key < $1.key }.map(\.value)
    }
}
