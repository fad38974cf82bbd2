import Kernels
import Signals

/// Tells gravity from the body's own acceleration: what is left of an axis after two means over 2 s, centred, is
/// gravity (−3 dB at 0.16 Hz). Beyond the ends of the run its first and its last value are held.
struct GravityFilter: Sendable {
    /// Acceleration with its gravity.
    struct Split: Sendable {
        var acceleration: SIMD3<Double>
        var gravity: SIMD3<Double>
    }

    private let reach: Int
    private var means: [[SlidingSum]]
    private var waiting: [SIMD3<Double>] = []
    private var next = 0
    private var taken = 0

    init(sampleRate: Double) {
        let half = max(1, Int(sampleRate.rounded()))
        reach = 2 * half
        means = (0..<3).map { _ in [SlidingSum(window: 2 * half + 1), SlidingSum(window: 2 * half + 1)] }
    }

    /// Takes a sample; gives the one whose gravity is known by it.
    mutating func take(_ value: SIMD3<Double>) -> Split? {
        if taken == 0 {
            for _ in 0..<2 * reach { _ = smooth(value) }
        }
        taken += 1
        waiting.append(value)
        return split(value)
    }

    /// The last samples of the run.
    mutating func finish() -> [Split] {
        guard let last = waiting.last else { return [] }
        return (0..<reach).compactMap { _ in split(last) }
    }

    private mutating func split(_ value: SIMD3<Double>) -> Split? {
        let gravity = smooth(value)
        pushed += 1
        guard pushed > reach, next < waiting.count else { return nil }
        defer {
            next += 1
            if next > 4_096 {
                waiting.removeFirst(next)
                next = 0
            }
        }
        return Split(acceleration: waiting[next], gravity: gravity)
    }

    private var pushed = 0

    private mutating func smooth(_ value: SIMD3<Double>) -> SIMD3<Double> {
        var result = SIMD3<Double>.zero
        for axis in 0..<3 {
            _ = means[axis][0].push(value[axis])
            let first = means[axis][0].mean
            _ = means[axis][1].push(first)
            result[axis] = means[axis][1].mean
        }
        return result
    }
}
