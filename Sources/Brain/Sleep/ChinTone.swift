import Kernels
import Signals

/// What the tone of the chin says of epochs in which the EEG is near its limit.
///
/// AASM Manual for the Scoring of Sleep: in wake the tone is high, in REM sleep it is as low as in no other stage. The
/// scale goes from the recording's lowest sustained tone (the 5th percentile of medians of five minutes) to that of
/// wake (the upper quartile of what the EEG says is wake); a muscle whose tones differ by less than a factor of three
/// says nothing.
struct ChinTone {
    /// How far above the limit an arousal with the lowest tone may be, and how far below it one with that of wake.
    private static let above = 0.8
    static let below = 0.4
    /// The shares of the scale below which a tone is sleep's, and above which wake's.
    private static let low = 0.25
    private static let high = 0.75
    /// The least difference of powers of ten between both, and how many epochs of wake must be known.
    private static let leastContrast = 0.5
    private static let leastWake = 10

    private var levels: [Int: Double] = [:]
    private let lowest: Double
    private let wake: Double

    /// The scale of a recording; nil where it has none.
    /// - Parameter arousals: of all epochs, with their onsets.
    init?(_ tones: [MuscleTone], arousals: [(onset: Seconds, arousal: Double?)], limit: Double) {
        let sustained = tones.indices.compactMap { index -> Double? in
            let near = tones[max(0, index - 5)..<min(tones.count, index + 6)].compactMap(\.level)
            return near.count >= 6 ? Statistics.median(near) : nil
        }
        guard !sustained.isEmpty else { return nil }
        for tone in tones { levels[SleepEpoch.number(tone.onset)] = tone.level }
        let known = levels
        let awake = arousals.compactMap { epoch in
            epoch.arousal.flatMap { $0 > limit ? known[SleepEpoch.number(epoch.onset)] : nil }
        }
        guard awake.count >= Self.leastWake else { return nil }
        lowest = Statistics.quantile(sustained, 0.05)
        wake = Statistics.quantile(awake, 0.75)
        guard wake - lowest >= Self.leastContrast else { return nil }
    }

    /// 1 asleep, 0 awake; nil where the EEG decides.
    /// - Parameter distance: how far the arousal is above the limit.
    func asleep(at onset: Seconds, distance: Double) -> Int? {
        guard let share = share(at: onset) else { return nil }
        if share <= Self.low, distance > 0, distance <= Self.above { return 1 }
        if share >= Self.high, distance <= 0, -distance <= Self.below { return 0 }
        return nil
    }

    /// Whether the tone is as low as in REM sleep; nil where it is not known.
    func isLow(at onset: Seconds) -> Bool? { share(at: onset).map { $0 <= Self.low } }

    /// Where on the scale the tone is: 0 the lowest, 1 that of wake.
    private func share(at onset: Seconds) -> Double? {
        levels[SleepEpoch.number(onset)].map { ($0 - lowest) / (wake - lowest) }
    }
}
