import GroupStatistics
import Kernels
import Signals

/// Recordings whose quality stands apart from the cohort's, the worst first.
struct QualityOutliers {
    let summary: GroupSummary

    /// How many robust standard deviations below the median are suspect (Iglewicz & Hoaglin 1993).
    static let limit = 3.5

    static let columns =
        GroupColumns.labels + [
            Column("quality", unit: .dimensionless, "Mean quality over signals and windows, 0 to 1"),
            Column("coverage", unit: .dimensionless, "Mean coverage over signals and windows, 0 to 1"),
            Column("present", unit: .dimensionless, "Share of values that could be computed, 0 to 1"),
            Column(
                "z", unit: .dimensionless,
                "Robust standard deviations of the worst of the three from the cohort's median",
                reference: "Iglewicz & Hoaglin 1993, modified z score"),
            Column("outlier", unit: .dimensionless, "1 where z is below -3.5, else 0"),
        ]

    /// One recording.
    struct Row {
        var unit: CohortUnit
        /// Quality, coverage, share of values present; not a number where unknown.
        var measures: [Double]
        /// The worst of their robust scores; nil where none is known.
        var z: Double?

        /// Whether it stands apart.
        var isOutlier: Bool { (z ?? 0) < -QualityOutliers.limit }
    }

    /// The recordings, the worst first.
    func rows() -> [Row] {
        let measures = summary.recordings.map { Self.measures(of: $0.means) }
        let scores = (0..<3).map { column in Outliers.modifiedZ(measures.map { $0[column] }) }
        let rows = measures.indices.map { place in
            Row(
                unit: summary.recordings[place].unit, measures: measures[place],
                z: scores.map { $0[place] }.filter(\.isFinite).min())
        }
        return rows.enumerated().sorted {
            ($0.element.z ?? .infinity, $0.offset) < ($1.element.z ?? .infinity, $1.offset)
        }.map(\.element)
    }

    private static func measures(of means: RecordingMeans) -> [Double] {
        func mean(_ values: [String: RecordingMeans.Mean]) -> Double {
            let values = values.sorted { $0.key < $1.key }.compactMap(\.value.value)
            return values.isEmpty ? .nan : Statistics.mean(values)
        }
        let all = means.means.values.reduce(0) { $0 + $1.windows }
        let present = means.means.values.reduce(0) { $0 + $1.present }
        return [mean(means.quality), mean(means.coverage), all > 0 ? Double(present) / Double(all) : 0]
    }

    /// One row per recording.
    func table() -> Table {
        var table = Table(columns: Self.columns)
        for row in rows() {
            table.append(
                GroupColumns.cells(row.unit) + row.measures.map { .optional($0) } + [
                    .optional(row.z), .integer(row.isOutlier ? 1 : 0),
                ])
        }
        return table
    }
}
