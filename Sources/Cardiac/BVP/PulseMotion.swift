import Signals

/// What an accelerometer beside the sensor tells about the pulses of a run.
struct PulseMotion {
    /// The acceleration.
    var trace = MotionTrace()
    private var cancellation = MotionCancellation()
    private var lock = MotionLock()
    private var onset: Seconds = 0
    private var spacing: Seconds = 1

    /// Begins a run whose working sample k is at `onset` + k `spacing`.
    mutating func reset(onset: Seconds, spacing: Seconds) {
        (self.onset, self.spacing) = (onset, spacing)
        cancellation.reset()
        lock.reset()
        trace.horizon = .infinity
    }

    /// The run ends, with acceleration known up to `heard`: whether more of it is known by then is a matter of chance.
    mutating func end(heard: Seconds) {
        trace.horizon = trace.reach(of: heard)
    }

    /// Takes the movement out of `count` working samples from `first` on.
    mutating func clean(_ wave: inout PulseWave, from first: Int, count: Int) {
        let time = onset + Double(first) * spacing
        cancellation.clean(&wave, from: first, count: count, onset: time, spacing: spacing, by: &trace)
        trace.forget(before: time - 5)
    }

    /// True where the acceleration around a working sample changes by more than 0.5 g/s, as it does in walking.
    mutating func isMoving(at position: Double) -> Bool {
        let time = onset + position * spacing
        var energy: Float = 0
        for k in 0..<8 {
            let slope = trace.slope(at: time + 0.08 * Double(k - 3))
            energy += (slope * slope).sum()
        }
        return energy > 8 * 0.25
    }

    /// By how much, in log-odds, the movement speaks against a pulse whose upstroke is at `position`: little for moving
    /// at all, much where the last pulses keep step with a movement that explains the wave.
    mutating func doubt(at position: Double) -> Float {
        let (locked, intensity) = lock.push(onset + position * spacing, &trace)
        let moving = intensity * intensity / (1 + intensity * intensity)
        return moving * (0.5 + 6 * locked * min(1, 2 * cancellation.explained))
    }
}
