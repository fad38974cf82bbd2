import Cardiac
import Kernels
public import Signals

extension BeatValidation {
    /// The columns of `table`. Where a row is a lead its first column tells it, and there is no other.
    public static func columns(by grouping: ValidationGrouping) -> [Column] {
        let group = Column(
            grouping.name, "What the row is about; gross adds up all of them, average weighs each record the same")
        let leads: [Column] = grouping == .lead ? [] : [lead]
        return [group] + figures + leads + origins
    }

    private static let figures = [
        Column("tolerance", unit: .seconds, "Largest distance of a detected beat from its reference beat"),
        Column("tp", unit: .dimensionless, "Reference beats that were detected"),
        Column("fp", unit: .dimensionless, "Detected beats without a reference beat"),
        Column("fn", unit: .dimensionless, "Reference beats that were not detected"),
        Column("sensitivity", unit: .percent, "tp / (tp + fn)", reference: "ANSI/AAMI EC57"),
        Column("ppv", unit: .percent, "tp / (tp + fp)", reference: "ANSI/AAMI EC57"),
        Column("f1", unit: .percent, "2 tp / (2 tp + fp + fn)"),
        Column("offset", unit: .milliseconds, "Median of detected minus reference time"),
        Column("jitter", unit: .milliseconds, "Median distance of detected minus reference time from the offset"),
        Column("jitter95", unit: .milliseconds, "95th percentile of that distance"),
        Column("jitterSamples", unit: .dimensionless, "jitter in samples of the recording"),
        Column("jitter95Samples", unit: .dimensionless, "jitter95 in samples of the recording"),
    ]

    private static let lead = Column("lead", "The channels that beats were detected in, separated by commas")

    private static let origins = [
        Column("records", unit: .dimensionless, "Channels of recordings in the row"),
        Column("scored", unit: .seconds, "Signal that counts"),
        Column("uncounted", unit: .dimensionless, "Reference beats that do not count"),
        Column("lag", unit: .milliseconds, "By how much the heart's reference beats were moved to meet the pulse's"),
        Column("reference", "Where the reference beats come from"),
        Column("convention", "Which part counts: whole, EC57 or custom"),
    ]

    /// One row per group and tolerance, then the gross and the average rows.
    /// - Parameter worstFirst: whether the group with the lowest F1 at the first tolerance comes first.
    public func table(by grouping: ValidationGrouping = .record, worstFirst: Bool = false) -> Table {
        var table = Table(columns: Self.columns(by: grouping))
        for score in scores(by: grouping, worstFirst: worstFirst) + [gross] {
            for place in tolerances.indices { table.append(row(score, grouping, place)) }
        }
        for place in tolerances.indices { table.append(averageRow(grouping, place)) }
        return table
    }

    private func row(_ score: ValidationScore, _ grouping: ValidationGrouping, _ place: Int) -> [Cell] {
        let comparison = score.comparisons[place]
        let jitter = score.jitter(place)
        return [
            .text(score.name), .number(tolerances[place]), .integer(comparison.truePositives),
            .integer(comparison.falsePositives), .integer(comparison.falseNegatives),
            Self.percent(comparison.sensitivity), Self.percent(comparison.positivePredictiveValue),
            Self.percent(comparison.f1), Self.milliseconds(comparison.medianOffset),
            Self.milliseconds(jitter?.median), Self.milliseconds(jitter?.percentile95),
            Self.rounded(jitter?.medianSamples), Self.rounded(jitter?.percentile95Samples),
        ] + description(of: score, grouping)
    }

    /// The cells that are the same at every tolerance.
    private func description(of score: ValidationScore, _ grouping: ValidationGrouping) -> [Cell] {
        let lags = score.channels.compactMap(\.lag)
        let leads: [Cell] = grouping == .lead ? [] : [.text(Self.list(score.channels.map(\.lead)))]
        let origins: [Cell] = [
            .integer(score.channels.count),
            .onset(score.channels.reduce(0) { $0 + $1.scored }),
            .integer(score.channels.reduce(0) { $0 + $1.uncountedBeats }),
            lags.isEmpty ? .missing : Self.milliseconds(Statistics.median(lags)),
            .text(Self.list(score.channels.map(\.reference))), .text(convention.name),
        ]
        return leads + origins
    }

    private func averageRow(_ grouping: ValidationGrouping, _ place: Int) -> [Cell] {
        let scores = channels.map { ValidationScore($0.record, [$0]) }
        func mean(_ value: (ValidationScore) -> Double?) -> Double? {
            let values = scores.compactMap(value)
            return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        }
        return [
            .text("average"), .number(tolerances[place]), .missing, .missing, .missing,
            Self.percent(mean { $0.comparisons[place].sensitivity }),
            Self.percent(mean { $0.comparisons[place].positivePredictiveValue }),
            Self.percent(mean { $0.comparisons[place].f1 }),
            Self.milliseconds(mean { $0.comparisons[place].medianOffset }),
            Self.milliseconds(mean { $0.jitter(place)?.median }),
            Self.milliseconds(mean { $0.jitter(place)?.percentile95 }),
            Self.rounded(mean { $0.jitter(place)?.medianSamples }),
            Self.rounded(mean { $0.jitter(place)?.percentile95Samples }),
        ] + description(of: ValidationScore("average", channels), grouping)
    }

    /// Three decimals are more than any data set can tell.
    static func percent(_ share: Double?) -> Cell {
        .optional(share.map { ($0 * 100_000).rounded() / 1_000 })
    }

    static func milliseconds(_ seconds: Seconds?) -> Cell {
        rounded(seconds.map { $0 * 1_000 })
    }

    static func rounded(_ value: Double?) -> Cell {
        .optional(value.map { ($0 * 100).rounded() / 100 })
    }

    /// Every name once, in the order of the first; a few of many.
    static func list(_ names: [String]) -> String {
        var seen: [String] = []
        for name in names where !seen.contains(name) { seen.append(name) }
        return seen.count > 6 ? seen.prefix(5).joined(separator: ",") + ",…" : seen.joined(separator: ",")
    }
}
