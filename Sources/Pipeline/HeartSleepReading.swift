import Brain
import Cardiac
import Signals

/// Tells sleep from the heart rate of a source of beats, where nothing in the recording tells it better.
enum HeartSleepReading {
    /// Beats must be seen as surely as this, on average, for the rate of 30 s to count.
    private static let leastConfidence = 0.5

    /// Whether a recording has neither EEG nor acceleration that sleep is told from.
    static func isNeeded(in header: RecordingHeader) -> Bool {
        BrainSource.all(in: header).isEmpty && !BodySource.all(in: header).contains { $0.kind == .acceleration }
    }

    /// Sleep and wake of a recording whose beats are all known.
    static func epochs(of result: CardiacResult) -> [SleepEpoch] {
        HeartSleep.epochs(HeartRateEpoch.among(sure(rates(result.nn), result.beats), runs: result.runs))
    }

    /// By corrected intervals; those that were estimated from their neighbours count as not seen.
    private static func rates(_ intervals: [NN]) -> [HeartRateEpoch] {
        var stage = HeartRates()
        let seen = intervals.filter { $0.status != .interpolated }.map {
            HeartInterval(onset: $0.onset, duration: $0.duration)
        }
        return stage.run(seen, from: SegmentStart(onset: 0, sample: 0, sampleRate: 1))
    }

    private static func sure(_ rates: [HeartRateEpoch], _ beats: [Beat]) -> [HeartRateEpoch] {
        var next = 0
        return rates.map { rate in
            var (sum, count) = (0.0, 0)
            while next < beats.count, beats[next].onset < rate.onset + SleepEpoch.length {
                if beats[next].onset >= rate.onset { (sum, count) = (sum + Double(beats[next].confidence), count + 1) }
                next += 1
            }
            guard rate.rate != nil, count > 0, sum < leastConfidence * Double(count) else { return rate }
            return HeartRateEpoch(onset: rate.onset, reason: .badSignal)
        }
    }
}
