import GroupStatistics
import Kernels
import Signals

/// What conditions, sessions and groups of participants differ by, index by index.
///
/// Within people, conditions told by events (or else tasks) and sessions are compared on the participants who have both, and by a linear model with a
/// random intercept per participant over all recordings; between people, the two groups of a column of
/// `participants.tsv`. The false discovery rate is controlled over the indexes of each comparison.
struct GroupComparisons {
    /// One of the sides of a comparison.
    struct Side: Hashable {
        /// What is compared: `condition`, `task`, `session`, or a column of participants.tsv.
        var factor: String
        /// The label on this side.
        var label: String
    }

    let summary: GroupSummary
    /// Columns of participants.tsv: participant → text.
    let groups: [(name: String, values: [String: String])]
    let design: GroupDesign

    /// Names of conditions that others are compared with, where there are such.
    private static let references = ["rest", "baseline", "control", "pre"]

    static let columns = [
        Column("factor", "What is compared: condition, task, session or a column of participants.tsv"),
        Column("first", "The side that is subtracted"),
        Column("second", "The side it is subtracted from"),
        Column("design", "paired: the same people on both sides; independent: different people"),
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
            "Difference by the linear model with a random intercept per participant over all recordings, REML",
            reference: "Bates et al. 2015, J Stat Softw 67(1)"),
        Column("modelLow", "Its lower 95 % limit, Satterthwaite's degrees of freedom"),
        Column("modelHigh", "Its upper 95 % limit"),
        Column("modelP", unit: .dimensionless, "Its two-sided p"),
    ]

    /// One comparison over all indexes that can be compared.
    struct Finding {
        var first: Side
        var second: Side
        var rows: [Row]
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

    /// All comparisons.
    func findings() -> [Finding] {
        var findings: [Finding] = []
        for factor in summary.hasConditions ? ["condition", "session"] : ["task", "session"] {
            let observations = summary.observations(of: factor)
            for (first, second) in pairs(of: factor, observations) {
                findings.append(
                    Finding(first: first, second: second, rows: rows(first, second, within: observations)))
            }
        }
        for group in groups {
            let levels = Set(group.values.values).sorted()
            guard levels.count == 2 else { continue }
            let sides = levels.map { Side(factor: group.name, label: $0) }
            findings.append(
                Finding(first: sides[0], second: sides[1], rows: rows(between: group, levels[0], levels[1])))
        }
        return findings.filter { !$0.rows.isEmpty }.map(Self.withRates)
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

    private func pairs(of factor: String, _ observations: [GroupSummary.Observation]) -> [(Side, Side)] {
        let labels = Set(observations.map(\.label)).sorted()
        let wanted = [design.reference].compactMap { $0?.lowercased() } + Self.references
        let named = wanted.lazy.compactMap { name in labels.first { $0.lowercased() == name } }.first
        guard let first = named ?? labels.first else { return [] }
        return labels.filter { $0 != first }.map {
            (Side(factor: factor, label: first), Side(factor: factor, label: $0))
        }
    }

    /// The mean over what is there; nil where nothing is.
    private static func mean(_ values: [Double]) -> Double? { values.isEmpty ? nil : Statistics.mean(values) }

    private func rows(_ first: Side, _ second: Side, within observations: [GroupSummary.Observation]) -> [Row] {
        let people = Dictionary(grouping: observations, by: \.participant).sorted { $0.key < $1.key }.map(\.value)
        return summary.keys.compactMap { key, index in
            let both = people.compactMap { own -> (Double, Double)? in
                func side(_ label: String) -> Double? {
                    Self.mean(own.filter { $0.label == label }.compactMap { $0.means.means[key]?.value })
                }
                guard let a = side(first.label), let b = side(second.label) else { return nil }
                return (a, b)
            }
            guard let comparison = try? Comparison.paired(both.map(\.0), both.map(\.1)) else { return nil }
            return Row(
                key: key, unit: index.unit, comparison: comparison, model: model(key, first, second, observations))
        }
    }

    private func model(
        _ key: RecordingMeans.Key, _ first: Side, _ second: Side, _ observations: [GroupSummary.Observation]
    ) -> RandomInterceptModel.Coefficient? {
        var (outcome, predictors, groups): ([Double], [[Double]], [String]) = ([], [], [])
        for observation in observations where observation.label == first.label || observation.label == second.label {
            guard let value = observation.means.means[key]?.value else { continue }
            outcome.append(value)
            predictors.append([1, observation.label == second.label ? 1 : 0])
            groups.append(observation.participant)
        }
        guard let matrix = try? Matrix(predictors),
            let model = try? RandomInterceptModel(
                outcome: outcome, predictors: matrix, names: ["intercept", second.label], group: groups)
        else { return nil }
        return model.coefficients.last
    }

    private func rows(between group: (name: String, values: [String: String]), _ first: String, _ second: String)
        -> [Row]
    {
        summary.keys.compactMap { key, index in
            func side(_ label: String) -> [Double] {
                summary.people.keys.sorted().filter { group.values[$0] == label }.compactMap { person in
                    Self.mean((summary.people[person] ?? []).compactMap { $0.means.means[key]?.value })
                }
            }
            guard let comparison = try? Comparison.independent(side(first), side(second)) else { return nil }
            return Row(key: key, unit: index.unit, comparison: comparison, model: nil)
        }
    }

    private static func cells(_ row: Row, _ finding: Finding) -> [Cell] {
        let c = row.comparison
        let words: [Cell] = [
            .text(finding.first.factor), .text(finding.first.label), .text(finding.second.label),
            .text(c.design.rawValue), .text(row.key.signal), .text(row.key.index), .text(row.unit),
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
