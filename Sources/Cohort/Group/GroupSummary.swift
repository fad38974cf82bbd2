import Kernels
import Signals

/// The tables over a cohort that have a row per recording or per index, from the means of its recordings.
struct GroupSummary {
    /// A recording that is done.
    struct Recording {
        var unit: CohortUnit
        var means: RecordingMeans
        /// Over the windows within each condition that events tell; empty without events.
        var conditions: [String: RecordingMeans] = [:]
        /// The conditions that events tell of it, whether or not a window lies within them.
        var toldConditions: Set<String> = []
        /// Those of them that last only while another condition does.
        var coveredConditions: Set<String> = []
        /// The accepted intervals that indexes over whole conditions rest on, by condition.
        var accepted: [String: [RecordingMeans.Key: AcceptedData]] = [:]
        /// What else is known of it.
        var facts = ResultTables.Facts()
    }

    /// What was measured of a participant on one level of a factor.
    struct Observation {
        var participant: String
        var label: String
        /// The labels of the recording it was made in.
        var circumstances: [Circumstance: String]
        var means: RecordingMeans

        /// The labels of some circumstances.
        func setting(_ held: [Circumstance]) -> [String] { held.map { circumstances[$0] ?? "" } }
    }

    /// What can be compared within people: conditions where events tell at least two, tasks, sessions.
    var factors: [String] {
        (Set(recordings.flatMap(\.conditions.keys)).count > 1 ? ["condition"] : []) + ["task", "session"]
    }

    /// The observations on the levels of `condition`, `task` or `session`, in the order of the recordings; those of all
    /// recordings, under no label, without a factor.
    func observations(of factor: String?) -> [Observation] {
        recordings.flatMap { recording -> [Observation] in
            let (unit, means) = (recording.unit, recording.means)
            let levels: [(String, RecordingMeans)] =
                switch factor {
                case "condition": recording.conditions.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
                case "task": unit.task.map { [($0, means)] } ?? []
                case "session": unit.session.map { [($0, means)] } ?? []
                default: [("", means)]
                }
            return levels.map {
                Observation(
                    participant: unit.participant, label: $0.0, circumstances: Self.circumstances(of: unit),
                    means: $0.1)
            }
        }
    }

    private static func circumstances(of unit: CohortUnit) -> [Circumstance: String] {
        let labels: [Circumstance: String?] = [
            .task: unit.task, .session: unit.session, .acquisition: unit.givenAcquisition,
            .run: unit.run.map(String.init),
        ]
        return labels.compactMapValues { $0 }
    }

    let recordings: [Recording]
    /// Recordings without results, and where each stands.
    let others: [(unit: CohortUnit, state: UnitState)]

    /// Recordings without results that did not fail: what was begun or is still to be done.
    var unfinished: [CohortUnit] { others.filter { $0.state != .failed }.map(\.unit) }

    /// The recordings of each participant.
    private(set) var people: [String: [Recording]] = [:]

    /// All indexes in the order of signals and, within each, of their tables.
    private(set) var keys: [(key: RecordingMeans.Key, index: ResultColumns.Index)] = []
    /// The same by key.
    private(set) var indexes: [RecordingMeans.Key: ResultColumns.Index] = [:]

    /// The recordings that are done, and those that are not with where each stands.
    init(_ recordings: [Recording], others: [(unit: CohortUnit, state: UnitState)]) {
        self.recordings = recordings
        self.others = others
        people = Dictionary(grouping: recordings, by: \.unit.participant)
        var known: [RecordingMeans.Key: ResultColumns.Index] = [:]
        var signals: [String: [RecordingMeans.Key]] = [:]
        for recording in recordings {
            for (key, index) in recording.means.indexes where known[key] == nil {
                known[key] = index
                signals[key.signal, default: []].append(key)
            }
        }
        indexes = known
        keys = signals.sorted { $0.key < $1.key }.flatMap(\.value).compactMap { key in known[key].map { (key, $0) } }
    }

    /// One row per recording, one column per index of each signal: the mean over windows.
    func wide() -> Table {
        var names = DistinctNames<String>()
        let columns = keys.map { key, index in
            // A channel called A:B has the name that B of signal A has.
            Column(
                names.next(key.signal.replacing(":", with: "_") + "_" + key.index), unit: Unit(rawValue: index.unit),
                "Mean over the windows of \(key.signal): \(index.definition)")
        }
        var table = Table(columns: GroupColumns.labels + columns)
        for recording in recordings {
            let values = keys.map { Cell.optional(recording.means[$0.key]?.value) }
            table.append(GroupColumns.cells(recording.unit) + values)
        }
        return table
    }

    /// One row per recording and signal: what is missing.
    func missingness() -> Table {
        var table = Table(columns: GroupColumns.missingness)
        let signals = Set(recordings.flatMap { $0.means.keys.map(\.signal) }).sorted()
        for recording in recordings {
            for signal in signals {
                let means = recording.means.all(ofSignal: signal)
                let all = means.reduce(0) { $0 + Int($1.windows) }
                let present = means.reduce(0) { $0 + Int($1.present) }
                table.append(
                    GroupColumns.cells(recording.unit) + [
                        .text(UnitState.done.rawValue), .text(signal), .integer(Int(means.map(\.windows).max() ?? 0)),
                        .number(all > 0 ? Double(present) / Double(all) : 0),
                        .optional(recording.means.coverage[signal]?.value),
                        .optional(recording.means.quality[signal]?.value),
                        GroupColumns.cell(recording.facts.remarks),
                    ])
            }
        }
        for (unit, state) in others {
            table.append(
                GroupColumns.cells(unit) + [
                    .text(state.rawValue), .missing, .integer(0), .number(0), .missing, .missing,
                    .missing,
                ])
        }
        return table
    }

    /// One row per session, task and index: how it is spread over participants.
    func descriptives() -> Table {
        struct Condition: Hashable, Comparable {
            var session: String?
            var task: String?
            static func < (a: Self, b: Self) -> Bool {
                a.session == b.session
                    ? NaturalOrder.precedes(a.task ?? "", b.task ?? "")
                    : NaturalOrder.precedes(a.session ?? "", b.session ?? "")
            }
        }
        let groups = Dictionary(grouping: recordings) { Condition(session: $0.unit.session, task: $0.unit.task) }
        var table = Table(columns: GroupColumns.descriptives)
        for (condition, members) in groups.sorted(by: { $0.key < $1.key }) {
            let people = Dictionary(grouping: members, by: \.unit.participant).sorted { $0.key < $1.key }
            for (key, index) in keys {
                let values = people.compactMap { _, recordings -> Double? in
                    let own = recordings.compactMap { $0.means[key]?.value }
                    return own.isEmpty ? nil : own.reduce(0, +) / Double(own.count)
                }
                table.append(
                    [
                        condition.session.map(Cell.text) ?? .missing, condition.task.map(Cell.text) ?? .missing,
                        .text(key.signal), .text(key.index), .text(index.unit), .integer(values.count),
                        .integer(people.count - values.count),
                    ] + Self.spread(values))
            }
        }
        return table
    }

    private static func spread(_ values: [Double]) -> [Cell] {
        guard !values.isEmpty else { return Array(repeating: .missing, count: 7) }
        return [
            .optional(Statistics.mean(values)),
            values.count > 1 ? .optional(Statistics.standardDeviation(values)) : .missing,
            .optional(values.min()), .optional(Statistics.quantile(values, 0.25)),
            .optional(Statistics.median(values)), .optional(Statistics.quantile(values, 0.75)),
            .optional(values.max()),
        ]
    }
}
