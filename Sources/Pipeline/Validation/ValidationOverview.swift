import Cardiac
public import Signals

extension BeatValidation {
    /// One row per group with all tolerances side by side, for people: short, on one screen line.
    /// - Parameter worstFirst: whether the group with the lowest F1 at the first tolerance comes first.
    public func overview(by grouping: ValidationGrouping = .record, worstFirst: Bool = true) -> Table {
        let hasLags = channels.contains { $0.lag != nil }
        var table = Table(columns: overviewColumns(grouping, hasLags: hasLags))
        for score in scores(by: grouping, worstFirst: worstFirst) + [gross] {
            table.append(overviewRow(score, grouping, hasLags: hasLags))
        }
        table.append(overviewAverage(grouping, hasLags: hasLags))
        return table
    }

    private func overviewColumns(_ grouping: ValidationGrouping, hasLags: Bool) -> [Column] {
        let widest = milliseconds(tolerances.first ?? 0)
        return [Column(grouping.name, "What the row is about"), Column(grouping == .record ? "lead" : "records", "")]
            + [
                Column("TP", unit: .dimensionless, "Detected at \(widest)"),
                Column("FP", unit: .dimensionless, "Extra at \(widest)"),
                Column("FN", unit: .dimensionless, "Missed at \(widest)"),
                Column("Se", unit: .percent, "Sensitivity at \(widest)"),
                Column("PPV", unit: .percent, "Positive predictive value at \(widest)"),
            ] + tolerances.map { Column("F1@\(milliseconds($0))", unit: .percent, "F1 at this tolerance") }
            + [
                Column("jitter", unit: .milliseconds, "Median"), Column("jitter95", unit: .milliseconds, "95 %"),
                Column("samples", unit: .dimensionless, "Median jitter in samples"),
            ] + (hasLags ? [Column("lag", unit: .milliseconds, "Pulse after heart")] : [])
    }

    private func milliseconds(_ tolerance: Seconds) -> String {
        let value = tolerance * 1_000
        return value == value.rounded() && value < 1e9 ? "\(Int(value))" : "\(value)"
    }

    private func overviewRow(_ score: ValidationScore, _ grouping: ValidationGrouping, hasLags: Bool) -> [Cell] {
        guard let comparison = score.comparisons.first else { return [] }
        let jitter = score.jitter(0)
        let lag = score.channels.count == 1 ? score.channels[0].lag : nil
        return [
            .text(score.name), Self.leadOrCount(score, grouping),
            .integer(comparison.truePositives), .integer(comparison.falsePositives),
            .integer(comparison.falseNegatives), Self.percent(comparison.sensitivity),
            Self.percent(comparison.positivePredictiveValue),
        ] + score.comparisons.map { Self.percent($0.f1) } + [
            Self.milliseconds(jitter?.median), Self.milliseconds(jitter?.percentile95),
            Self.rounded(jitter?.medianSamples),
        ] + (hasLags ? [Self.milliseconds(lag)] : [])
    }

    /// The lead of one recording, or how many channels there are.
    private static func leadOrCount(_ score: ValidationScore, _ grouping: ValidationGrouping) -> Cell {
        let count = score.channels.count
        guard grouping == .record else { return .integer(count) }
        let isSum = score.name == "gross" || score.name == "average"
        return .text(isSum || count != 1 ? "\(count) record\(count == 1 ? "" : "s")" : score.channels[0].lead)
    }

    private func overviewAverage(_ grouping: ValidationGrouping, hasLags: Bool) -> [Cell] {
        let scores = channels.map { ValidationScore($0.record, [$0]) }
        func mean(_ value: (ValidationScore) -> Double?) -> Double? {
            let values = scores.compactMap(value)
            return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        }
        return [
            .text("average"), Self.leadOrCount(ValidationScore("average", channels), grouping), .missing, .missing,
            .missing,
            Self.percent(mean { $0.comparisons.first?.sensitivity }),
            Self.percent(mean { $0.comparisons.first?.positivePredictiveValue }),
        ] + tolerances.indices.map { place in Self.percent(mean { $0.comparisons[place].f1 }) } + [
            Self.milliseconds(mean { $0.jitter(0)?.median }), Self.milliseconds(mean { $0.jitter(0)?.percentile95 }),
            Self.rounded(mean { $0.jitter(0)?.medianSamples }),
        ] + (hasLags ? [.missing] : [])
    }

    /// What the figures rest on and what has none, in sentences, for people.
    public var remarks: [String] {
        var remarks = ["convention \(convention.name): \(convention.explanation)"]
        let references = Dictionary(grouping: channels, by: \.reference).mapValues(\.count)
        let named = references.keys.sorted().map { "\($0) (\(references[$0] ?? 0))" }
        if !named.isEmpty { remarks.append("reference: \(named.joined(separator: ", "))") }
        if channels.contains(where: { $0.lag != nil }) {
            remarks.append("pulse beats were compared after moving the heart's beats by one constant lag per recording")
        }
        if Set(channels.map(\.source.kind)).count > 1 {
            remarks.append("gross and average mix ECG and pulse; --as ecg or --as bvp keeps them apart")
        }
        var noted: [(note: String, records: [String])] = []
        for channel in channels {
            for note in channel.notes {
                if let place = noted.firstIndex(where: { $0.note == note }) {
                    if noted[place].records.last != channel.record { noted[place].records.append(channel.record) }
                } else {
                    noted.append((note, [channel.record]))
                }
            }
        }
        remarks += noted.map { "\(Self.few($0.records)): \($0.note)" }
        remarks += excluded.map { "\($0.record) left out: \($0.reason)" }
        if !passedOver.isEmpty {
            remarks.append("without beats to score: \(Self.few(passedOver.map(\.record)))")
        }
        return remarks
    }

    /// The first names of a list, and how many more there are.
    private static func few(_ names: [String]) -> String {
        names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    }
}
