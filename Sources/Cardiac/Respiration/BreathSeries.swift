import Kernels
import Signals

/// The breaths of one window.
struct BreathSeries {
    /// Least number of intervals between breaths.
    private static let leastIntervals = 2
    /// Likeness of forms in what is no breathing, and in breathing: noise between 0.05 and 1 Hz, which a belt's
    /// amplifier gives while nobody wears it, has 0.71 to 0.83, and people's breaths have 0.85 and more.
    private static let noiseLikeness = 0.65
    private static let breathLikeness = 0.9
    private let breaths: [FormedBreath]
    /// Intervals between the onsets of successive breaths of one run.
    private let intervals: [Seconds]

    init(_ breaths: [FormedBreath]) {
        self.breaths = breaths
        intervals = zip(breaths, breaths.dropFirst()).compactMap { earlier, later in
            later.breath.followsBreak ? nil : later.breath.onset - earlier.breath.onset
        }
    }

    /// Rate and quality, where `covered` seconds have samples, which are the share `coverage` of a window; in the share
    /// `still` the value stands still.
    func rate(
        covered: Seconds, coverage: Double, still: Double, _ parameters: RespirationParameters
    ) -> RespirationResult {
        let least = parameters.minimumCoverage
        guard coverage >= least, covered > 0 else {
            // Without the flat line there would be enough.
            let isFlat = still > 0 && coverage + still >= least
            return .missing(
                isFlat ? .flat(still, coverage: coverage, least: least) : .lowCoverage(coverage, least: least))
        }
        guard breaths.count > Self.leastIntervals else {
            return .missing(.tooFewBreaths(breaths.count, least: Self.leastIntervals + 1))
        }
        guard intervals.count >= Self.leastIntervals else {
            return .missing(
                .tooFewIntervals(intervals.count, breaths: breaths.count, least: Self.leastIntervals))
        }
        let sum = intervals.reduce(0, +)
        let rate = 60 * Double(intervals.count) / sum
        guard parameters.rates.contains(rate) else { return .missing(.outOfRange(rate)) }
        let typical = Statistics.median(intervals)
        let regular = intervals.count { $0 > 0.5 * typical && $0 < 1.5 * typical }
        // The window's ends cut off a breath each.
        let filled = min(1, (sum + 2 * typical) / covered)
        let likeness = likeness
        let certainty = min(max((likeness - Self.noiseLikeness) / (Self.breathLikeness - Self.noiseLikeness), 0), 1)
        return .rate(rate, quality: likeness * certainty * Double(regular) / Double(intervals.count) * filled)
    }

    /// Mean correlation of the forms with their mean, 0…1.
    private var likeness: Double {
        let forms = breaths.map(\.form).filter { $0 != .zero }
        let mean = forms.reduce(SIMD16<Float>()) { $0 + $1 }
        let length = (mean * mean).sum().squareRoot()
        guard !forms.isEmpty, length > 0 else { return 0 }
        let correlations = forms.reduce(Float(0)) { $0 + ($1 * mean).sum() / length }
        return Double(max(0, min(1, correlations / Float(forms.count))))
    }
}
