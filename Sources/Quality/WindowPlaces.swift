import Kernels
public import Signals

/// How many places on the grid each window of a signal stands for, told from the windows alone: 1, and more for a long gap
/// that is told as one window, so that a share of windows is a share of time.
public struct WindowPlaces: Sendable {
    /// For each window.
    public let counts: [Double]
    /// Seconds from one place to the next; nil where there is one window.
    public let step: Seconds?
    /// How long a window usually is.
    public let usual: Seconds

    /// - Parameter onsets: in order of time, with a duration each.
    public init(onsets: [Seconds], durations: [Seconds]) {
        usual = Statistics.median(durations)
        let (steps, usual) = (zip(onsets.dropFirst(), onsets).map(-).filter { $0 > 0 }, usual)
        let step = steps.min()
        self.step = step
        counts = durations.map { duration in
            guard let step, duration > usual else { return 1 }
            return 1 + ((duration - usual) / step).rounded()
        }
    }

    /// The mean of values of the windows, of those that are finite; nil where none is.
    public func mean(_ values: [Double]) -> Double? {
        var (sum, all) = (0.0, 0.0)
        for (value, count) in zip(values, counts) where value.isFinite {
            sum += count * value
            all += count
        }
        return all > 0 ? sum / all : nil
    }

    /// The share of the time whose windows fit; 0 where there is no window.
    public func share(_ fits: (Int) -> Bool) -> Double {
        let all = counts.reduce(0, +)
        return all > 0 ? counts.indices.reduce(0) { fits($1) ? $0 + counts[$1] : $0 } / all : 0
    }
}

extension [QualityWindow] {
    /// The share of the time in windows that may be used, 0…1.
    public var goodShare: Double {
        WindowPlaces(onsets: map(\.onset), durations: map(\.duration)).share { self[$0].isGood }
    }
}
