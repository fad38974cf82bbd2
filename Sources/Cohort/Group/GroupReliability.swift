import GroupStatistics
import Kernels
import Signals

/// How well indexes agree from session to session in the same people, task by task.
struct GroupReliability {
    let summary: GroupSummary
    var design = GroupDesign()

    static let columns = [
        Column("task", "Task label"),
        Column("signal", "The signal"),
        Column("index", "The index"),
        Column("n", unit: .dimensionless, "Participants with a value in every one of these sessions"),
        Column("incomplete", unit: .dimensionless, "Participants with values in some of them only, who are left out"),
        Column("sessions", unit: .dimensionless, "How many sessions"),
        Column(
            "sessionLabels",
            "Which: of the sessions with values those that keep the most measurements, n times sessions"),
        Column("icc", unit: .dimensionless, "ICC(A,1): absolute agreement", reference: "McGraw & Wong 1996"),
        Column("low", unit: .dimensionless, "Its lower 95 % limit"),
        Column("high", unit: .dimensionless, "Its upper 95 % limit"),
        Column("iccConsistency", unit: .dimensionless, "ICC(C,1): a shift between sessions does not count"),
    ]

    /// The table, what has no row in it and why, and what to be warned of.
    typealias Outcome = (table: Table, reasons: [String], warnings: [String])

    /// One row per task, signal and index that at least two participants have in at least two sessions. What follows
    /// the length of the window has none where that differs between the sessions, as in comparisons.
    func outcome() -> Outcome {
        var found: Outcome = (Table(columns: Self.columns), [], [])
        let tasks = Dictionary(grouping: summary.recordings) { $0.unit.task ?? "" }
            .sorted { NaturalOrder.precedes($0.key, $1.key) }
        for (task, recordings) in tasks {
            let people = Dictionary(grouping: recordings, by: \.unit.participant).sorted { $0.key < $1.key }.map(
                \.value)
            var choices: [Attendance: [String]] = [:]
            var unequal: [(labels: [String], windows: UnequalWindows)] = []
            for (key, _) in summary.keys where design.compares(key.index) {
                let all = people.map { own -> (recordings: [GroupSummary.Recording], values: [String: Double]) in
                    (own, Self.sessions(of: own) { $0.means[key]?.value })
                }.filter { !$0.values.isEmpty }
                let attendance = Attendance(all.map { Set($0.values.keys) })
                let labels = choices[attendance] ?? attendance.best
                choices[attendance] = labels
                let complete = all.filter { person in labels.allSatisfy { person.values[$0] != nil } }
                let some = all.count { person in labels.contains { person.values[$0] != nil } }
                guard let matrix = try? Matrix(complete.map { person in labels.compactMap { person.values[$0] } }),
                    let icc = try? IntraclassCorrelation(matrix)
                else { continue }
                if let lengths = Self.lengths(key, labels, complete.map(\.recordings)) {
                    let place = unequal.firstIndex { $0.labels == labels } ?? unequal.count
                    if place == unequal.count { unequal.append((labels, UnequalWindows())) }
                    if unequal[place].windows.take(key, lengths: lengths) { continue }
                }
                found.table.append([
                    task.isEmpty ? .missing : .text(task), .text(key.signal), .text(key.index), .integer(icc.people),
                    .integer(some - icc.people), .integer(icc.sessions), .text(labels.joined(separator: ", ")),
                    .optional(icc.agreement.value), .optional(icc.agreement.low), .optional(icc.agreement.high),
                    .optional(icc.consistency.value),
                ])
            }
            for (labels, windows) in unequal where windows.leavesOut {
                let title =
                    "reliability over sessions \(Listing.text(labels))" + (task.isEmpty ? "" : " of task \(task)")
                found.reasons += [windows.reason(title)].compactMap { $0 }
                found.warnings += [windows.warning(title, consequence: "have no row there")].compactMap { $0 }
            }
        }
        return found
    }

    /// The mean lengths of the windows behind an index of heart-rate variability, session by session; nil of others.
    private static func lengths(
        _ key: RecordingMeans.Key, _ labels: [String], _ people: [[GroupSummary.Recording]]
    ) -> [Double]? {
        guard UnequalWindows.concerns(key) else { return nil }
        let own = people.map { sessions(of: $0) { $0.means[key]?.windowLength } }
        let lengths = labels.map { label in own.compactMap { $0[label] } }
        return lengths.contains(where: \.isEmpty) ? nil : lengths.map(Statistics.mean)
    }

    /// A person's mean in each session that has a value.
    private static func sessions(
        of recordings: [GroupSummary.Recording], _ value: (GroupSummary.Recording) -> Double?
    ) -> [String: Double] {
        var values: [String: [Double]] = [:]
        for recording in recordings {
            guard let session = recording.unit.session, let value = value(recording) else { continue }
            values[session, default: []].append(value)
        }
        return values.mapValues(Statistics.mean)
    }
}
