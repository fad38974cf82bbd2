import GroupStatistics
import Kernels
import Pipeline
import Reports

/// Fills the page about a cohort from its tables.
struct GroupPage {
    let title: String
    let summary: GroupSummary
    /// The number of participants with each condition; nil without conditions.
    let conditions: GroupReport.ConditionCounts?
    let findings: [GroupComparisons.Finding]
    /// Why what was tried to compare told nothing.
    let notCompared: [String]
    let outliers: QualityOutliers
    let failures: [FailureRecord]
    /// The recordings' report files, relative to the output folder.
    let reports: [String: String]
    let calibrations: CalibrationLadder
    /// Who has no recording, and what is wrong with the design, events or participants.tsv.
    let notes: [String]
    /// Whether every participant has a page.
    let hasPages: Bool
    /// Whether agreement over sessions was computed of any index.
    let isReliabilityTold: Bool
    /// What is said of the recordings' parameters.
    let parameters: String

    /// What is shown.
    func report() -> GroupReport {
        var report = GroupReport(title: title, software: "Marey \(MareyVersion.current)")
        report.people = people()
        report.contrasts = findings.map(contrast)
        report.conditions = conditions
        report.spreads = GroupSpreads(summary: summary, findings: findings).spreads()
        report.presence = presence()
        report.failures = failures.map(GroupReport.Failure.init)
        report.calibrations = calibrations.drawn
        report.notes = notes + commonRemarks()
        report.notCompared = notCompared
        report.methods = GroupMethods.ofGroup(
            findings, isReliabilityTold: isReliabilityTold, parameters: parameters)
        return report
    }

    private func people() -> [GroupReport.Person] {
        let failed = Dictionary(grouping: failures, by: \.plan.unit.participant)
        let rows = Dictionary(grouping: outliers.rows(), by: \.unit.participant)
        let common = Set(outliers.commonRemarks.map(\.remark))
        let unfinished = Dictionary(grouping: summary.unfinished, by: \.participant)
        return Set(summary.people.keys).union(failed.keys).union(unfinished.keys).sorted().map { label in
            var person = GroupReport.Person(label: label)
            let own = rows[label] ?? []
            func mean(_ column: Int) -> Double? {
                let values = own.map { $0.measures[column] }.filter(\.isFinite)
                return values.isEmpty ? nil : Statistics.mean(values)
            }
            (person.done, person.failed) = (own.count, failed[label]?.count ?? 0)
            person.unfinished = unfinished[label]?.count ?? 0
            (person.quality, person.coverage) = (mean(0), mean(1))
            person.isApart = own.contains(where: \.isOutlier)
            person.z = own.filter(\.isOutlier).compactMap(\.z).min()
            person.remarks = own.compactMap { row in
                let remarks = row.summary(leavingOut: common)
                return remarks.isEmpty ? nil : "\(row.unit.stem): \(remarks)"
            }
            if hasPages { person.page = "../" + ParticipantPages.path(of: label) }
            person.reports = own.compactMap { reports[$0.unit.stem] }.map { "../" + $0 }.sorted()
            return person
        }
    }

    /// What is said of most recordings is said once.
    private func commonRemarks() -> [String] {
        outliers.commonRemarks.map { "\($0.count) of \(summary.recordings.count) recordings: \($0.remark)" }
    }

    private func contrast(_ finding: GroupComparisons.Finding) -> GroupReport.Contrast {
        GroupReport.Contrast(
            title: "\(finding.second.title) − \(finding.first.title) (\(finding.first.factor))",
            rows: finding.rows.map { row in
                GroupReport.Contrast.Row(index: summary.index(row.key), comparison: row.comparison, q: row.q)
            })
    }

    private func presence() -> GroupReport.Presence {
        let signals = Set(summary.keys.map(\.key.signal)).sorted()
        return GroupReport.Presence(
            signals: signals,
            recordings: summary.recordings.map { recording in
                let shares = signals.map { signal -> Double? in
                    let means = recording.means.all(ofSignal: signal)
                    let all = means.reduce(0) { $0 + Int($1.windows) }
                    return all > 0 ? Double(means.reduce(0) { $0 + Int($1.present) }) / Double(all) : nil
                }
                return (recording.unit.stem, shares)
            },
            others: summary.others.map { (label: $0.unit.stem, state: $0.state.rawValue) })
    }
}
