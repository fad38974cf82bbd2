/// Everything that determines a simulated cohort: how many take part, how people differ, and what the conditions do.
public struct CohortParameters: Hashable, Codable, Sendable {
    /// How many take part, 1…9999.
    public var participants = 24
    /// How often each of them comes.
    public var sessions = 2
    /// Seconds of each recording.
    public var duration = 300.0
    /// Where all randomness comes from.
    public var seed: UInt64 = 1
    /// The conditions, each a recording of every session; the first is what the others are compared with.
    public var conditions = [CohortCondition.rest, .stress]
    /// Which signals are recorded: `ecg`, `bvp`, `eda`, `eeg`.
    public var signals: Set<String> = ["ecg", "bvp", "eda", "eeg"]
    /// Whether some participants have the faults of real life.
    public var hasFaults = true
    /// Standard deviation of resting heart rate between people, in bpm around 68.
    public var heartRateBetween = 8.0
    /// Standard deviation of a person's heart rate from session to session, in bpm.
    public var heartRateWithin = 2.0
    /// Standard deviation between people of what a condition does to heart rate, in bpm.
    public var responseBetween = 3.0

    /// 24 participants, two sessions, rest and stress.
    public init() {}

    /// The same parameters give the same text: signals are written in order.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(participants, forKey: .participants)
        try container.encode(sessions, forKey: .sessions)
        try container.encode(duration, forKey: .duration)
        try container.encode(seed, forKey: .seed)
        try container.encode(conditions, forKey: .conditions)
        try container.encode(signals.sorted(), forKey: .signals)
        try container.encode(hasFaults, forKey: .hasFaults)
        try container.encode(heartRateBetween, forKey: .heartRateBetween)
        try container.encode(heartRateWithin, forKey: .heartRateWithin)
        try container.encode(responseBetween, forKey: .responseBetween)
    }
}

/// What a condition does to a body, on average.
public struct CohortCondition: Hashable, Codable, Sendable {
    /// The task label.
    public var task: String
    /// Added to the heart rate, in bpm.
    public var heartRate: Double
    /// Multiplies the power of the RR series at the respiratory frequency.
    public var hfPower: Double
    /// Skin conductance responses per minute.
    public var responsesPerMinute: Double
    /// Added to the level of skin conductance, in µS.
    public var conductance: Double
    /// Multiplies the amplitude of the alpha rhythm.
    public var alpha: Double

    /// A condition called `task`.
    public init(
        task: String, heartRate: Double, hfPower: Double, responsesPerMinute: Double, conductance: Double, alpha: Double
    ) {
        self.task = task
        self.heartRate = heartRate
        self.hfPower = hfPower
        self.responsesPerMinute = responsesPerMinute
        self.conductance = conductance
        self.alpha = alpha
    }

    /// Sitting still.
    public static let rest = CohortCondition(
        task: "rest", heartRate: 0, hfPower: 1, responsesPerMinute: 2, conductance: 0, alpha: 1)
    /// Working under pressure.
    public static let stress = CohortCondition(
        task: "stress", heartRate: 10, hfPower: 0.5, responsesPerMinute: 6, conductance: 2, alpha: 0.6)
}

/// What went wrong with a recording of a simulated cohort.
public enum CohortFault: String, Hashable, Codable, CaseIterable, Sendable {
    /// The battery was empty after two fifths of the time.
    case deadBattery
    /// A fifth of the time, in the middle, was not recorded.
    case lostStretch
    /// The skin sensor was off: its conductance is 0.
    case sensorOff
    /// The device's clock was never set: the recording begins in 1970.
    case badClock
    /// The device's own list of intervals is empty.
    case emptyIBI
}
