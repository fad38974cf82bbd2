import GroupStatistics
import Kernels
import Signals

/// How well indexes agree from session to session in the same people, task by task.
struct GroupReliability {
    let summary: GroupSummary

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

    /// One row per task, signal and index that at least two participants have in at least two sessions.
    func table() -> Table {
        var table = Table(columns: Self.columns)
        let tasks = Dictionary(grouping: summary.recordings) { $0.unit.task ?? "" }.sorted { $0.key < $1.key }
        for (task, recordings) in tasks {
            let people = Dictionary(grouping: recordings, by: \.unit.participant).sorted { $0.key < $1.key }.map(
                \.value)
            var choices: [Attendance: [String]] = [:]
            for (key, _) in summary.keys {
                let values = people.map { Self.sessions(of: $0, key) }.filter { !$0.isEmpty }
                let attendance = Attendance(values.map { Set($0.keys) })
                let labels = choices[attendance] ?? attendance.best
                choices[attendance] = labels
                let complete = values.map { own in labels.compactMap { own[$0] } }.filter { $0.count == labels.count }
                let some = values.count { own in labels.contains { own[$0] != nil } }
                guard let matrix = try? Matrix(complete), let icc = try? IntraclassCorrelation(matrix) else { continue }
                table.append([
                    task.isEmpty ? .missing : .text(task), .text(key.signal), .text(key.index), .integer(icc.people),
                    .integer(some - icc.people), .integer(icc.sessions), .text(labels.joined(separator: ", ")),
                    .optional(icc.agreement.value), .optional(icc.agreement.low), .optional(icc.agreement.high),
                    .optional(icc.consistency.value),
                ])
            }
        }
        return table
    }

    /// A person's mean in each session that has a value.
    private static func sessions(
        of recordings: [GroupSummary.Recording], _ key: RecordingMeans.Key
    ) -> [String: Double] {
        var values: [String: [Double]] = [:]
        for recording in recordings {
            guard let session = recording.unit.session, let value = recording.means[key]?.value else { continue }
            values[session, default: []].append(value)
        }
        return values.mapValues(Statistics.mean)
    }
}
