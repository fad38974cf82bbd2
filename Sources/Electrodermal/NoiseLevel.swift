/// The standard deviation of white noise in a signal, tracked sample by sample: from the median distance of a sample from
/// the middle of its neighbors.
struct NoiseLevel: Sendable {
    private var spread: Double
    private var count = 0
    private var (older, old) = (0.0, 0.0)

    /// A level that begins at a guess, in the unit of the signal.
    init(guess: Double) { spread = guess }

    /// The next sample.
    @inline(__always)
    mutating func take(_ value: Double) {
        count += 1
        defer { (older, old) = (old, value) }
        guard count > 2 else { return }
        let distance = abs(old - (older + value) / 2)
        // Steps up and down, soon small ones, find the median.
        let step = count < 200 ? 1 + 1 / Double(count) : 1.005
        // Both branches are computed, as the processor cannot predict which one is needed.
        let (wider, narrower) = (spread * step, spread / step)
        spread = Swift.max(1e-6, distance > spread ? wider : narrower)
    }

    /// Standard deviation of white noise whose samples lie so far from the middle of their neighbors.
    var deviation: Double { spread / 0.826 }
}
