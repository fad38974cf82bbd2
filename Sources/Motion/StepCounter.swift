import Kernels
import Signals

/// Finds steps in the magnitude of acceleration: peaks that follow each other with a walker's or runner's regularity.
/// A peak counts when at least four come in a row, each 0.25 to 1.25 s after the one before and no interval more than a
/// third different from the last (after the windowed peak detection of Brondin et al., J Meas Phys Behav 3:194, 2020).
struct StepCounter: Sendable {
    /// By how much the signal must have gone on, in seconds, before all steps up to a moment are known.
    static let lookAhead: Seconds = 6

    private static let inRow = 4
    private let rate: Double
    private let least: Double
    private var fast: SlidingSum
    private var slow: SlidingSum
    private var place = 0
    private var top: (place: Int, height: Double)?
    private var row: [Int] = []
    private var last: (place: Int, interval: Int)?
    /// The last step that was given out.
    private var given = -1

    init(sampleRate: Double, least: Double) {
        (rate, self.least) = (sampleRate, least)
        fast = SlidingSum(window: max(1, Int((0.15 * sampleRate).rounded())))
        slow = SlidingSum(window: max(2, Int((2 * sampleRate).rounded())))
    }

    /// Takes the next magnitude; appends the places of the steps that are certain by it.
    mutating func take(_ magnitude: Double, into steps: inout [Int]) {
        if place == 0 {
            for _ in 0..<slow.window { _ = slow.push(magnitude) }
            for _ in 0..<fast.window { _ = fast.push(magnitude) }
        }
        _ = fast.push(magnitude)
        _ = slow.push(magnitude)
        let height = fast.mean - slow.mean
        if height > 0 {
            if height > top?.height ?? 0 { top = (place, height) }
        } else if let peak = top {
            top = nil
            if peak.height >= least { add(peak.place, into: &steps) }
        }
        place += 1
    }

    private mutating func add(_ peak: Int, into steps: inout [Int]) {
        defer { last = (peak, last.map { peak - $0.place } ?? 0) }
        guard let last else { return row = [peak] }
        let interval = Double(peak - last.place) / rate
        let earlier = Double(last.interval) / rate
        let isNext = interval >= 0.25 && interval <= 1.25
        let isRegular = row.count < 2 || abs(interval - earlier) <= max(interval, earlier) / 3
        guard isNext, isRegular else {
            row = isNext ? [last.place, peak] : [peak]
            return
        }
        row.append(peak)
        guard row.count >= Self.inRow else { return }
        // A row in another cadence may begin with the last step of the one before, which is no other step.
        if row.count == Self.inRow { steps += row.filter { $0 > given } } else { steps.append(peak) }
        given = peak
    }
}
