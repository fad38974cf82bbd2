import GroupStatistics
import Kernels
import Signals

/// Recordings whose quality stands apart from the cohort's, the worst first.
struct QualityOutliers {
    let summary: GroupSummary

    /// How many robust standard deviations below the median are suspect (Iglewicz & Hoaglin 1993).
    static let limit = 3.5
    /// The robust standard deviation that is reckoned with at least: of shares 0…1, what is less than a tenth below the
    /// cohort's median is no fault.
    static let leastSpread = 0.03

    static let columns =
        GroupColumns.labels + [
            Column(
                "quality", unit: .dimensionless,
                "Mean quality of the windows of each signal, then over signals, 0 to 1"),
            Column(
                "coverage", unit: .dimensionless,
                "Mean coverage of the windows of each signal, then over signals, 0 to 1"),
            Column("present", unit: .dimensionless, "Share of values that could be computed, 0 to 1"),
            Column(
                "duration", unit: .seconds,
                "Time from the recording's start to the end of the last window whose quality was judged; where none was, of the last window of its indexes"
            ),
            Column(
                "z", unit: .dimensionless,
                "Robust standard deviations (0.03 at least) of the worst of the four from the cohort's median; durations as shares of the task's median",
                reference: "Iglewicz & Hoaglin 1993, modified z score"),
            Column(
                "outlier", unit: .dimensionless, "1 where z is below -3.5, else 0",
                levels: ["0": "z is not below -3.5", "1": "z is below -3.5"]),
            Column("remarks", "What the recording's reader found: damage, a clock that was not set, empty streams"),
        ]

    /// One recording.
    struct Row {
        var unit: CohortUnit
        /// Quality, coverage, share of values present; not a number where unknown.
        var measures: [Double]
        /// In seconds; nil where unknown.
        var duration: Double?
        /// The robust scores of quality, coverage, share of values present and duration; not a number where unknown.
        var scores: [Double]
        /// What its reader found.
        var remarks: [String]

        /// The worst of the scores; nil where none is known.
        var z: Double? { scores.filter(\.isFinite).min() }

        /// Whether it stands apart.
        var isOutlier: Bool { (z ?? 0) < -QualityOutliers.limit }

        /// Why it stands apart and what its reader found, but for what is said elsewhere.
        func summary(leavingOut said: Set<String>) -> String {
            let apart = zip(["quality", "coverage", "share of values present", "length"], scores).compactMap {
                $1 < -QualityOutliers.limit
                    ? "\($0) far below the others (z −\(($1.magnitude * 10).rounded() / 10))" : nil
            }
            return (apart + remarks.filter { !said.contains($0) }).joined(separator: "; ")
        }
    }

    /// Remarks on more than half of at least three recordings, which tell none apart from the others.
    var commonRemarks: [(remark: String, count: Int)] {
        let counts = Dictionary(summary.recordings.flatMap(\.facts.remarks).map { ($0, 1) }, uniquingKeysWith: +)
        let least = max(2, summary.recordings.count / 2)
        return counts.filter { $0.value > least }.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// The recordings, the worst first.
    func rows() -> [Row] {
        let measures = summary.recordings.map(Self.measures)
        let scores = ((0..<3).map { column in measures.map { $0[column] } } + [lengths()]).map {
            Outliers.modifiedZ($0, leastSpread: Self.leastSpread)
        }
        let rows = measures.indices.map { place in
            Row(
                unit: summary.recordings[place].unit, measures: measures[place],
                duration: summary.recordings[place].facts.duration,
                scores: scores.map { $0[place] }, remarks: summary.recordings[place].facts.remarks)
        }
        return rows.enumerated().sorted {
            ($0.element.z ?? .infinity, $0.offset) < ($1.element.z ?? .infinity, $1.offset)
        }.map(\.element)
    }

    /// How long each recording is in units of its task's median, in favour of those that may be somewhat longer.
    private func lengths() -> [Double] {
        let tasks = Dictionary(grouping: summary.recordings, by: \.unit.task).mapValues { recordings in
            Statistics.median(recordings.compactMap(\.facts.duration))
        }
        return summary.recordings.map { recording in
            guard let duration = recording.facts.duration, let usual = tasks[recording.unit.task] else { return .nan }
            return max(duration / usual, min(1, (duration + recording.facts.slack) / usual))
        }
    }

    private static func measures(of recording: GroupSummary.Recording) -> [Double] {
        func mean(_ values: [Double]) -> Double { values.isEmpty ? .nan : Statistics.mean(values) }
        // Of a signal with rows of its own those of single methods, which may find nothing, say nothing more.
        func known(_ values: [String: RecordingMeans.Mean]) -> [Double] {
            values.filter { name, _ in
                guard let end = name.firstIndex(of: ":") else { return true }
                return values[String(name[..<end])] == nil
            }.sorted { $0.key < $1.key }.compactMap(\.value.value)
        }
        let means = recording.means
        let all = means.all.reduce(0) { $0 + Int($1.windows) }
        let present = means.all.reduce(0) { $0 + Int($1.present) }
        let share = all > 0 ? Double(present) / Double(all) : 0
        let signals = recording.facts.signals.sorted { $0.key < $1.key }.map(\.value)
        // Where nothing was judged, what the tables of indexes say.
        guard !signals.isEmpty else { return [mean(known(means.quality)), mean(known(means.coverage)), share] }
        return [mean(signals.map(\.quality)), mean(signals.map(\.coverage)), share]
    }

    /// One row per recording.
    func table() -> Table {
        var table = Table(columns: Self.columns)
        for row in rows() {
            table.append(
                GroupColumns.cells(row.unit) + row.measures.map { .optional($0) } + [
                    .optional(row.duration), .optional(row.z), .integer(row.isOutlier ? 1 : 0),
                    GroupColumns.cell(row.remarks),
                ])
        }
        return table
    }
}
