import Foundation
import Kernels
import Signals

/// Tells sleep from wake by an EEG, with a limit that the recording itself sets.
///
/// From wake to sleep fast rhythms wane against slow ones, and the spectrum above 30 Hz becomes steeper, in REM sleep
/// even more than in deep sleep (Lendner et al. 2020, eLife 9:e55092). Both together are the `arousal` of a
/// `SleepMeasure`, weighed 1 : 2 : 1 with the 30 s before and after. Somebody slept when five minutes or more are
/// certainly non-REM sleep: slow power at least forty times the fast. Between the lightest of those and the top of the
/// recording the limit is where arousals are rarest. What does not rise above certain sleep by more than 0.8 is sleep as
/// well; without certain sleep there is no sleep, only wake where that is plain. Where the tone of the chin is known it
/// decides the epochs near the limit: the tone is high in wake and lowest in REM sleep (`ChinTone`). So do the eyes, where
/// they are known: who blinks or reads is awake (`WakefulEyes`).
public enum EEGSleep {
    /// The logarithm of fast over slow power below which sleep is certain.
    static let certain = -1.6
    /// How many stretches of 30 s must be so.
    static let leastCertain = 10
    /// How much further up than sleep the top of a recording must be to be wake.
    static let leastRise = 0.8
    /// An arousal above it is wake without any comparison: between the means of wake and of sleep of Lendner et al.
    static let plainWake = -2.4

    /// Sleep and wake of the stretches of one recording, in order of time.
    /// - Parameters:
    ///   - tones: of the chin, beside them; empty where it was not recorded.
    ///   - eyes: what they did beside them; empty where it was not recorded.
    public static func epochs(
        _ measures: [SleepMeasure], tones: [MuscleTone] = [], eyes: [EyeActivity] = []
    ) -> [SleepEpoch] {
        let arousal = smoothed(measures)
        let limit = limit(measures, arousal)
        let chin = limit.flatMap { limit in
            ChinTone(tones, arousals: zip(measures, arousal).map { ($0.onset, $1) }, limit: limit)
        }
        let wakeful = WakefulEyes(eyes)
        return measures.indices.map { index in
            let onset = measures[index].onset
            guard let arousal = arousal[index] else {
                return SleepEpoch(onset: onset, reason: measures[index].reason ?? .badSignal)
            }
            guard let limit else {
                return arousal > plainWake
                    ? SleepEpoch(onset: onset, asleep: 0) : SleepEpoch(onset: onset, reason: .undecided)
            }
            let asleep = chin?.asleep(at: onset, distance: arousal - limit) ?? (arousal > limit ? 0 : 1)
            // Farther below the limit the waves of deep sleep reach the eyes' electrodes.
            let isNear = limit - arousal <= ChinTone.below
            let isAwake = isNear && wakeful.sayAwake(at: onset, isToneLow: chin?.isLow(at: onset))
            return SleepEpoch(onset: onset, asleep: isAwake ? 0 : asleep)
        }
    }

    /// Each arousal with a half of those 30 s before and after, where they are known.
    private static func smoothed(_ measures: [SleepMeasure]) -> [Double?] {
        measures.indices.map { index in
            guard let own = measures[index].arousal else { return nil }
            var (sum, weight) = (2 * own, 2.0)
            for other in [index - 1, index + 1] where measures.indices.contains(other) {
                let distance = abs(measures[other].onset - measures[index].onset)
                guard let near = measures[other].arousal, distance < 1.5 * SleepEpoch.length else { continue }
                (sum, weight) = (sum + near, weight + 1)
            }
            return sum / weight
        }
    }

    /// The arousal above which somebody is awake; nil where nobody is known to have slept.
    private static func limit(_ measures: [SleepMeasure], _ arousal: [Double?]) -> Double? {
        let known = arousal.compactMap(\.self)
        let asleep = measures.indices.filter { measures[$0].fastToSlow.map { $0 <= certain } ?? false }
        guard asleep.count >= leastCertain else { return nil }
        // The lightest of it: deep sleep lies as far below light sleep as that below wake.
        let bottom = Statistics.quantile(asleep.compactMap { arousal[$0] }, 0.9)
        let highest = known.sorted().suffix(max(4, known.count / 50))
        let top = Statistics.mean(Array(highest))
        guard top - bottom >= leastRise else { return bottom + leastRise }
        return valley(known, from: bottom, to: top)
    }

    /// Where, in the middle between two values, a smoothed histogram of `values` is lowest.
    private static func valley(_ values: [Double], from low: Double, to high: Double) -> Double {
        let (width, steps) = (0.1 * (high - low), 40)
        let places = (0...steps).map { low + (high - low) * (0.3 + 0.5 * Double($0) / Double(steps)) }
        let densities = places.map { place in
            values.reduce(0.0) { sum, value in
                let distance = (value - place) / width
                return abs(distance) < 5 ? sum + exp(-distance * distance / 2) : sum
            }
        }
        let lowest = densities.min() ?? 0
        // Of a wide empty stretch the middle.
        let empty = places.indices.filter { densities[$0] <= lowest + 1e-3 }
        return empty.isEmpty ? (low + high) / 2 : places[empty[empty.count / 2]]
    }
}
