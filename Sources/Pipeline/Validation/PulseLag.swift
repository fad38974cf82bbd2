public import Signals

/// How much later the beats of a pulse come than those of the heart.
public enum PulseLag {
    /// The lags that are looked for, in seconds. From the R peak to the top of the pulse at a finger it takes 0.3 to 0.5 s;
    /// bedside monitors show their pulse wave later still, by up to half a second.
    public static let plausible: ClosedRange<Seconds> = 0...1
    /// How far a difference may lie from a lag and speak for it, in seconds.
    private static let reach: Seconds = 0.075
    private static let step: Seconds = 0.005

    /// One constant lag: that which most differences between a pulse beat and a heart beat lie at, made precise by
    /// the median of the differences within 75 ms.
    ///
    /// A difference speaks for a lag the more the nearer it is (a triangle of ±75 ms). The same pulse also lies one
    /// interval later than the next heart beat and one earlier than the last; as intervals vary, those differences
    /// spread more, and the tightest lag is the true one. Beats that either list lacks or has too many of spread over
    /// all lags and do not move it; a drift is not followed.
    /// - Returns: seconds; nil when fewer than three beats have another within reach.
    public static func estimate(pulse: [Seconds], heart: [Seconds]) -> Seconds? {
        let differences = differences(pulse.filter(\.isFinite).sorted(), heart.filter(\.isFinite).sorted())
        var best = (weight: 0.0, centre: 0.0)
        var first = 0
        var end = 0
        for place in 0...Int(((plausible.upperBound - plausible.lowerBound) / step).rounded()) {
            let centre = plausible.lowerBound + Double(place) * step
            while first < differences.count, differences[first] < centre - reach { first += 1 }
            while end < differences.count, differences[end] <= centre + reach { end += 1 }
            let weight = differences[first..<max(first, end)].reduce(0) { $0 + reach - abs($1 - centre) }
            if weight > best.weight { best = (weight, centre) }
        }
        let near = differences.filter { abs($0 - best.centre) <= reach }
        guard near.count >= 3 else { return nil }
        let middle = near.count / 2
        return near.count % 2 == 1 ? near[middle] : (near[middle - 1] + near[middle]) / 2
    }

    /// All differences within reach of a plausible lag, sorted.
    private static func differences(_ pulse: [Seconds], _ heart: [Seconds]) -> [Seconds] {
        var differences: [Seconds] = []
        var first = 0
        for beat in pulse {
            while first < heart.count, beat - heart[first] > plausible.upperBound + reach { first += 1 }
            var place = first
            while place < heart.count, beat - heart[place] >= plausible.lowerBound - reach {
                differences.append(beat - heart[place])
                place += 1
            }
        }
        return differences.sorted()
    }
}
