import Signals

extension RecordingReport {
    /// Duration, quality and the first indices, each with its unit.
    func writeSummary(to markup: inout Markup) {
        for one in series {
            let verdict = Verdict(one)
            markup.element("p", [("class", "verdict \(verdict.grade.rawValue)")]) { line in
                line.element("strong", text: "\(one.name): \(verdict.heading).")
                line.text(verdict.text)
            }
        }
        if series.isEmpty, belts.isEmpty, !hasOtherResults {
            markup.element("p", [("class", "verdict poor")]) { line in
                line.element("strong", text: "No beats.")
                line.text("No heart beats were analysed in this recording; see “Not computed, and why”.")
            }
        }
        writeCards(recordingCards, to: &markup)
        for one in series {
            if series.count > 1 { markup.element("h3", text: one.name) }
            writeCards(cards(one), to: &markup)
        }
        for note in notes { markup.element("p", text: "Note: \(note)") }
    }

    /// One value to be read at a glance.
    private struct Card {
        var label: String
        var value: String
        var unit = ""
        var why: String?
        var definition: String?
    }

    private var recordingCards: [Card] {
        let gaps = streams.flatMap(\.gaps)
        var cards = [
            Card(label: "Duration", value: duration.map(NumberText.length) ?? NumberText.missing),
            Card(label: "Streams", value: NumberText.count(streams.count)),
        ]
        if !streams.isEmpty {
            let missing = gaps.reduce(0) { $0 + ($1.duration.isFinite ? $1.duration : 0) }
            cards.append(
                Card(
                    label: gaps.isEmpty ? "Gaps" : "Gaps (\(NumberText.count(gaps.count))), all streams together",
                    value: gaps.isEmpty ? "none" : NumberText.length(missing),
                    definition: "Missing time, added up over all streams"))
        }
        for lane in quality {
            let value = lane.windows.isEmpty ? NumberText.missing : NumberText.percent(lane.usableShare)
            cards.append(
                Card(
                    label: "\(lane.stream): usable signal", value: value,
                    definition: "Share of the time in windows with quality of at least \(LaneFigure.usable)"))
        }
        return cards
    }

    private func cards(_ one: BeatSeries) -> [Card] {
        let changed = one.intervals.count { $0.status != .kept }
        let share = one.intervals.isEmpty ? nil : Double(changed) / Double(one.intervals.count)
        let count =
            one.beatCount.map { Card(label: "Beats", value: NumberText.count($0)) }
            ?? Card(label: "Intervals", value: NumberText.count(one.intervals.count))
        var cards = [
            count,
            Card(label: "Coverage", value: NumberText.percent(one.coverage)),
            Card(label: "Corrected or removed", value: NumberText.percent(share)),
        ]
        for name in Headline.names {
            guard let index = one.indices.first(where: { $0.column.name == name }) else { continue }
            cards.append(
                Card(
                    label: Headline.label(of: name),
                    value: index.value.map { NumberText.significant($0, 3) } ?? NumberText.missing,
                    unit: index.value == nil ? "" : Headline.symbol(index.column.unit), why: index.reason,
                    definition: index.column.definition.withRaisedPowers))
        }
        return cards
    }

    private func writeCards(_ cards: [Card], to markup: inout Markup) {
        markup.element("dl", [("class", "cards")]) { list in
            for card in cards {
                list.element("div", card.definition.map { [("title", $0)] } ?? []) { item in
                    item.element("dt", text: card.label)
                    item.element("dd") { value in
                        value.text(card.value)
                        if !card.unit.isEmpty {
                            value.text(" ")
                            value.element("small", text: card.unit)
                        }
                        if let why = card.why { value.element("div", [("class", "why")], text: why) }
                    }
                }
            }
        }
        markup.newline()
    }
}
