import Signals

/// Whether pulses keep step with a movement: around pulses that do, the acceleration is always the same; around a
/// heart's own, it is at every phase alike, and its mean vanishes.
struct MotionLock {
    private static let points = 12
    private static let spacing: Seconds = 1.0 / 16
    private static let before: Seconds = 0.3
    /// What each pulse counts in the running mean: about the last dozen matter.
    private static let share: Float = 0.15
    private var mean = [MotionTrace.Slope](repeating: .zero, count: points)
    private var latest = [MotionTrace.Slope](repeating: .zero, count: points)

    /// Forgets the run so far.
    mutating func reset() {
        for k in mean.indices { mean[k] = .zero }
    }

    /// Takes a pulse whose upstroke is at `time`.
    /// - Returns: how firmly the last ones are locked to the movement, 0…1, and the root mean square of the
    ///   acceleration's slope around this one, in g/s.
    mutating func push(_ time: Seconds, _ trace: inout MotionTrace) -> (coherence: Float, intensity: Float) {
        var energy: Float = 0
        for k in latest.indices {
            latest[k] = trace.slope(at: time - Self.before + Double(k) * Self.spacing)
            energy += (latest[k] * latest[k]).sum()
        }
        let norm = energy > 1e-12 ? 1 / energy.squareRoot() : 0
        var coherence: Float = 0
        for k in mean.indices {
            mean[k] += Self.share * (latest[k] * norm - mean[k])
            coherence += (mean[k] * mean[k]).sum()
        }
        return (min(1, coherence), (energy / Float(Self.points)).squareRoot())
    }
}
