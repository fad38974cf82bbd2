public import Signals

extension CardiacTrack {
    /// Seconds that a pulse waits for the acceleration that belongs to it, live and from a file alike: readers take up to a
    /// minute of one stream at a time, and a radio that was held up hands out one stream after the other.
    public static let longestWait: Seconds = 120

    /// What is computed.
    public struct Outputs: OptionSet, Sendable {
        /// One bit per output.
        public let rawValue: Int
        /// The outputs of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// Windows of signal quality.
        public static let quality = Outputs(rawValue: 1)
        /// HRV, and the intervals and their correction that it rests on.
        public static let hrv = Outputs(rawValue: 2)
        /// The rhythm of the beats.
        public static let rhythm = Outputs(rawValue: 4)
        /// Respiration, from what breathing does to the beats.
        public static let respiration = Outputs(rawValue: 8)
        /// Sleep and wake by the heart rate, told at the end.
        public static let sleep = Outputs(rawValue: 16)
        /// Intervals and their correction.
        public static let intervals = Outputs(rawValue: 32)
        /// The heart rate of windows from pulse wave and acceleration.
        public static let heartRate = Outputs(rawValue: 64)
        /// All that the heart tells of itself; sleep is told from it only where nothing tells it better.
        public static let all: Outputs = [.quality, .hrv, .rhythm, .respiration, .heartRate]
    }
}
