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
        let (times, values) = weighted(withoutOutliers(long.map(Self.detrended)), in: place)
        // Swings faster than half the rate of the beats cannot be told from slower ones.
        let beatsPerMinute = 60 * Double(count - long.count) / span
        let highest = min(parameters.highestRate, beatsPerMinute / 2)
        guard highest > parameters.lowestRate else { return .missing(.outOfRange(nil)) }
        let peak = Self.peak(times, values, rates: parameters.lowestRate...highest, duration: place.duration)
        guard let peak else { return .missing(.outOfRange(nil)) }
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

    private static func peak(
        _ times: [Double], _ values: [Double], rates: ClosedRange<Double>, duration: Seconds
    ) -> (rate: Double, share: Double)? {
        let step = 1 / (4 * duration)
        let first = max(1, Int((rates.lowerBound / 60 / step).rounded(.up)))
        let last = Int((rates.upperBound / 60 / step).rounded(.down))
        guard last > first + 1 else { return nil }
        let grid = LombScargle.Grid(first: Double(first - 1) * step, step: step, count: last - first + 3)
        let power = LombScargle.periodogram(times: times, values: values, frequencies: grid)
        let inner = 1..<power.count - 1
        let peaks = inner.filter { power[$0] > power[$0 - 1] && power[$0] >= power[$0 + 1] }
        guard let highest = peaks.max(by: { power[$0] < power[$1] }), power[highest] > 0 else { return nil }
        let total = power[inner].reduce(0, +)
        // The main lobe of a Hann window is two over its length wide to either side.
        let lobe = max(inner.lowerBound, highest - 8)..<min(inner.upperBound, highest + 9)
        let (a, b, c) = (power[highest - 1], power[highest], power[highest + 1])
        let shift = 0.5 * (a - c) / (a - 2 * b + c)
        let rate = 60 * (grid[highest] + shift * step)
        guard rate.isFinite, total > 0 else { return nil }
        return (rate, power[lobe].reduce(0, +) / total)
    }
}
