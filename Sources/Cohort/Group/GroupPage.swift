import GroupStatistics
import Kernels
import Pipeline
import Reports

/// Fills the page about a cohort from its tables.
struct GroupPage {
    let title: String
    let summary: GroupSummary
    let findings: [GroupComparisons.Finding]
    let outliers: QualityOutliers
    let failures: [FailureRecord]
    /// The recordings' report files, relative to the output folder.
    let reports: [String: String]
    let calibrations: CalibrationLadder
    /// What is wrong with the design, events or participants.tsv.
    let warnings: [String]
    /// Whether every participant has a page.
    let hasPages: Bool

    /// What is shown.
    func report() -> GroupReport {
        var report = GroupReport(title: title, software: "Marey \(MareyVersion.current)")
        report.people = people()
        report.contrasts = findings.map(contrast)
        report.spreads = GroupSpreads(summary: summary, findings: findings).spreads()
        report.presence = presence()
        report.failures = failures.map(GroupReport.Failure.init)
        report.calibrations = calibrations.drawn
        report.notes = warnings + commonRemarks()
        report.methods = methods()
        return report
    }

    private func people() -> [GroupReport.Person] {
        let failed = Dictionary(grouping: failures, by: \.plan.unit.participant)
        let rows = Dictionary(grouping: outliers.rows(), by: \.unit.participant)
        let common = Set(outliers.commonRemarks.map(\.remark))
        return Set(summary.people.keys).union(failed.keys).sorted().map { label in
            var person = GroupReport.Person(label: label)
            let own = rows[label] ?? []
            func mean(_ column: Int) -> Double? {
                let values = own.map { $0.measures[column] }.filter(\.isFinite)
                return values.isEmpty ? nil : Statistics.mean(values)
            }
            (person.done, person.failed) = (own.count, failed[label]?.count ?? 0)
            (person.quality, person.coverage) = (mean(0), mean(1))
            person.isApart = own.contains(where: \.isOutlier)
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
            title: "\(finding.second.label) − \(finding.first.label) (\(finding.first.factor))",
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
                    let means = recording.means.means.filter { $0.key.signal == signal }.map(\.value)
                    let all = means.reduce(0) { $0 + $1.windows }
                    return all > 0 ? Double(means.reduce(0) { $0 + $1.present }) / Double(all) : nil
                }
                return (recording.unit.stem, shares)
            })
    }

    private func methods() -> Methods {
        Methods(
            paragraph: """
                Recordings were analyzed one by one with Marey \(MareyVersion.current); indexes were averaged over the \
                windows of each recording and over the recordings of a participant under the same condition, task and \
                session. Differences within participants were taken within the tasks and sessions that they have on both \
                sides; between groups of participants, what tasks and sessions differ by was taken out by least squares \
                where some lack recordings. Conditions were compared within participants by Student's paired t test and groups of participants by Welch's, with \
                Hedges' g and its bias-corrected and accelerated bootstrap interval (2000 draws), and by a linear model \
                with tasks and sessions as terms and a random intercept per participant fitted by restricted maximum likelihood with Satterthwaite's \
                degrees of freedom. The false discovery rate was controlled over the indexes of each comparison. \
                Recordings whose robust z score of quality, coverage, missing values or length is below −3.5 are marked; differences of less than a tenth are not.
                """,
            references: [
                .init("Benjamini & Hochberg 1995, J R Stat Soc B 57:289", doi: "10.1111/j.2517-6161.1995.tb02031.x"),
                .init("Efron 1987, J Am Stat Assoc 82:171", doi: "10.1080/01621459.1987.10478410"),
                .init("Bates, Mächler, Bolker & Walker 2015, J Stat Softw 67(1)", doi: "10.18637/jss.v067.i01"),
                .init("Iglewicz & Hoaglin 1993, How to Detect and Handle Outliers, ASQC"),
            ])
    }
}
