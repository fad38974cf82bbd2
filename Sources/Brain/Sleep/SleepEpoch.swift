public import Signals

/// Whether somebody slept, in 30 s.
public struct SleepEpoch: Hashable, Codable, Sendable {
    /// Length of an epoch in seconds, the usual one of sleep scoring (Berry et al., AASM manual).
    public static let length: Seconds = 30

    /// Seconds from the recording's start, a multiple of 30.
    public var onset: Seconds
    /// 1 asleep, 0 awake; nil where it cannot be told.
    public var asleep: Int?
    /// Why it cannot be told; nil where it can.
    public var reason: Reason?

    /// Why sleep cannot be told from wake.
    public enum Reason: String, Codable, CaseIterable, Sendable {
        /// Samples are missing.
        case gap
        /// The sensor lay still for so long that nobody wore it.
        case notWorn
    }

    /// An epoch that is known.
    public init(onset: Seconds, asleep: Int) {
        (self.onset, self.asleep) = (onset, asleep)
    }

    /// An epoch that is not known.
    public init(onset: Seconds, reason: Reason) {
        (self.onset, self.reason) = (onset, reason)
    }
}

extension SleepEpoch {
    /// The columns of a table of epochs.
    public static let columns = [
        Column("onset", unit: .seconds, "Start of the epoch of 30 s, from the recording's start"),
        Column(
            "asleep", unit: .dimensionless,
            "1 asleep, 0 awake, by sustained inactivity: no change of the sensor's angle of more than 5° between means of "
                + "5 s for 5 minutes or more; n/a where it cannot be told",
            reference: "van Hees et al. 2015, PLoS ONE 10:e0142533",
            leastData: "the whole epoch, from a sensor that is worn"),
        Column("reason", "Why it cannot be told: gap or notWorn; n/a where it can"),
    ]

    /// A row per epoch.
    public static func table(_ epochs: [SleepEpoch]) -> Table {
        Table(
            columns: columns,
            rows: epochs.map { epoch in
                [
                    .onset(epoch.onset), epoch.asleep.map(Cell.integer) ?? .missing,
                    epoch.reason.map { .text($0.rawValue) } ?? .missing,
                ]
            })
    }
}
