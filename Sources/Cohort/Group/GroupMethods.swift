import GroupStatistics
import Pipeline
import Reports

/// What was done over a cohort, as paragraphs for a paper.
enum GroupMethods {
    /// Of the group's page: only what was done for these comparisons.
    /// - Parameters:
    ///   - isReliabilityTold: whether agreement over sessions was computed of any index.
    ///   - parameters: what `sentence(of:)` says of the recordings' parameters.
    static func ofGroup(
        _ findings: [GroupComparisons.Finding], isReliabilityTold: Bool, parameters: String
    ) -> Methods {
        let designs = Set(findings.flatMap { $0.rows.map(\.comparison.design) })
        var sentences = [analyzed]
        var references: [Methods.Reference] = []
        if designs.contains(.paired) {
            sentences.append(
                "Differences within participants were taken within the tasks, sessions, acquisitions and runs that they "
                    + "have on both sides, and tested by Student's paired t test and by Wilcoxon's signed-rank test "
                    + "(exact up to 50 differences that are not 0, else by the normal approximation without continuity "
                    + "correction).")
            references.append(.init("Wilcoxon 1945, Biometrics Bull 1:80", doi: "10.2307/3001968"))
        }
        if designs.contains(.independent) {
            sentences.append(
                "Groups of participants were compared by Welch's t test and by Mann and Whitney's U test (exact where the "
                    + "smaller group has at most 8 participants, else by the normal approximation with continuity "
                    + "correction); what tasks and sessions differ by was taken out by least squares where some lack "
                    + "recordings.")
            references.append(.init("Mann & Whitney 1947, Ann Math Stat 18:50", doi: "10.1214/aoms/1177730491"))
        }
        if !designs.isEmpty {
            sentences += [
                "Effect sizes are Hedges' g (Hedges 1981) with bias-corrected and accelerated bootstrap intervals (2000 draws).",
                "Beside the tests, a linear model with the same circumstances as terms and a random intercept per "
                    + "participant was fitted by restricted maximum likelihood, with Satterthwaite's degrees of freedom.",
                "The false discovery rate was controlled over the indexes of all signals of each comparison "
                    + "(\(tests(findings))).",
            ]
            references += [
                .init("Hedges 1981, J Educ Stat 6:107", doi: "10.3102/10769986006002107"),
                .init("Benjamini & Hochberg 1995, J R Stat Soc B 57:289", doi: "10.1111/j.2517-6161.1995.tb02031.x"),
                .init("Efron 1987, J Am Stat Assoc 82:171", doi: "10.1080/01621459.1987.10478410"),
                .init("Bates, Mächler, Bolker & Walker 2015, J Stat Softw 67(1)", doi: "10.18637/jss.v067.i01"),
            ]
        }
        if findings.contains(where: { $0.unequal.leavesOut }) {
            sentences.append(
                "Indexes of heart-rate variability that follow the length of the window were not compared where the windows "
                    + "of the two sides differ in their mean length by more than a tenth.")
            references.append(
                .init("Shaffer & Ginsberg 2017, Front Public Health 5:258", doi: "10.3389/fpubh.2017.00258"))
        }
        if isReliabilityTold {
            sentences.append(
                "Agreement over sessions is the intraclass correlation of a single measurement in the two-way model (McGraw & "
                    + "Wong 1996): of absolute agreement, ICC(A,1), with 95 % limits by F, and of consistency, ICC(C,1); a "
                    + "measurement is the mean of a participant's recordings of one task in one session, and who lacks one of the "
                    + "sessions compared was left out.")
            references.append(.init("McGraw & Wong 1996, Psychol Methods 1:30", doi: "10.1037/1082-989X.1.1.30"))
        }
        sentences += levels(findings)
        return Methods(
            paragraph: (sentences + [marked, parameters]).joined(separator: " "), references: references + [outliers])
    }

    /// Which parameters all recordings were analyzed with: those that are not the defaults, and the hash of all.
    /// - Parameter parameters: nil where they are no longer kept.
    /// - Throws: `EncodingError` where a parameter is no finite number.
    static func sentence(of parameters: Parameters?, hash: String) throws -> String {
        let differences = try parameters.map { try Methods.differences(of: $0, version: MareyVersion.current) + " " }
        return (differences ?? "") + "The SHA-256 of all parameters begins with \(hash.prefix(12))."
    }

    /// How many tests a comparison has, and of which signals.
    private static func tests(_ findings: [GroupComparisons.Finding]) -> String {
        let counts = findings.map(\.rows.count)
        let (least, most) = (counts.min() ?? 0, counts.max() ?? 0)
        let names = findings.flatMap(\.rows).map { row in String(row.key.signal.prefix { $0 != ":" }) }
        let signals = Set(names).sorted()
        return "\(least == most ? "\(most)" : "\(least) to \(most)") \(most == 1 ? "test" : "tests")"
            + "\(findings.count > 1 ? " each" : ""), of \(Listing.text(signals))"
    }

    /// What codes of groups mean.
    private static func levels(_ findings: [GroupComparisons.Finding]) -> [String] {
        findings.compactMap { finding -> String? in
            let told = [finding.first, finding.second].compactMap { side in
                side.meaning.map { "\(side.label) is \($0)" }
            }
            return told.isEmpty ? nil : "In \(finding.first.factor) \(told.joined(separator: ", "))."
        }
    }

    /// Of a participant's page.
    static let ofParticipant = Methods(
        paragraph: [
            analyzed, "How each was analyzed is told on its own page.",
            "Where the participant stands is the share of all the group's recordings with a lower value, equal ones "
                + "counted half; quartiles are over the group's recordings, linearly interpolated.", marked,
        ].joined(separator: " "), references: [outliers])

    private static let analyzed =
        "Recordings were analyzed one by one with Marey \(MareyVersion.current); indexes were averaged over the windows of "
        + "each recording and over the recordings of a participant under the same condition, task and session."
    private static let marked =
        "Recordings whose robust z score of quality, coverage, values present or length is below −3.5 are marked; "
        + "differences of less than a tenth are not."
    private static let outliers = Methods.Reference(
        "Iglewicz & Hoaglin 1993, How to Detect and Handle Outliers, ASQC")
}
