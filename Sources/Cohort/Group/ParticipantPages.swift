import Foundation
import Kernels
import Pipeline
import Reports

/// Fills a page for every participant: their recordings, and where they stand in the group.
struct ParticipantPages {
    private let summary: GroupSummary
    private let failures: [String: [FailureRecord]]
    /// Recordings without results that did not fail.
    private let unfinished: [String: [(unit: CohortUnit, state: UnitState)]]
    private let reports: [String: String]
    private let rows: [String: [QualityOutliers.Row]]
    private let keys: [(key: RecordingMeans.Key, index: ResultColumns.Index)]
    /// The values of each key over all recordings, in order.
    private let sorted: [[Double]]

    init(_ summary: GroupSummary, _ outliers: QualityOutliers, _ failures: [FailureRecord], reports: [String: String]) {
        self.summary = summary
        self.reports = reports
        self.failures = Dictionary(grouping: failures, by: \.plan.unit.participant)
        unfinished = Dictionary(
            grouping: summary.others.filter { $0.state != .failed }, by: { $0.unit.participant })
        rows = Dictionary(grouping: outliers.rows(), by: \.unit.participant)
        let shown = GroupReport.Index.headline(
            summary.keys.map { GroupReport.Index(signal: $0.key.signal, name: $0.key.index, unit: $0.index.unit) })
        keys = shown.compactMap { index in
            summary.keys.first { $0.key.signal == index.signal && $0.key.index == index.name }
        }
        sorted = keys.map { key, _ in
            summary.recordings.compactMap { $0.means[key]?.value }.filter(\.isFinite).sorted()
        }
    }

    /// The participants that have a page.
    var labels: [String] { Set(summary.people.keys).union(failures.keys).union(unfinished.keys).sorted() }

    /// Where the page lies, relative to the output folder.
    static func path(of label: String) -> String { "sub-\(label)/sub-\(label)_participant.html" }

    /// The page of one participant.
    func html(_ label: String) -> String {
        var page = ParticipantReport(
            title: "Participant \(label)", software: "Marey \(MareyVersion.current)",
            groupPage: "../group/report.html")
        page.recordings = (rows[label] ?? []).sorted { $0.unit.stem < $1.unit.stem }.map { recording($0, label) }
        let own = summary.people[label] ?? []
        page.standings = keys.indices.compactMap { standing(keys[$0].key, keys[$0].index, sorted[$0], own) }
        page.failures = (failures[label] ?? []).map(GroupReport.Failure.init)
        page.unfinished = (unfinished[label] ?? []).map {
            "\($0.unit.stem.replacing("sub-\(label)_", with: "")) (\($0.state.rawValue))"
        }
        page.methods = GroupMethods.ofParticipant
        return page.html()
    }

    private func recording(_ row: QualityOutliers.Row, _ label: String) -> ParticipantReport.Recording {
        func known(_ value: Double) -> Double? { value.isFinite ? value : nil }
        let stem = row.unit.stem
        let report = reports[stem].map { path in
            let relative = path.hasPrefix("sub-\(label)/") ? String(path.dropFirst(label.count + 5)) : "../" + path
            // Labels of sessions and tasks are the data set's own, with whatever stands in them.
            return relative.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? relative
        }
        return ParticipantReport.Recording(
            label: stem.replacing("sub-\(label)_", with: ""), quality: known(row.measures[0]),
            coverage: known(row.measures[1]),
            remark: row.summary(leavingOut: []), report: report)
    }

    private func standing(
        _ key: RecordingMeans.Key, _ index: ResultColumns.Index, _ all: [Double], _ own: [GroupSummary.Recording]
    ) -> ParticipantReport.Standing? {
        let values = own.compactMap { recording -> (recording: String, value: Double, share: Double)? in
            guard let value = recording.means[key]?.value, value.isFinite, !all.isEmpty else { return nil }
            return (recording.unit.stem, value, Self.share(below: value, in: all))
        }
        guard !values.isEmpty else { return nil }
        return ParticipantReport.Standing(
            index: GroupReport.Index(signal: key.signal, name: key.index, unit: index.unit), values: values,
            quartiles: [0.25, 0.5, 0.75].map { Statistics.quantile(all, $0) })
    }

    /// The share of sorted values below one, equal ones counted half.
    private static func share(below value: Double, in all: [Double]) -> Double {
        func first(_ fits: (Double) -> Bool) -> Int {
            var (low, high) = (0, all.count)
            while low < high {
                let middle = (low + high) / 2
                if fits(all[middle]) { high = middle } else { low = middle + 1 }
            }
            return low
        }
        let (below, notAbove) = (first { $0 >= value }, first { $0 > value })
        return (Double(below) + Double(notAbove - below) / 2) / Double(all.count)
    }
}

extension GroupReport.Failure {
    /// As a page shows it.
    init(_ failure: FailureRecord) {
        self.init(
            recording: failure.plan.unit.stem, kind: failure.kind.rawValue, message: failure.message,
            place: failure.place)
    }
}
