import Cardiac
import Pipeline
import Signals

extension ValidationReport {
    func writeRecords(to markup: inout Markup) {
        let order = validation.channels.indices.sorted { one, other in
            let f1 = [one, other].map { validation.channels[$0].comparisons.first?.f1 ?? 0 }
            return (f1[0], one) < (f1[1], other)
        }
        var table = table(validation.overview(by: .record, worstFirst: true), caption: "Scores by record")
        writeUnits(to: &markup)
        table.targets = order.map { stripID(ofChannel: $0) }
        table.write(to: &markup)
    }

    func writeGroups(to markup: inout Markup) {
        writeUnits(to: &markup)
        table(validation.overview(by: grouping, worstFirst: false), caption: "Scores by \(Words.of(grouping.name))")
            .write(to: &markup)
    }

    private func table(_ overview: Table, caption: String) -> HTMLTable {
        HTMLTable(
            caption: caption,
            columns: overview.columns.enumerated().map { place, column in
                place == 0 ? .name(column.name) : column.unit == .unknown ? .text(column.name) : .number(column.name)
            },
            rows: overview.rows.map { row in row.enumerated().map { Self.text($1, overview.columns[$0]) } })
    }

    private func writeUnits(to markup: inout Markup) {
        let tolerance = NumberText.significant((validation.tolerances.first ?? 0) * 1_000)
        markup.element(
            "p",
            text:
                "TP, FP, FN, Se, PPV and jitter (median, 95 %) at ±\(tolerance) ms. Se, PPV and F1 in %, jitter and lag in "
                + "ms; samples: median jitter in samples; F1@ is followed by its tolerance in ms.")
    }

    private static func text(_ cell: Cell, _ column: Column) -> String {
        switch cell {
        case .integer(let value): NumberText.count(value)
        case .number(let value), .onset(let value):
            NumberText.fixed(value, column.unit == .milliseconds ? 1 : 2)
        case .text(let text): text
        case .missing: NumberText.missing
        }
    }

    func writeScoring(to markup: inout Markup) {
        markup.element(
            "p",
            text: "Detected and reference beats are paired one to one in order of time, as many as possible within the "
                + "tolerance and as near as possible; a pair counts by the time of its reference beat. Gross figures add up "
                + "the counts of all records; averages weigh each record the same. Jitter is the distance of detected minus "
                + "reference time from its median.")
        markup.element("ul") { list in
            for remark in validation.remarks { list.element("li", text: remark) }
            if let hash = try? validation.parameters.hash() {
                list.element("li", text: "\(software); SHA-256 of all parameters: \(hash)")
            }
        }
    }

    func writeUnscored(to markup: inout Markup) {
        HTMLTable(
            caption: "Recordings without a score", columns: [.name("record"), .text("kind"), .long("reason")],
            rows: validation.unscored.map { [$0.one.record, $0.kind, $0.one.reason] }
        ).write(to: &markup)
    }
}

extension BeatValidation {
    /// All recordings without a score.
    var unscored: [(kind: String, one: Unscored)] {
        failures.map { ("failed", $0) } + excluded.map { ("left out", $0) } + passedOver.map { ("no beats", $0) }
    }
}
