import GroupStatistics

extension GroupReport {
    func writePeople(to markup: inout Markup) {
        let hasUnfinished = people.contains { $0.unfinished > 0 }
        let order = people.sorted { Self.place(of: $0) < Self.place(of: $1) }
        HTMLTable.write(caption: Self.order, label: "Participants", to: &markup) { table in
            table.element("thead") { head in
                head.element("tr") { row in
                    for (name, style) in headings(hasUnfinished: hasUnfinished) {
                        row.element("th", [("scope", "col"), ("class", style)], text: name)
                    }
                }
            }
            table.element("tbody") { body in
                for person in order { person.write(hasUnfinished: hasUnfinished, to: &body) }
            }
        }
    }

    /// Those that stand apart first, then by quality.
    private static func place(of person: Person) -> (Int, Double, Double, Double, String) {
        (
            person.isApart ? 0 : 1, person.isApart ? person.z ?? 0 : 0, person.quality ?? -1, person.coverage ?? -1,
            person.label
        )
    }

    private static let order =
        "Quality and coverage are means over recordings, of each the mean of its signals. Participants with a recording that stands apart come "
        + "first, the farthest from the others on top, then those without a known quality, then the lowest mean quality."

    private func headings(hasUnfinished: Bool) -> [(String, String)] {
        var headings = [("participant", "name"), ("recordings", "n"), ("failed", "n")]
        if hasUnfinished { headings.append(("no results yet", "n")) }
        return headings + [("quality", "n"), ("coverage", "n"), ("remarks", "long")]
    }

    func writeFailures(to markup: inout Markup) {
        guard !failures.isEmpty else {
            markup.element("p", text: "No recording failed.")
            return
        }
        HTMLTable.failures(failures).write(to: &markup)
    }
}

extension GroupReport.Person {
    fileprivate func write(hasUnfinished: Bool, to body: inout Markup) {
        body.element("tr") { row in
            row.element("th", [("scope", "row"), ("class", "name")]) { name in
                if let page {
                    name.element("a", [("href", page)], text: label)
                    return
                }
                name.text(label)
                for (place, report) in reports.enumerated() {
                    name.text(" ")
                    name.element("a", [("href", report)], text: reports.count > 1 ? "report \(place + 1)" : "report")
                }
            }
            row.element("td", [("class", "n")], text: NumberText.count(done))
            row.element("td", [("class", "n")], text: NumberText.count(failed))
            if hasUnfinished { row.element("td", [("class", "n")], text: NumberText.count(unfinished)) }
            row.element("td", [("class", "n")], text: quality.map { NumberText.fixed($0, 2) } ?? NumberText.missing)
            row.element("td", [("class", "n")], text: NumberText.percent(coverage))
            row.element("td", [("class", "long")], text: remarks.joined(separator: "; "))
        }
    }
}

extension GroupReport.ConditionCounts {
    /// A row per index: how many participants have each condition, and why the others have not.
    func write(to markup: inout Markup) {
        let caption =
            "Participants with a value under each condition, of \(participants). All indexes are in "
            + "condition_participants.tsv, the values in condition_means.tsv."
        HTMLTable.write(caption: caption, label: "Participants by condition", to: &markup) { table in
            table.element("thead") { head in
                head.element("tr") { row in
                    row.element("th", [("scope", "col"), ("class", "name")], text: "index")
                    for condition in conditions {
                        row.element("th", [("scope", "col"), ("class", "n")], text: condition)
                    }
                    row.element("th", [("scope", "col"), ("class", "long")], text: "without a value")
                }
            }
            table.element("tbody") { body in
                for own in rows {
                    body.element("tr") { row in
                        row.element("th", [("scope", "row"), ("class", "name")], text: own.index.label)
                        for count in own.counts { row.element("td", [("class", "n")], text: NumberText.count(count)) }
                        row.element("td", [("class", "long")], text: own.missing)
                    }
                }
            }
        }
    }
}

extension GroupReport.Contrast {
    /// Effect sizes as a picture, and the differences behind them as a table.
    func write(id: String, to markup: inout Markup) {
        guard let first = rows.first?.comparison else {
            markup.element("p", text: "No index has values from enough people.")
            return
        }
        let people = first.design == .paired ? "the same people in both" : "different people"
        let wanted = GroupReport.Index.headline(rows.map(\.index))
        let headline = wanted.compactMap { index in rows.first { $0.index == index } }
        if !headline.isEmpty {
            Self.table("What is looked for first (\(people))", headline).write(to: &markup)
        }
        markup.element("div", [("class", "figures")]) {
            var forest = ForestFigure(self, id: "\(id)-forest").figure()
            forest.data?.address = "\(GroupReport.figureFolder)/\(id)-forest.tsv"
            forest.write(to: &$0)
        }
        markup.element("p", text: tests)
        let ordered = rows.sorted { ($0.q, $0.comparison.p) < ($1.q, $1.comparison.p) }
        let shown = Array(ordered.prefix(Self.tableLimit))
        let more = ordered.count > shown.count ? "; the \(shown.count) smallest q of \(ordered.count)" : ""
        Self.table("Differences (\(people))\(more)", shown).write(to: &markup)
    }

    /// Over which tests q was computed, and how to ask for fewer.
    private var tests: String {
        // Channels and pairs of them are signals of one.
        let signals = Dictionary(grouping: rows) { row in String(row.index.signal.prefix { $0 != ":" }) }
        let counts = signals.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value.count)" }.joined(separator: ", ")
        return "q controls the false discovery rate over all tests of this comparison: \(NumberText.count(rows.count)) "
            + "(\(counts)). The more indexes, channels and pairs are computed, the larger it is; fewer are asked for in study.yaml "
            + "before looking, such as outputs: [hrv], hrv: { domains: [time] }, "
            + "eeg: { features: { indexes: [alphaPower], connectivityWindow: null } }."
    }

    private static func table(_ caption: String, _ rows: [Row]) -> HTMLTable {
        HTMLTable(
            caption: caption,
            columns: [
                .name("index"), .number("n"), .number("difference"), .number("95 % interval"), .number("p"),
                .number("q"), .number("p by ranks"), .number("Hedges' g"), .number("95 % interval"),
            ], rows: rows.map(cells))
    }

    private static let tableLimit = 30

    private static func cells(_ row: Row) -> [String] {
        let found = row.comparison
        let n =
            found.design == .paired ? "\(found.firstCount)" : "\(found.firstCount) + \(found.secondCount)"
        let text = NumberText.alike([found.difference, found.low, found.high], 3)
        return [
            row.index.label, n, text(found.difference), NumberText.range(found.low, found.high, text),
            probability(found.p), probability(row.q), probability(found.rankP), NumberText.fixed(found.hedgesG, 2),
            NumberText.range(found.gLow, found.gHigh) { NumberText.fixed($0, 2) },
        ]
    }

    /// A probability as papers print it.
    static func probability(_ p: Double) -> String {
        guard p.isFinite else { return NumberText.missing }
        return p < 0.001 ? "< 0.001" : NumberText.fixed(p, 3)
    }
}
