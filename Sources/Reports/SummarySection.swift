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
        SummaryCard.write(recordingCards, to: &markup)
        for one in series {
            if series.count > 1 { markup.element("h3", text: one.name) }
            SummaryCard.write(cards(one), to: &markup)
        }
        var others = belts.flatMap { SummaryCard.of($0) }
        others += skin.flatMap { SummaryCard.of($0) }
        others += brains.flatMap { SummaryCard.of($0) }
        others += motion.flatMap { SummaryCard.of($0) }
        if !others.isEmpty {
            if series.count > 1 { markup.element("h3", text: "Other signals") }
            SummaryCard.write(others, to: &markup)
        }
        for note in notes { markup.element("p", text: "Note: \(note)") }
    }

    private var recordingCards: [SummaryCard] {
        let gaps = streams.flatMap(\.gaps)
        var cards = [
            SummaryCard("Duration", duration.map(NumberText.length) ?? NumberText.missing),
            SummaryCard("Streams", NumberText.count(streams.count)),
        ]
        if !streams.isEmpty {
            let missing = gaps.reduce(0) { $0 + ($1.duration.isFinite ? $1.duration : 0) }
            cards.append(
                SummaryCard(
                    gaps.isEmpty ? "Gaps" : "Gaps (\(NumberText.count(gaps.count))), all streams together",
                    gaps.isEmpty ? "none" : NumberText.length(missing),
                    definition: "Missing time, added up over all streams"))
        }
        for lane in quality {
            let value = lane.windows.isEmpty ? NumberText.missing : NumberText.percent(lane.usableShare)
            cards.append(
                SummaryCard(
                    "\(lane.stream): usable signal", value,
                    definition: "Share of the time in windows with quality of at least \(LaneFigure.usable)"))
        }
        return cards
    }

    private func cards(_ one: BeatSeries) -> [SummaryCard] {
        let changed = one.intervals.count { $0.status != .kept }
        let share = one.intervals.isEmpty ? nil : Double(changed) / Double(one.intervals.count)
        let count =
            one.beatCount.map { SummaryCard("Beats", NumberText.count($0)) }
            ?? SummaryCard("Intervals", NumberText.count(one.intervals.count))
        var cards = [
            count,
            SummaryCard("Coverage", NumberText.percent(one.coverage)),
            SummaryCard("Corrected or removed", NumberText.percent(share)),
        ]
        for name in Headline.names {
            guard let index = one.indices.first(where: { $0.column.name == name }) else { continue }
            cards.append(SummaryCard(one.windows?.median(of: index) ?? index))
        }
        return cards
    }
}
