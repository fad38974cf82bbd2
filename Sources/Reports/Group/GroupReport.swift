import Brain
public import GroupStatistics
import Signals

/// A page about a cohort: what its conditions differ by, how its people spread, what is missing, what failed.
public struct GroupReport: Sendable {
    /// What the cohort is called.
    public var title: String
    /// The program and its version.
    public var software: String
    /// The people, in the order of their labels.
    public var people: [Person]
    /// What was compared.
    public var contrasts: [Contrast]
    /// Why what was tried to compare told nothing, a sentence each.
    public var notCompared: [String]
    /// How many participants have each condition; nil without conditions.
    public var conditions: ConditionCounts?
    /// The indices that are drawn person by person.
    public var spreads: [Spread]
    /// Which signals of which recordings there are.
    public var presence: Presence
    /// Recordings without results.
    public var failures: [Failure]
    /// How far people came with their calibrations; empty where there are none.
    public var calibrations: [Calibration]
    /// What the reader should know of the cohort as a whole: entries of the design that match nothing, tables that could
    /// not be read.
    public var notes: [String]
    /// The paragraph for the paper.
    public var methods: Methods

    /// A page without content, to be filled.
    public init(title: String, software: String) {
        self.title = title
        self.software = software
        (people, contrasts, notCompared, spreads, failures, calibrations, notes) = ([], [], [], [], [], [], [])
        presence = Presence(signals: [], recordings: [])
        methods = Methods()
    }

    /// What was measured.
    public struct Index: Hashable, Sendable {
        /// The signal it was found in, the index and its unit, as in the tables.
        public var signal: String, name: String, unit: String

        /// An index of a signal.
        public init(signal: String, name: String, unit: String) {
            self.signal = signal
            self.name = name
            self.unit = unit
        }

        /// Of indices in the order of their tables those that a reader looks for first, whatever was recorded; of an
        /// EEG's electrodes those over the midline before all others.
        public static func headline(_ indices: [Index]) -> [Index] {
            Headline.ofGroup.flatMap { name in
                let found = indices.filter { $0.name == name }
                let inTurn = found.indices.sorted { (found[$0].turn, $0) < (found[$1].turn, $1) }
                return inTurn.prefix(Headline.mostSignals).map { found[$0] }
            }
        }

        /// When the signal's electrode is looked at, by its channel behind the colon.
        private var turn: Int {
            let label = signal.drop { $0 != ":" }.dropFirst()
            let electrode = ElectrodeName(label: String(label))
            return electrode.flatMap { Headline.midline.firstIndex(of: $0.name) } ?? Headline.midline.count
        }

        /// The index and the signal as tables call them.
        var told: String { "\(name) of \(signal)" }

        /// A column of values of it.
        func column(_ title: String, _ definition: String) -> Column {
            Column(title, unit: unit == "unknown" ? .unknown : Unit(rawValue: unit), definition)
        }

        var label: String {
            let symbol = unit == "unknown" ? "" : Headline.symbol(Unit(rawValue: unit))
            return "\(Headline.label(of: name))\(symbol.isEmpty ? "" : " (\(symbol))"), \(signal)"
        }
    }

    /// One participant.
    public struct Person: Hashable, Sendable {
        /// The participant's label.
        public var label: String
        /// Recordings with results, recordings that failed and recordings that have no results yet.
        public var done: Int, failed: Int, unfinished: Int
        /// Mean quality and coverage over the windows of all signals, 0…1; nil without any.
        public var quality: Double?, coverage: Double?
        /// Whether a recording of the participant stands apart from the others.
        public var isApart: Bool
        /// How far the recording of the participant that stands apart most does so, in robust standard deviations below
        /// the cohort's median; nil where none stands apart.
        public var z: Double?
        /// What there is to know of the participant's recordings, why they stand apart among it; empty where nothing.
        public var remarks: [String]
        /// The participant's page, relative to this one; nil where there is none.
        public var page: String?
        /// The page of each recording, relative to this one, for participants without a page.
        public var reports: [String]

        /// A participant.
        public init(label: String) {
            self.label = label
            (done, failed, unfinished, isApart, remarks, reports) = (0, 0, 0, false, [], [])
        }
    }

    /// Two conditions or groups compared, index by index.
    public struct Contrast: Sendable {
        /// What is compared, such as `stress − rest`.
        public var title: String
        /// The rows, in the order of the tables.
        public var rows: [Row]

        /// A contrast.
        public init(title: String, rows: [Row]) {
            self.title = title
            self.rows = rows
        }

        /// One index.
        public struct Row: Sendable {
            /// What was measured.
            public var index: Index
            /// What was found, and its q over all indices of the contrast.
            public var comparison: Comparison, q: Double

            /// One index.
            public init(index: Index, comparison: Comparison, q: Double) {
                self.index = index
                self.comparison = comparison
                self.q = q
            }
        }
    }

    /// How many participants have a value of each index under each condition.
    public struct ConditionCounts: Sendable {
        /// The conditions, in order.
        public var conditions: [String]
        /// How many participants have results.
        public var participants: Int
        /// The indexes.
        public var rows: [Row]

        /// The counts of all indexes.
        public init(conditions: [String], participants: Int, rows: [Row]) {
            (self.conditions, self.participants, self.rows) = (conditions, participants, rows)
        }

        /// One index.
        public struct Row: Sendable {
            /// What was measured.
            public var index: Index
            /// The participants with a value under each condition.
            public var counts: [Int]
            /// Who has none and why; empty where everybody has one.
            public var missing: String

            /// One index.
            public init(index: Index, counts: [Int], missing: String) {
                (self.index, self.counts, self.missing) = (index, counts, missing)
            }
        }
    }

    /// One index person by person.
    public struct Spread: Sendable {
        /// What was measured.
        public var index: Index
        /// What tells its conditions apart: `condition`, `task` or `session`.
        public var factor: String
        /// The conditions, in order; one where there are none.
        public var conditions: [String]
        /// A row per person with a value per condition, under one condition alone per recording; nil where there is none.
        public var values: [(person: String, values: [Double?])]

        /// One index.
        public init(
            index: Index, factor: String = "condition", conditions: [String],
            values: [(person: String, values: [Double?])]
        ) {
            self.index = index
            self.factor = factor
            self.conditions = conditions
            self.values = values
        }
    }

    /// Which share of its values each signal of each recording has.
    public struct Presence: Sendable {
        /// The signals.
        public var signals: [String]
        /// The recordings with a share 0…1 per signal; nil where the recording does not have it.
        public var recordings: [(label: String, shares: [Double?])]
        /// The recordings without results and where each stands, such as `failed` or `pending`.
        public var others: [(label: String, state: String)]

        /// The matrix.
        public init(
            signals: [String], recordings: [(label: String, shares: [Double?])],
            others: [(label: String, state: String)] = []
        ) {
            self.signals = signals
            self.recordings = recordings
            self.others = others
        }

        var isEmpty: Bool { recordings.isEmpty && others.isEmpty }
    }

    /// A recording without results.
    public struct Failure: Hashable, Sendable {
        /// The recording, the kind of failure, what went wrong and where.
        public var recording: String, kind: String, message: String, place: String?

        /// A recording without results.
        public init(recording: String, kind: String, message: String, place: String?) {
            self.recording = recording
            self.kind = kind
            self.message = message
            self.place = place
        }
    }

    /// How many people stand where with one prediction.
    public struct Calibration: Hashable, Sendable {
        /// The prediction and how many people have each status, in the order of the ladder.
        public var prediction: String, counts: [Int]

        /// Of one prediction.
        /// - Parameter counts: people that are unknown, blocked, in need of calibration, calibrated, with a model.
        public init(prediction: String, counts: [Int]) {
            self.prediction = prediction
            self.counts = counts
        }

        static let steps = ["unknown", "blocked", "needs calibration", "calibrated", "model available"]
    }
}
