import GroupStatistics
import Signals

/// What conditions, sessions and groups of participants differ by, index by index.
///
/// Within people, conditions told by events, tasks and sessions are compared on the participants who have both, under
/// circumstances they have both under, and by a linear model with a random intercept per participant over all
/// recordings; between people, the two groups of a column of `participants.tsv`. The false discovery rate is controlled
/// over the indexes of each comparison.
struct GroupComparisons {
    /// One of the sides of a comparison.
    struct Side: Hashable {
        /// What is compared: `condition`, `task`, `session`, or a column of participants.tsv.
        var factor: String
        /// The label on this side.
        var label: String
        /// What the label means, where participants.json says so.
        var meaning: String?

        /// The label as pages write it.
        var title: String { meaning.map { "\(label) (\($0))" } ?? label }
    }

    let summary: GroupSummary
    let groups: [ParticipantGroups.Column]
    let design: GroupDesign

    static let columns = [
        Column(
            "factor",
            "What is compared: condition, task, session or a column of participants.tsv, which is participants:session where it is called as one of these"
        ),
        Column("first", "The side that is subtracted"),
        Column("second", "The side it is subtracted from"),
        Column("design", "paired: the same people on both sides; independent: different people"),
        Column(
            "within",
            "What both sides have in common: paired differences are taken within each of these tasks, sessions, acquisitions or runs and then averaged; between people, what these differ by is taken out where people lack some"
        ),
        Column("signal", "The signal"),
        Column("index", "The index"),
        Column("unit", "Its unit"),
        Column("nFirst", unit: .dimensionless, "Participants on the first side"),
        Column("nSecond", unit: .dimensionless, "Participants on the second side; the same people when paired"),
        Column("meanFirst", "Mean of the first side"),
        Column("meanSecond", "Mean of the second side"),
        Column("difference", "Second mean less first"),
        Column("low", "Lower 95 % limit of the difference, by Student's t (Welch's when independent)"),
        Column("high", "Upper 95 % limit of the difference"),
        Column("t", unit: .dimensionless, "Student's t of the difference"),
        Column("df", unit: .dimensionless, "Its degrees of freedom"),
        Column("p", unit: .dimensionless, "Its two-sided p"),
        Column(
            "q", unit: .dimensionless,
            "p, with the false discovery rate over the indexes of this comparison controlled",
            reference: "Benjamini & Hochberg 1995"),
        Column("rankP", unit: .dimensionless, "p by ranks: Wilcoxon's signed ranks, or Mann and Whitney's U"),
        Column("g", unit: .dimensionless, "Hedges' g, of d_z when paired, of d_s when independent"),
        Column(
            "gLow", unit: .dimensionless, "Lower 95 % limit of g, BCa bootstrap of 2000 draws", reference: "Efron 1987"),
        Column("gHigh", unit: .dimensionless, "Upper 95 % limit of g"),
        Column(
            "modelEstimate",
            "Difference by the linear model with what the column within names as further terms and a random intercept per participant, over all recordings, REML",
            reference: "Bates et al. 2015, J Stat Softw 67(1)"),
        Column("modelLow", "Its lower 95 % limit, Satterthwaite's degrees of freedom"),
        Column("modelHigh", "Its upper 95 % limit"),
        Column("modelP", unit: .dimensionless, "Its two-sided p"),
    ]

    /// One comparison over all indexes that can be compared.
    struct Finding {
        var first: Side
        var second: Side
        /// What was the same on both sides, or taken out.
        var held: [Circumstance]
        var rows: [Row]
        /// Windows that are not of one length, and what is not compared for it.
        var unequal = UnequalWindows()
        /// The two levels of a factor within people; nil between people.
        var sides: MatchedSides?
        /// The two groups of people; nil within people.
        var groups: GroupSides?

        /// What is compared, in words.
        var title: String { "\(second.title) and \(first.title) (\(first.factor))" }
    }

    /// What one comparison found in one index.
    struct Row {
        var key: RecordingMeans.Key
        var unit: String
        var comparison: Comparison
        var model: RandomInterceptModel.Coefficient?
        /// Over the indexes of the comparison.
        var q = 1.0
    }

    /// All comparisons that told something, why others did not, and what to be warned of.
    typealias Outcome = (findings: [Finding], reasons: [String], warnings: [String])

    /// Compares.
    func outcome() -> Outcome {
        let all = withinPeople() + betweenPeople()
        return (
            all.filter { !$0.rows.isEmpty }.map(Self.withRates),
            Self.reasons(all, in: summary) + Self.leftOut(all) + Self.ofUnequalWindows(all) + uncompared,
            Self.unmatched(all) + Self.unequalWindows(all)
        )
    }

    /// The conditions that are compared, the reference first.
    var conditionPairs: [(first: String, second: String)] {
        guard summary.factors.contains("condition") else { return [] }
        return pairs(of: "condition", summary.observations(of: "condition")).map { ($0.0.label, $0.1.label) }
    }

    private func withinPeople() -> [Finding] {
        summary.factors.flatMap { factor in
            let observations = summary.observations(of: factor)
            return pairs(of: factor, observations).map { first, second in
                let sides = MatchedSides(
                    first.label, second.label, of: factor, in: observations, runs: design.runs)
                let found = rows(sides)
                return Finding(
                    first: first, second: second, held: sides.held, rows: found.rows, unequal: found.unequal,
                    sides: sides)
            }
        }
    }

    private func betweenPeople() -> [Finding] {
        let observations = summary.observations(of: nil)
        return groups.compactMap { group in
            guard group.levels.count == 2 else { return nil }
            let first = reference(among: group.levels, meanings: group.meanings)
            let levels = group.levels.filter { $0 == first } + group.levels.filter { $0 != first }
            func people(_ level: String) -> Set<String> { Set(group.values.filter { $0.value == level }.keys) }
            func side(_ level: String) -> Side {
                let meaning = group.meanings[level]
                return Side(factor: group.factor, label: level, meaning: meaning == level ? nil : meaning)
            }
            let sides = GroupSides(people(levels[0]), people(levels[1]), in: observations)
            let found = rows(sides)
            return Finding(
                first: side(levels[0]), second: side(levels[1]), held: sides.held, rows: found.rows,
                unequal: found.unequal, groups: sides)
        }
    }

    private static func withRates(_ finding: Finding) -> Finding {
        var finding = finding
        let q = FalseDiscoveryRate.benjaminiHochberg(finding.rows.map(\.comparison.p))
        for (place, q) in q.enumerated() { finding.rows[place].q = q }
        return finding
    }

    /// One row per comparison, signal and index.
    static func table(_ findings: [Finding]) -> Table {
        var table = Table(columns: columns)
        for finding in findings {
            for row in finding.rows { table.append(cells(row, finding)) }
        }
        return table
    }

    /// Entries of the design that match nothing, and indexes whose windows no condition is long enough for.
    var warnings: [String] {
        let signals = summary.indexesWithoutConditions
        let warnings = referenceWarnings + summary.splitSignals + summary.conditionsWithoutWindows
        guard !signals.isEmpty else { return warnings }
        return warnings + [
            "comparisons: no window of \(Listing.text(signals)) lies within a condition; shorter ones may: in study.yaml, "
                + "in seconds, "
                + (design.windows == .recording ? "hrv: { window: …, step: … }, eda: { window: … }, " : "")
                + "respiration: { window: …, step: … }, eeg: { features: { connectivityWindow: … } }"
        ]
    }

    private func rows(_ sides: some ComparedSides) -> (rows: [Row], unequal: UnequalWindows) {
        var (rows, unequal): ([Row], UnequalWindows) = ([], UnequalWindows())
        for (key, index) in summary.keys where design.compares(key.index) {
            guard let comparison = sides.comparison(key), !unequal.take(key, of: sides) else { continue }
            rows.append(
                Row(
                    key: key, unit: index.unit, comparison: comparison,
                    model: SideModel.difference(sides.measurements(key))))
        }
        return (rows, unequal)
    }

    private static func cells(_ row: Row, _ finding: Finding) -> [Cell] {
        let c = row.comparison
        let words: [Cell] = [
            .text(finding.first.factor), .text(finding.first.label), .text(finding.second.label),
            .text(c.design.rawValue),
            finding.held.isEmpty ? .missing : .text(finding.held.map(\.rawValue).joined(separator: ", ")),
            .text(row.key.signal), .text(row.key.index), .text(row.unit),
            .integer(c.firstCount), .integer(c.secondCount),
        ]
        let numbers = [
            c.firstMean, c.secondMean, c.difference, c.low, c.high, c.t, c.degreesOfFreedom, c.p, row.q, c.rankP,
            c.hedgesG, c.gLow, c.gHigh,
        ]
        let model = [row.model?.estimate, row.model?.low, row.model?.high, row.model?.p]
        return words + numbers.map { .optional($0) } + model.map { .optional($0) }
    }
}
