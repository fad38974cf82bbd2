import Signals

/// A smooth wave of finite length: amplitude · (1 − u²)⁴, u running from −1 to 0 over the rise and to 1 over the fall.
/// Outside it is exactly 0, so that no wave moves another one's peak unless they overlap.
struct Bump: Sendable {
    var peak: Seconds
    var rise: Seconds
    var fall: Seconds
    var amplitude: Double

    var start: Seconds { peak - rise }
    var end: Seconds { peak + fall }

    /// Adds the wave to the samples of `frames`, the first of which is `sums[0]`.
    func add(to sums: inout [Double], frames: Range<Int>, sampleRate: Double) {
        let first = Swift.max(frames.lowerBound, Int((start * sampleRate).rounded(.up)))
        let last = Swift.min(frames.upperBound - 1, Int((end * sampleRate).rounded(.down)))
        guard first <= last, rise > 0, fall > 0 else { return }
        let period = 1 / sampleRate
        for frame in first...last {
            let t = Double(frame) * period - peak
            let u = t / (t < 0 ? rise : fall)
            let v = Swift.max(0, 1 - u * u)
            sums[frame - frames.lowerBound] += amplitude * (v * v) * (v * v)
        }
    }
}
