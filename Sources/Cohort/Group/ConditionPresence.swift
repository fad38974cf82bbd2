import Reports
import Signals

/// The participants with each condition for each index, those without it, and the reasons.
struct ConditionPresence {
    /// One index under one condition.
    struct Row {
        var condition: String
        var key: RecordingMeans.Key
        var unit: String
        /// The participants without a value, in order, and why; of several recordings the reason that is nearest to a value.
        var lacks: [(participant: String, reason: ConditionLack)]
    }

    /// All conditions, session 2 before session 10.
    let conditions: [String]
    /// The number of participants with results.
    let participants: Int
    /// The rows, condition by condition in the order of the tables' indexes.
    let rows: [Row]
    private let lacking: [String: [RecordingMeans.Key: [String: ConditionLack]]]
    private let pooled: [RecordingMeans.Key]

    /// The presence of all conditions; without rows where there are no conditions.
    init(_ summary: GroupSummary) {
        let conditions = Set(summary.recordings.flatMap(\.toldConditions)).sorted(by: NaturalOrder.precedes)
        self.conditions = conditions
        participants = summary.people.count
        let people = summary.people.sorted { $0.key < $1.key }
        var timed: Set<RecordingMeans.Key> = []
        var pooled: Set<RecordingMeans.Key> = []
        for recording in summary.recordings where !recording.toldConditions.isEmpty {
            timed.formUnion(recording.means.keys.filter { recording.means[$0]?.hasTimes == true })
            for accepted in recording.accepted.values { pooled.formUnion(accepted.keys) }
        }
        let keys = summary.keys.filter { timed.contains($0.key) }
        var rows: [Row] = []
        for condition in conditions {
            for (key, index) in keys {
                let lacks = people.compactMap { participant, recordings -> (String, ConditionLack)? in
                    let lacks = recordings.map { $0.lack(of: key, under: condition) }
                    guard !lacks.contains(where: { $0 == nil }) else { return nil }
                    let nearest = lacks.compactMap { $0 }.max { $0.nearness < $1.nearness }
                    return nearest.map { (participant, $0) }
                }
                rows.append(Row(condition: condition, key: key, unit: index.unit, lacks: lacks))
            }
        }
        self.rows = rows
        self.pooled = keys.map(\.key).filter(pooled.contains)
        lacking = Dictionary(grouping: rows, by: \.condition).mapValues { rows in
            Dictionary(
                rows.map { ($0.key, Dictionary($0.lacks.map { ($0.participant, $0.reason) }) { one, _ in one }) }
            ) { one, _ in one }
        }
    }

    static let columns =
        [
            Column("condition", "The condition, as events call it"),
            Column("signal", "The signal, and what tells its rows apart, such as the method or the channel"),
            Column("index", "The index, defined in the sidecar of the recording's own table"),
            Column("participants", unit: .dimensionless, "Participants with results"),
            Column("n", unit: .dimensionless, "Participants with a value under the condition"),
        ]
        + ConditionLack.Kind.allCases.map {
            Column($0.rawValue, unit: .dimensionless, "Participants without a value because \($0.definition)")
        } + [
            Column(
                "missing",
                "The participants without a value, each with the reason; of more than \(mostNamed) the first ones")
        ]

    /// The largest number of participants that one cell names.
    private static let mostNamed = 50

    /// One row per condition and index.
    func table() -> Table {
        var table = Table(columns: Self.columns)
        for row in rows {
            let counts = Dictionary(grouping: row.lacks, by: \.reason.kind).mapValues(\.count)
            let named = row.lacks.prefix(Self.mostNamed).map { "\($0.participant) (\($0.reason.text))" }
            let more = row.lacks.count - named.count
            let missing = named.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
            table.append(
                [
                    .text(row.condition), .text(row.key.signal), .text(row.key.index), .integer(participants),
                    .integer(participants - row.lacks.count),
                ] + ConditionLack.Kind.allCases.map { .integer(counts[$0] ?? 0) }
                    + [missing.isEmpty ? .missing : .text(missing)])
        }
        return table
    }

    /// A line for each comparison of conditions that lacks participants, of the indexes over all accepted intervals: the number
    /// of participants with both sides, the others, and the reasons.
    func lines(of pairs: [(first: String, second: String)]) -> [String] {
        let lines = pairs.flatMap { pair in
            var told: [(text: String, names: [(signal: String, index: String)])] = []
            for key in pooled {
                guard let text = text(of: key, pair) else { continue }
                if let place = told.firstIndex(where: { $0.text == text && $0.names[0].signal == key.signal }) {
                    told[place].names.append((key.signal, key.index))
                } else {
                    told.append((text, [(key.signal, key.index)]))
                }
            }
            return told.map { text, names in
                "\(names.map(\.index).joined(separator: ", ")) of \(names[0].signal): \(text)"
            }
        }
        guard lines.count > Self.mostLines else { return lines }
        return Array(lines.prefix(Self.mostLines)) + [
            "\(lines.count - Self.mostLines) more indexes lack participants under a condition: see condition_participants.tsv"
        ]
    }

    private static let mostLines = 12

    /// The participants without one of two conditions, with reasons; nil where there are none.
    private func text(of key: RecordingMeans.Key, _ pair: (first: String, second: String)) -> String? {
        let sides = [pair.first, pair.second].map { ($0, lacking[$0]?[key] ?? [:]) }
        let people = Set(sides.flatMap { $0.1.keys }).sorted()
        guard !people.isEmpty else { return nil }
        let reasons = people.map { person in
            let own = sides.compactMap { condition, lacks in lacks[person].map { "\(condition): \($0.text)" } }
            return "\(person) (\(own.joined(separator: "; ")))"
        }
        return "\(participants - people.count) of \(participants.counted("participant")) "
            + "\(participants - people.count == 1 ? "has" : "have") both \(pair.first) and \(pair.second); without one of them: "
            + Listing.text(reasons)
    }

    /// The same for the page: the indexes that readers look for first, with the participants under each condition.
    func drawn() -> GroupReport.ConditionCounts? {
        guard conditions.count > 1, participants > 0 else { return nil }
        let keys = rows.filter { $0.condition == conditions[0] }.map { ($0.key, $0.unit) }
        let all = keys.map { GroupReport.Index(signal: $0.0.signal, name: $0.0.index, unit: $0.1) }
        let first = pooled.compactMap { key in all.first { $0.signal == key.signal && $0.name == key.index } }
        let others = GroupReport.Index.headline(all).filter { !first.contains($0) }
        let found = Dictionary(grouping: rows) { [$0.condition, $0.key.signal, $0.key.index] }
        return GroupReport.ConditionCounts(
            conditions: conditions, participants: participants,
            rows: (first + others).map { index in
                let own = conditions.compactMap { found[[$0, index.signal, index.name]]?.first }
                let missing = own.flatMap { row in
                    Dictionary(grouping: row.lacks, by: \.reason.text).sorted { $0.key < $1.key }.map { reason, lacks in
                        "\(row.condition): \(Listing.text(lacks.map(\.participant))) (\(reason))"
                    }
                }
                return .init(
                    index: index, counts: own.map { participants - $0.lacks.count },
                    missing: missing.joined(separator: "; "))
            })
    }
}
