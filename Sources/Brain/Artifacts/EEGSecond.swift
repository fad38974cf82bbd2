public import Signals

/// What one second of raw EEG shows of its channels, before anything is filtered.
public struct EEGSecond: Hashable, Sendable {
    /// What a second shows of one channel; voltages in µV.
    public struct Channel: Hashable, Sendable {
        /// Share of samples marked as missing, 0…1.
        public var missing = 0.0
        /// Whether there are enough samples to tell of: else nothing but `missing` and `level` is known.
        public var isMeasured: Bool { missing <= 0.25 }
        /// Share of samples in stretches of 50 ms or more without any change.
        public var flat = 0.0
        /// Share of samples standing at the second's highest or lowest value while the rest varies: cut off.
        public var clipped = 0.0
        /// The mean.
        public var level = 0.0
        /// Root mean square from 2 to 30 Hz: what is mostly brain and eyes.
        public var eeg = 0.0
        /// Root mean square from 35 Hz to 95 Hz (or what the rate allows), hum left out: what is mostly muscle.
        public var fast = 0.0
        /// Root mean square of the mains' hum, 50 or 60 Hz, above what surrounds it.
        public var hum = 0.0
        /// The largest step from a sample to the next.
        public var jump = 0.0
        /// The middle of all steps, without sign; nil where none is so large that it may be a pop.
        public var usualStep: Double?
        /// The largest distance from the mean.
        public var peak = 0.0
        /// Whether it stands still, far from where it usually is: at a rail.
        public var isAtRail = false
    }

    /// Seconds from the recording's start, a whole number.
    public var onset: Seconds
    /// Share of the second that was recorded.
    public var coverage: Double
    /// What each channel shows; empty where the second is not complete.
    public var channels: [Channel]
    /// The correlation of each pair of channels from 2 to 30 Hz, each frequency divided by its usual size: 1 for the
    /// same signal, 0 for signals that have nothing in common. The place of a pair is `pair(i, j, of: channels)`; empty
    /// where the second is not complete.
    public var agreement: [Float]

    /// The place of a pair among `count` channels.
    public static func pair(_ i: Int, _ j: Int, of count: Int) -> Int {
        let (low, high) = (min(i, j), max(i, j))
        return low * count - low * (low + 1) / 2 + high - low - 1
    }
}
