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
        Column("n", unit: .dimensionless, "Participants with a value in every session"),
        Column("sessions", unit: .dimensionless, "Sessions"),
        Column("icc", unit: .dimensionless, "ICC(A,1): absolute agreement", reference: "McGraw & Wong 1996"),
        Column("low", unit: .dimensionless, "Its lower 95 % limit"),
        Column("high", unit: .dimensionless, "Its upper 95 % limit"),
        Column("iccConsistency", unit: .dimensionless, "ICC(C,1): a shift between sessions does not count"),
    ]

    /// One row per task, signal and index that at least two participants have in at least two sessions.
    func table() -> Table {
        var table = Table(columns: Self.columns)
        let sessions = Set(summary.recordings.compactMap(\.unit.session)).sorted()
        guard sessions.count > 1 else { return table }
        for task in Set(summary.recordings.map { $0.unit.task ?? "" }).sorted() {
            for (key, _) in summary.keys {
                let people = summary.people.sorted { $0.key < $1.key }.compactMap { _, recordings -> [Double]? in
                    let values = sessions.compactMap { session -> Double? in
                        let own = recordings.filter { $0.unit.session == session && ($0.unit.task ?? "") == task }
                            .compactMap { $0.means.means[key]?.value }
                        return own.isEmpty ? nil : Statistics.mean(own)
                    }
                    return values.count == sessions.count ? values : nil
                }
                guard let matrix = try? Matrix(people), let icc = try? IntraclassCorrelation(matrix) else { continue }
                table.append([
                    task.isEmpty ? .missing : .text(task), .text(key.signal), .text(key.index), .integer(icc.people),
                    .integer(icc.sessions), .optional(icc.agreement.value), .optional(icc.agreement.low),
                    .optional(icc.agreement.high), .optional(icc.consistency.value),
                ])
            }
        }
        return table
    }
}
