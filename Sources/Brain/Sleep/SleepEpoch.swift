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
        /// The EEG is too bad to be judged, or too few heart beats were seen.
        case badSignal
        /// Of an EEG: nothing in the recording is certain sleep, and this is not plainly wake. Of the heart: the recording
        /// is too short, or its rate does not fall as in a night's sleep.
        case undecided
        /// A filter left too little of the EEG: nothing below 4 Hz, or nothing above 30.
        case filtered
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
    /// What sleep is told from.
    public enum Source: Hashable, Sendable {
        /// A body-worn accelerometer.
        case acceleration
        /// A body-worn accelerometer in a recording that is not scored as sleep: too little of it is in the night.
        case inactivity
        /// Brain activity, and where it leaves a doubt what was recorded beside it.
        case eeg(Set<Beside> = [])
        /// The heart rate of a day and night.
        case heart
    }

    /// What decides where brain activity leaves a doubt.
    public enum Beside: String, CaseIterable, Sendable {
        /// The tone of the chin.
        case muscle
        /// What the eyes do.
        case eyes

        /// In words.
        var words: String {
            switch self {
            case .muscle: "the muscle tone of the chin"
            case .eyes: "the movements of the eyes"
            }
        }
    }

    /// The epoch of `length` on the grid that begins at, or next to, `onset`.
    static func number(_ onset: Seconds) -> Int { Int((onset / length).rounded()) }

    /// The columns of a table of epochs that were told from `source`.
    public static func columns(_ source: Source) -> [Column] {
        [
            Column("onset", unit: .seconds, "Start of the epoch of 30 s, from the recording's start"), asleep(source),
            Column("reason", "Why it cannot be told: \(reasons(source)); n/a where it can"),
        ]
    }

    private static func reasons(_ source: Source) -> String {
        switch source {
        case .acceleration, .inactivity: "gap or notWorn"
        case .eeg:
            "gap, badSignal, filtered where the band-pass leaves too little to tell by, or undecided where the recording holds no certain sleep and this is not plainly wake"
        case .heart:
            "gap, badSignal, or undecided where fewer than \(Int(HeartSleep.leastHours)) h were recorded or the rate does not "
                + "fall as in a night's sleep"
        }
    }

    private static func asleep(_ source: Source) -> Column {
        switch source {
        case .acceleration:
            Column(
                "asleep", unit: .dimensionless,
                "1 asleep, 0 awake, by sustained inactivity: no change of the sensor's angle of more than 5° between means "
                    + "of 5 s for 5 minutes or more; n/a where it cannot be told",
                reference: "van Hees et al. 2015, PLoS ONE 10:e0142533",
                leastData: "the whole epoch, from a sensor that is worn")
        case .inactivity:
            Column(
                "sustainedInactivity", unit: .dimensionless,
                "1 sustained inactivity, 0 none: no change of the sensor's angle of more than 5° between means of 5 s for 5 "
                    + "minutes or more; n/a where it is missing. Not scored as sleep: too little of the recording is known to "
                    + "be between 21:00 and 09:00 local time",
                reference: "van Hees et al. 2015, PLoS ONE 10:e0142533",
                leastData: "the whole epoch, from a sensor that is worn")
        case .eeg(let besides): asleepByEEG(Beside.allCases.filter(besides.contains))
        case .heart:
            Column(
                "asleep", unit: .dimensionless,
                "1 asleep, 0 awake, by the heart rate: periods of low rate, found below its 0.35 quantile for 30 minutes or "
                    + "more, against the limit half-way between the longest of them and the rest; n/a where it cannot be told",
                reference: "after Perez-Pozuelo et al. 2022, Sci Rep 12:7956",
                leastData:
                    "\(Int(HeartSleep.leastHours)) h, with 4 h of sleep in one period, 4 h of wake, and a mean rate 10 % "
                    + "lower in sleep; of an epoch 15 s of intervals between beats")
        }
    }

    private static func asleepByEEG(_ besides: [Beside]) -> Column {
        Column(
            "asleep", unit: .dimensionless,
            "1 asleep, 0 awake, by lg(power 16 to 30 Hz over 1 to 4 Hz) plus half the spectrum's slope from 30 to 45 Hz, "
                + "against the limit where values are rarest between certain sleep and the recording's highest; "
                + (besides.isEmpty ? "" : "near the limit by \(besides.map(\.words).joined(separator: " and ")); ")
                + "n/a where it cannot be told",
            reference: "slope: Lendner et al. 2020, eLife 9:e55092"
                + (besides.isEmpty ? "" : "; tone and eyes: AASM Manual for the Scoring of Sleep"),
            leastData:
                "15 s of usable EEG; sleep is told where 5 minutes of the recording are certainly non-REM sleep")
    }

    /// A row per epoch.
    public static func table(_ epochs: [SleepEpoch], from source: Source) -> Table {
        Table(
            columns: columns(source),
            rows: epochs.map { epoch in
                [
                    .onset(epoch.onset), epoch.asleep.map(Cell.integer) ?? .missing,
                    epoch.reason.map { .text($0.rawValue) } ?? .missing,
                ]
            })
    }
}
