import GroupStatistics
import Signals

extension GroupComparisons {
    /// Why comparisons that were tried told nothing, each with the sides it was tried on.
    static func reasons(_ findings: [Finding], in summary: GroupSummary) -> [String] {
        let vain = findings.filter { $0.rows.isEmpty && !$0.unequal.leavesOut }
        let told = vain.prefix(most).map { finding in
            "\(finding.title): " + reason(finding, summary.keys.map(\.key))
        }
        return told + (vain.count > most ? ["and \(vain.count - most) comparisons more"] : [])
    }

    /// People whom a comparison that was made does without.
    static func leftOut(_ findings: [Finding]) -> [String] {
        findings.compactMap { finding in
            guard !finding.rows.isEmpty, let groups = finding.groups, groups.unlinked > 0 else { return nil }
            let (first, second) = groups.measured
            return "\(finding.title): "
                + "\(groups.unlinked) of \(first + second) participants are left out, as none of their tasks is one of the others'"
        }
    }

    /// Indexes that are not compared by default.
    var uncompared: [String] {
        let names = GroupDesign.uncompared.filter { name in
            !design.compares(name) && summary.keys.contains { $0.key.index == name }
        }
        return names.map { "\($0) is not compared by default; in study.yaml: comparisons: { include: [\($0)] }" }
    }

    /// Recordings, and people, that comparisons within people do without: a line for each comparison.
    static func unmatched(_ findings: [Finding]) -> [String] {
        let lines = findings.compactMap { finding -> String? in
            guard !finding.rows.isEmpty, let sides = finding.sides else { return nil }
            let (left, people) = (sides.leftOut, sides.people)
            let same = finding.held.isEmpty ? "" : " of the same \(finding.held.map(\.rawValue).listed)"
            var told: [String] = []
            if people.unmatched > 0 {
                told.append(
                    "\(people.unmatched) of \(people.all) participants do not have both\(finding.held.isEmpty ? "" : " in recordings\(same)")"
                )
            }
            if left.count > 0 {
                told.append(
                    "\(left.count) of \(left.all) recordings of the others are left out, without a counterpart on the other side\(same)"
                )
            }
            return told.isEmpty ? nil : "comparisons: \(finding.title): " + told.joined(separator: "; ")
        }
        return Array(lines.prefix(most))
            + (lines.count > most ? ["comparisons: the same of \(lines.count - most) comparisons more"] : [])
    }

    /// Indexes that are not compared, as the windows of the two sides are not of one length.
    static func ofUnequalWindows(_ findings: [Finding]) -> [String] {
        shortened(findings.compactMap { $0.unequal.reason($0.title) })
    }

    /// Comparisons whose windows are not of one length, and what to do.
    static func unequalWindows(_ findings: [Finding]) -> [String] {
        shortened(findings.compactMap { $0.unequal.warning($0.title) }).map { "comparisons: " + $0 }
    }

    private static func shortened(_ told: [String]) -> [String] {
        Array(told.prefix(most)) + (told.count > most ? ["the same of \(told.count - most) comparisons more"] : [])
    }

    /// How many are told of one by one.
    private static let most = 12

    private static func reason(_ finding: Finding, _ keys: [RecordingMeans.Key]) -> String {
        if let sides = finding.sides {
            switch sides.measured {
            case 0: return "no participant was recorded on both sides"
            case 1: return "only one participant was recorded on both sides; two are needed"
            case let count:
                let isKnown = keys.contains { sides.values($0).first.count > 1 }
                return isKnown
                    ? "in every index the \(count) participants recorded on both sides differ by the same, or not at all"
                    : "no index has values of two participants on both sides"
            }
        }
        guard let groups = finding.groups else { return "nothing was measured" }
        let (first, second) = groups.measured
        if min(first, second) < 2 {
            return "\(count(second)) in \(finding.second.title) and \(count(first)) in \(finding.first.title) "
                + "with results; two are needed on each side"
        }
        return "no index has values of two participants on each side that are not all the same"
    }

    private static func count(_ people: Int) -> String {
        people == 1 ? "1 participant" : "\(people == 0 ? "no" : "\(people)") participants"
    }
}
