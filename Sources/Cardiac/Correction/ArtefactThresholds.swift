import Signals

/// The series that artefacts are judged by, for one run of intervals, computed as the intervals come in.
///
/// After Lipponen & Tarvainen 2019: `dRR` are the differences of successive intervals, `mRR` the deviations from the
/// median of the eleven intervals around (negative ones doubled); both are divided by a time-varying threshold, alpha
/// times the quartile deviation of the 91 around. At the ends of a run the first or last 91 (or eleven) serve. The
/// quartile deviation is meant for the signed series: only so does alpha = 5.2 leave out 0.05 % of normally
/// distributed differences, as the paper says (3.5 standard deviations); of their sizes it would be 3 %.
///
/// Those of a sinus rhythm have longer tails than a normal distribution: of a healthy heart's day, 106,000 intervals,
/// one beat in 700 would be taken for an artefact. So what lies beyond the threshold must be large as well: more than a
/// fifth of the interval, the difference that ends a series of normal intervals (Malik et al. 1989, Eur Heart J
/// 10:1060-1074). Smaller ones tell of an artefact from one and a half thresholds on; of that day, one beat in 2,200.
struct ArtefactThresholds {
    private static let half = 45
    private static let medianHalf = 5
    /// Differences below this are not told from timing noise, however regular the rhythm.
    private static let floor: Seconds = 0.02
    /// Differences beyond this share of the interval are suspect in any rhythm, however irregular, unless breathing
    /// drives it; without this limit frequent ectopic beats would raise the threshold beyond their own size.
    private static let ceiling = 0.25
    /// Beyond this share of the interval a difference is large.
    static let large = 0.2
    /// Beyond this share an interval that stands alone between gaps is unlike those around, which are farther away.
    static let apart = 0.3
    /// Beyond this many thresholds a difference need not be large.
    static let certain = 1.5

    /// Lengths and ends of the intervals.
    private(set) var durations: [Seconds] = []
    private(set) var onsets: [Seconds] = []
    /// Median of the eleven intervals around each.
    private(set) var medians: [Seconds] = []
    /// Threshold of the deviations from the median, in seconds.
    private(set) var deviationThresholds: [Seconds] = []
    /// `dRR` over its threshold; that of the first interval is its deviation from the median.
    private(set) var differences: [Double] = []
    /// `mRR` over its threshold.
    private(set) var deviations: [Double] = []
    /// What `differences` must reach to tell of an artefact, 1…1.5.
    private(set) var leastDifferences: [Double] = []
    /// Whether the run is complete.
    private(set) var isEnded = false

    private let alpha: Double
    private var around = SortedWindow(capacity: 11)
    private var aroundEnds = (low: 0, high: 0)
    private var differenceWindow = SortedWindow(capacity: 91)
    private var deviationWindow = SortedWindow(capacity: 91)
    private var ends = (low: 0, high: 0)

    init(alpha: Double) {
        self.alpha = alpha
    }

    /// How many intervals have all their series.
    var count: Int { differences.count }

    mutating func append(_ duration: Seconds, endingAt onset: Seconds) {
        durations.append(duration)
        onsets.append(onset)
        advance()
    }

    mutating func end() {
        isEnded = true
        advance()
    }

    /// Forgets the first `count` intervals, of which none is needed any more.
    mutating func forget(_ count: Int) {
        durations.removeFirst(count)
        onsets.removeFirst(count)
        medians.removeFirst(count)
        deviationThresholds.removeFirst(count)
        differences.removeFirst(count)
        deviations.removeFirst(count)
        leastDifferences.removeFirst(count)
        aroundEnds = (aroundEnds.low - count, aroundEnds.high - count)
        ends = (ends.low - count, ends.high - count)
    }

    private mutating func advance() {
        while medians.count < durations.count, let window = window(medians.count, Self.medianHalf, of: durations.count)
        {
            moveMedian(to: window)
            medians.append(around.median)
        }
        while count < medians.count, let window = window(count, Self.half, of: medians.count) {
            move(to: window)
            judge(count)
        }
    }

    /// The `2 half + 1` places around `place` that exist, or nil while they may still come.
    private func window(_ place: Int, _ half: Int, of available: Int) -> Range<Int>? {
        let last = max(place, half) + half
        if last < available { return last - 2 * half..<last + 1 }
        guard isEnded, available == durations.count else { return nil }
        return max(0, available - 2 * half - 1)..<available
    }

    private mutating func moveMedian(to window: Range<Int>) {
        while aroundEnds.high < window.upperBound, aroundEnds.low < min(window.lowerBound, aroundEnds.high) {
            around.replace(durations[aroundEnds.low], with: durations[aroundEnds.high])
            aroundEnds = (aroundEnds.low + 1, aroundEnds.high + 1)
        }
        while aroundEnds.high < window.upperBound {
            around.insert(durations[aroundEnds.high])
            aroundEnds.high += 1
        }
        while aroundEnds.low < window.lowerBound {
            around.remove(durations[aroundEnds.low])
            aroundEnds.low += 1
        }
    }

    private mutating func move(to window: Range<Int>) {
        while ends.high < window.upperBound, ends.low < min(window.lowerBound, ends.high) {
            differenceWindow.replace(abs(difference(ends.low)), with: abs(difference(ends.high)))
            deviationWindow.replace(abs(deviation(ends.low)), with: abs(deviation(ends.high)))
            ends = (ends.low + 1, ends.high + 1)
        }
        while ends.high < window.upperBound {
            differenceWindow.insert(abs(difference(ends.high)))
            deviationWindow.insert(abs(deviation(ends.high)))
            ends.high += 1
        }
        while ends.low < window.lowerBound {
            differenceWindow.remove(abs(difference(ends.low)))
            deviationWindow.remove(abs(deviation(ends.low)))
            ends.low += 1
        }
    }

    private mutating func judge(_ place: Int) {
        let ceiling = Self.ceiling * medians[place]
        let breathing = SinusArrhythmia(durations[ends.low..<ends.high])
        let differenceSpread = alpha * differenceWindow.quartileDeviation(isWave: breathing.isWave)
        let deviationSpread = alpha * deviationWindow.quartileDeviation(isWave: breathing.isWave)
        let isOpen = differenceSpread > ceiling && breathing.drives
        let limits = min(Self.floor, ceiling)...(isOpen ? .infinity : ceiling)
        let differenceThreshold = limits.clamp(differenceSpread)
        let deviationThreshold = limits.clamp(deviationSpread)
        deviationThresholds.append(deviationThreshold)
        differences.append(difference(place) / differenceThreshold)
        deviations.append(deviation(place) / deviationThreshold)
        leastDifferences.append((1...Self.certain).clamp(Self.large * medians[place] / differenceThreshold))
    }

    private func difference(_ place: Int) -> Seconds {
        durations[place] - (place == 0 ? medians[0] : durations[place - 1])
    }

    private func deviation(_ place: Int) -> Seconds {
        let deviation = durations[place] - medians[place]
        return deviation < 0 ? 2 * deviation : deviation
    }
}

extension ClosedRange<Double> {
    func clamp(_ value: Double) -> Double { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
