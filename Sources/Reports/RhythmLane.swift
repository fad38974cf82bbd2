public import Signals

/// The rhythm of one beat series over time. A description of the recording, no diagnosis.
public struct RhythmLane: Sendable {
    /// Stretches of one rhythm in order of time.
    public var stretches: [Stretch]

    /// Stretches of one rhythm each.
    public init(stretches: [Stretch]) {
        self.stretches = stretches
    }

    /// A stretch of one rhythm.
    public struct Stretch: Hashable, Sendable {
        /// Seconds from the recording's start.
        public var onset: Seconds
        /// Seconds it lasts.
        public var duration: Seconds
        /// Which rhythm it is; names in lower camel case are shown as words.
        public var kind: String
        /// What that name means.
        public var meaning: String
        /// Mean heart rate in it in beats per minute; nil where it has no interval.
        public var heartRate: Double?

        /// A stretch of `kind`.
        public init(onset: Seconds, duration: Seconds, kind: String, meaning: String, heartRate: Double? = nil) {
            self.onset = onset
            self.duration = duration
            self.kind = kind
            self.meaning = meaning
            self.heartRate = heartRate
        }
    }
}

/// Respiration over time, by one method.
public struct RespirationTrend: Sendable {
    /// The source's name.
    public var name: String
    /// What the rate is told from, in words.
    public var method: String
    /// One row per window with the columns `onset`, `duration`, `respirationRate`, `respirationQuality`.
    public var windows: Table

    /// The windows of a source by a method.
    public init(name: String, method: String, windows: Table) {
        self.name = name
        self.method = method
        self.windows = windows
    }
}
