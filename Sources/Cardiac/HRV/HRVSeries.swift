import Kernels
import Signals

/// The intervals of one window and what several indexes share of them, computed when first asked for.
///
/// Two views are kept apart. *Measured* intervals (`nn`, `differences`) leave out interpolated ones, as no measurement
/// stands behind those: statistics of the time domain, the Poincaré plot and beat patterns rest on them. *Runs* keep
/// interpolated intervals in their place, as spectra, entropies and scaling exponents need a series without holes; a
/// run never reaches across a gap.
final class HRVSeries {
    let onset: Seconds
    let duration: Seconds
    let intervals: [NN]
    let parameters: HRVParameters
    let plan: SpectralPlan

    init(onset: Seconds, duration: Seconds, intervals: [NN], parameters: HRVParameters, plan: SpectralPlan) {
        self.onset = onset
        self.duration = duration
        self.intervals = intervals
        self.parameters = parameters
        self.plan = plan
    }

    /// Ranges of `intervals` between which there is a gap.
    lazy var runs: [Range<Int>] = {
        var runs: [Range<Int>] = []
        var first = 0
        for index in intervals.indices.dropFirst() where !intervals[index].isContiguous {
            runs.append(first..<index)
            first = index
        }
        if !intervals.isEmpty { runs.append(first..<intervals.count) }
        return runs
    }()

    /// The share of the window that the intervals cover, 0…1.
    var coverage: Double {
        guard duration > 0 else { return 0 }
        return min(1, intervals.reduce(0) { $0 + $1.duration } / duration)
    }

    /// Measured intervals in ms.
    lazy var nn: [Double] = intervals.lazy.filter { $0.status != .interpolated }.map(\.milliseconds)

    /// Measured intervals in ms, in rising order.
    lazy var sorted: [Double] = nn.sorted()

    /// Differences between successive measured intervals in ms; none across a gap or an interpolated interval.
    lazy var differences: [Double] = {
        var differences: [Double] = []
        differences.reserveCapacity(intervals.count)
        for index in intervals.indices.dropFirst() where intervals[index].isContiguous {
            let (last, next) = (intervals[index - 1], intervals[index])
            guard last.status != .interpolated, next.status != .interpolated else { continue }
            differences.append(next.milliseconds - last.milliseconds)
        }
        return differences
    }()

    /// Instantaneous heart rate of the measured intervals in bpm.
    lazy var heartRate: [Double] = nn.map { 60_000 / $0 }

    lazy var meanNN = Statistics.mean(nn)
    lazy var sdnn = Statistics.standardDeviation(nn)
    lazy var rmssd = (differences.reduce(0) { $0 + $1 * $1 } / Double(differences.count)).squareRoot()
    lazy var sdsd = Statistics.standardDeviation(differences)

    /// The run with the most intervals; the first of equals.
    lazy var longestRun: Range<Int> = runs.reduce(0..<0) { $1.count > $0.count ? $1 : $0 }

    /// The longest time that a run spans, in seconds.
    lazy var longestSpan: Seconds = runs.map(span(of:)).max() ?? 0

    /// The time that the window's ends leave of an interval that they cut: at each end no more than the window's longest
    /// interval lasts.
    private lazy var longestCut: Seconds = (sorted.last ?? 0) / 1_000 + 1e-6

    /// How many seconds of the window a stretch of intervals stands for: from its first beat to its last and, where it
    /// reaches the window's ends, up to these. Intervals that an end cuts lie only partly in the window, so that none of
    /// its stretches is ever quite as long as it.
    func span(of run: Range<Int>) -> Seconds {
        guard let first = run.first, let last = run.last else { return 0 }
        let (start, stop) = (intervals[first].onset - intervals[first].duration, intervals[last].onset)
        let before = first == intervals.startIndex ? start - onset : 0
        let after = last == intervals.endIndex - 1 ? onset + duration - stop : 0
        return stop - start + cut(before) + cut(after)
    }

    private func cut(_ time: Seconds) -> Seconds { (0...longestCut).contains(time) ? time : 0 }

    /// When a stretch of time must have ended to count as lying in the window: the end, and the time of two intervals
    /// more, as one window over a whole recording ends with its last beat.
    private var lastStretchEnd: Seconds { onset + duration + 2 * longestCut }

    lazy var runValues = computeRunValues()
    lazy var entropyTolerance = computeEntropyTolerance()
    lazy var neighbours = computeNeighbours()
    var matchesByScale: [Int: [TemplateMatches]] = [:]
    lazy var measuredStretches = computeMeasuredStretches()
    lazy var histogram = IntervalHistogram(sorted)
    lazy var fragmentation = computeFragmentation()
    lazy var asymmetry = Asymmetry(pairs)
    lazy var recurrence = Recurrence(runValues)
    var bridgedByRun: [Range<Int>: BridgedValues] = [:]
    var samplesByRun: [Range<Int>: [Double]] = [:]
    var detrendedByRun: [Range<Int>: [Double]] = [:]
    lazy var welchSpectrum = computeWelch()
    lazy var lombSpectrum = computeLomb()
    lazy var autoregressiveSpectrum = computeAutoregressive()

    private var segmentCache: [Seconds: [Segment]] = [:]

    /// Mean and standard deviation, in ms, of the measured intervals that end within each stretch of `length` seconds
    /// from the window's start; stretches less than half covered are left out, and the last one where the window ends
    /// before it does.
    func segments(of length: Seconds) -> [Segment] {
        if let known = segmentCache[length] { return known }
        var segments: [Segment] = []
        var values: [Double] = []
        var place = 0
        func close() {
            let isWhole = onset + Double(place + 1) * length <= lastStretchEnd
            if isWhole, values.count > 1, values.reduce(0, +) >= length * 500 {
                segments.append(Segment(mean: Statistics.mean(values), sd: Statistics.standardDeviation(values)))
            }
            values.removeAll(keepingCapacity: true)
        }
        for interval in intervals where interval.status != .interpolated {
            let here = Int((interval.onset - onset) / length)
            if here != place { close() }
            place = here
            values.append(interval.milliseconds)
        }
        close()
        segmentCache[length] = segments
        return segments
    }

    struct Segment {
        var mean: Double
        var sd: Double
    }
}

/// Quantile of values in rising order, by linear interpolation between order statistics (Hyndman & Fan 1996, type 7).
func sortedQuantile(_ sorted: [Double], _ share: Double) -> Double {
    guard let last = sorted.indices.last else { return .nan }
    let place = share * Double(last)
    let below = Int(place)
    let above = min(below + 1, last)
    return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
}

extension NN {
    /// Its length in ms; see `IBI.milliseconds`.
    var milliseconds: Double { Self.milliseconds(duration) }

    /// A length in seconds as ms.
    ///
    /// Beats lie on a grid of 0.1 ms, but the difference of two onsets is off it by a rounding error; this puts it
    /// back, so that lengths on the edge of a histogram's bin fall to the side where they belong.
    static func milliseconds(_ duration: Seconds) -> Double {
        let steps = duration * 10_000
        let nearest = steps.rounded()
        return abs(steps - nearest) < 1e-6 ? nearest / 10 : duration * 1_000
    }
}

extension IBI {
    /// Its length in ms, put back on the grid that beats lie on.
    var milliseconds: Double { NN.milliseconds(duration) }
}
