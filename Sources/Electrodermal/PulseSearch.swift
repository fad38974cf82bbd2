/// Finds the pulses of a filtered signal, and where each begins.
struct PulseSearch: Sendable {
    private enum State {
        /// Looking for a rise above the lowest value since the last pulse.
        case low
        /// Looking for the highest value of a rise.
        case rising
    }

    private let longestRise: Int
    private let window: Int
    private var state = State.low
    private var lowest = Double.infinity
    private var highest = -Double.infinity
    private var risenAt = 0
    /// The values since the lowest one.
    private var rise: [Double] = []
    private var riseStart = 0
    private var threshold = 0.0

    /// A search in a signal at `sampleRate` Hz. A pulse rises within 2.5 s; what rises more slowly is the tonic level
    /// or the recovery from an undershoot. After 3 s a rise is taken for a pulse although it goes on.
    init(sampleRate: Double) {
        window = Swift.max(2, Int((2.5 * sampleRate).rounded()))
        longestRise = Swift.max(2, Int((3 * sampleRate).rounded()))
    }

    /// The next value; the place where a pulse began when that has become certain.
    mutating func take(_ value: Double, at place: Int, threshold: Double) -> Double? {
        self.threshold = threshold
        switch state {
        case .low:
            if value <= lowest {
                lowest = value
                rise.removeAll(keepingCapacity: true)
                riseStart = place
            }
            if place - riseStart > window { follow() }
            rise.append(value)
            if value > lowest + threshold { (state, highest, risenAt) = (.rising, value, place) }
            return nil
        case .rising:
            rise.append(value)
            highest = Swift.max(highest, value)
            guard
                value < highest - Swift.max(0.3 * threshold, 0.2 * (highest - lowest)) || place - risenAt > longestRise
            else { return nil }
            return settle(value, at: place)
        }
    }

    /// The signal ends: where the pulse at hand began.
    mutating func finish() -> Double? {
        state == .rising ? settle(lowest, at: riseStart + rise.count) : nil
    }

    /// Starts from the lowest of the later values.
    private mutating func follow() {
        var low = rise.count - 1
        for index in rise.indices.dropFirst() where rise[index] <= rise[low] { low = index }
        lowest = rise[low]
        riseStart += low
        rise.removeFirst(low)
    }

    private mutating func settle(_ value: Double, at place: Int) -> Double {
        let onset = foot
        state = .low
        lowest = value
        rise.removeAll(keepingCapacity: true)
        rise.append(value)
        riseStart = place
        return onset
    }

    /// Where the rise passes a share of its height for the last time before the peak.
    private var foot: Double {
        let level = lowest + 0.6 * (highest - lowest)
        guard let top = rise.firstIndex(where: { $0 >= highest }), top > 0 else { return Double(riseStart) }
        guard let below = rise[..<top].lastIndex(where: { $0 < level }) else { return Double(riseStart) }
        let share = (level - rise[below]) / Swift.max(rise[below + 1] - rise[below], 1e-12)
        return Double(riseStart + below) + share
    }
}
