import Foundation
import Kernels
import Signals

/// The rate at which a measure of successive beats swings.
///
/// Within each run of beats the local mean is taken out, outliers are dropped, and what is left is weighted with a Hann
/// window and seen through a Lomb-Scargle periodogram, which needs no value between beats or across a break. The rate
/// is the highest peak; its share of the power is how far it stands out (Birrenkott et al. 2018).
struct ModulationSpectrum {
    /// Least number of beats in a window.
    static let leastBeats = 12
    /// Beats further apart than this, in seconds, are not of one run.
    static let longestInterval: Seconds = 3
    /// Runs of fewer beats have no local mean to speak of.
    private static let leastRun = 4
    /// Least number of breaths at the rate that is found.
    private static let leastBreaths = 3.0
    /// Standard deviation in seconds of the Gaussian that weighs the local mean: it holds back half of a swing at 4/min
    /// and nearly all that is slower than 1/min.
    private static let trendWidth: Seconds = 3

    /// Slow waves this much stronger than the highest peak above them may be slow breathing with its harmonics.
    private static let slowDominance = 4.0
    /// The minimum share of the power of a slow swing of the height of pulses that counts as breathing.
    private static let certain = 0.9
    /// Ectopy and fibrillation make many intervals jump; breathing, however deep, few.
    private static let mostJumps = 0.15

    let method: RespirationMethod
    let parameters: RespirationParameters

    /// Runs of beats with finite values, none across a break.
    static func runs(_ measures: ArraySlice<BeatMeasure>) -> [[BeatMeasure]] {
        var runs: [[BeatMeasure]] = []
        var run: [BeatMeasure] = []
        for measure in measures {
            let isFinite = abs(measure.value) < 1e30
            let isApart = run.last.map { measure.onset - $0.onset > longestInterval } ?? false
            if measure.followsBreak || isApart || !isFinite {
                if !run.isEmpty { runs.append(run) }
                run = []
            }
            if isFinite { run.append(measure) }
        }
        if !run.isEmpty { runs.append(run) }
        return runs
    }

    /// Seconds between first and last beat of the runs.
    static func span(_ runs: [[BeatMeasure]]) -> Seconds {
        runs.reduce(0) { sum, run in sum + (run[run.count - 1].onset - run[0].onset) }
    }

    /// The rate in the window at `place`.
    func rate(of runs: [[BeatMeasure]], in place: WindowPlace) -> RespirationResult {
        let long = runs.filter { $0.count >= Self.leastRun }
        let count = long.reduce(0) { $0 + $1.count }
        let span = Self.span(long)
        let least = parameters.minimumCoverage
        guard span >= least * place.duration, span > 0 else {
            return .missing(.lowCoverage(span / place.duration, least: least))
        }
        guard count >= Self.leastBeats else { return .missing(.tooFewBeats(count, least: Self.leastBeats)) }
        let swings = long.map(Self.detrended)
        guard Self.largest(swings) > 1e-9 * Self.largest(long) else {
            return .missing(.noDominantPeak(0, least: parameters.minimumPeak))
        }
        let (times, values) = weighted(withoutOutliers(swings), in: place)
        // Swings faster than half the rate of the beats cannot be told from slower ones.
        let beatsPerMinute = 60 * Double(count - long.count) / span
        let highest = min(parameters.highestRate, beatsPerMinute / 2)
        let jumps = method.suffersFromEctopy ? Self.shareOfJumps(long) : 0
        guard jumps <= Self.mostJumps else { return .missing(.irregularRhythm(jumps, greatest: Self.mostJumps)) }
        let spectrum = Periodogram(times, values, highest: highest, duration: place.duration)
        // Vasomotion modulates the height of pulses at slow rates, as slow waves modulate intervals.
        if method == .bvpAmplitude, parameters.lowestIntervalRate > parameters.lowestRate,
            let peak = spectrum.peak(in: parameters.lowestRate...highest), peak.rate < parameters.lowestIntervalRate,
            peak.share < Self.certain
        {
            return .missing(.slowWaves(peak.rate))
        }
        let lowest = method.restsOnIntervals ? parameters.lowestIntervalRate : parameters.lowestRate
        guard highest > lowest, let peak = spectrum.peak(in: lowest...highest) else {
            return .missing(.outOfRange(nil))
        }
        if lowest > parameters.lowestRate, let slow = spectrum.peak(in: parameters.lowestRate...lowest),
            slow.power > Self.slowDominance * peak.power
        {
            return .missing(.slowWaves(slow.rate))
        }
        let breaths = peak.rate * span / 60
        guard breaths >= Self.leastBreaths else {
            return .missing(.tooFewBreaths(Int(breaths), least: Int(Self.leastBreaths)))
        }
        guard peak.share >= parameters.minimumPeak else {
            return .missing(.noDominantPeak(peak.share, least: parameters.minimumPeak), quality: peak.share)
        }
        return .rate(peak.rate, quality: peak.share * min(1, span / place.duration + 0.1))
    }

    /// A run less its local mean.
    private static func detrended(_ run: [BeatMeasure]) -> [BeatMeasure] {
        run.map { measure in
            var (sum, weights) = (0.0, 0.0)
            for other in run {
                let distance = (other.onset - measure.onset) / trendWidth
                guard abs(distance) < 4 else { continue }
                let weight = exp(-0.5 * distance * distance)
                sum += weight * other.value
                weights += weight
            }
            var measure = measure
            measure.value -= sum / weights
            return measure
        }
    }

    /// All beats but those more than four robust standard deviations off.
    private func withoutOutliers(_ runs: [[BeatMeasure]]) -> [BeatMeasure] {
        let all = runs.flatMap { $0 }
        let limit = 4 * 1.4826 * Statistics.median(all.map { abs($0.value) })
        return limit > 0 ? all.filter { abs($0.value) <= limit } : all
    }

    private func weighted(_ measures: [BeatMeasure], in place: WindowPlace) -> (times: [Double], values: [Double]) {
        let times = measures.map { $0.onset - place.onset }
        let values = zip(measures, times).map { measure, time in
            measure.value * (0.5 - 0.5 * cos(2 * .pi * time / place.duration))
        }
        return (times, values)
    }

    private static func largest(_ runs: [[BeatMeasure]]) -> Double {
        runs.reduce(0) { $1.reduce($0) { max($0, abs($1.value)) } }
    }

    /// The share of intervals that differ from the one before by more than a fifth.
    private static func shareOfJumps(_ runs: [[BeatMeasure]]) -> Double {
        var (jumps, count) = (0, 0)
        for run in runs {
            for index in run.indices.dropFirst(2) {
                let earlier = run[index - 1].onset - run[index - 2].onset
                let later = run[index].onset - run[index - 1].onset
                count += 1
                if abs(later - earlier) > 0.2 * min(earlier, later) { jumps += 1 }
            }
        }
        return count > 0 ? Double(jumps) / Double(count) : 0
    }
}
