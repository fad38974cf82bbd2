import Kernels
import Signals

/// The Lomb-Scargle periodogram of what breathing modulates, and its peaks.
struct Periodogram {
    /// A peak: where it is, how high, and which share of the power of its band lies around it.
    struct Peak {
        var rate: Double
        var power: Double
        var share: Double
    }

    /// Points per width 1/duration.
    private static let fineness = 4
    private let grid: LombScargle.Grid
    private let power: [Double]

    /// Of values that are weighted with a Hann window of `duration` seconds, up to `highest` per minute.
    init(_ times: [Seconds], _ values: [Double], highest: Double, duration: Seconds) {
        let step = 1 / (Double(Self.fineness) * duration)
        grid = LombScargle.Grid(first: step, step: step, count: max(0, Int(highest / 60 / step)) + 2)
        power = LombScargle.periodogram(times: times, values: values, frequencies: grid)
    }

    /// The highest of the points from `rates.lowerBound` to `rates.upperBound` per minute that are above both
    /// neighbours; nil where there is none.
    func peak(in rates: ClosedRange<Double>) -> Peak? {
        let first = max(1, Int((rates.lowerBound / 60 / grid.step).rounded(.up)) - 1)
        let last = min(power.count - 2, Int((rates.upperBound / 60 / grid.step).rounded(.down)) - 1)
        guard first <= last else { return nil }
        let peaks = (first...last).filter { power[$0] > power[$0 - 1] && power[$0] >= power[$0 + 1] }
        let total = power[first...last].reduce(0, +)
        guard let highest = peaks.max(by: { power[$0] < power[$1] }), total > 0, total.isFinite else { return nil }
        // The main lobe of a Hann window is two over its length wide to either side.
        let reach = 2 * Self.fineness
        let lobe = power[max(first, highest - reach)...min(last, highest + reach)].reduce(0, +)
        let (a, b, c) = (power[highest - 1], power[highest], power[highest + 1])
        let shift = 0.5 * (a - c) / (a - 2 * b + c)
        return Peak(rate: 60 * (grid[highest] + shift * grid.step), power: b, share: lobe / total)
    }
}
