import Cardiac
import Pipeline
import Signals

extension ValidationReport {
    /// One self-contained page: style and pictures are inside, nothing is fetched, and the same validation gives the
    /// same bytes. It is also well-formed XML.
    public func html() -> String {
        PageShell(
            title: heading, software: software, writeHeader: writeHeader, sections: sections
        ).html()
    }

    private var heading: String { "Accuracy of beats: \(title)" }

    private var sections: [PageShell.Section] {
        var sections = [PageShell.Section(id: "summary", heading: "Summary", write: writeSummary)]
        if grouping != .record {
            sections.append(
                PageShell.Section(id: "groups", heading: "By \(Words.of(grouping.name))", write: writeGroups))
        }
        sections.append(PageShell.Section(id: "records", heading: "Records, worst first", write: writeRecords))
        if !strips.isEmpty {
            sections.append(PageShell.Section(id: "strips", heading: "Worst strips", write: writeStrips))
        }
        sections.append(PageShell.Section(id: "scoring", heading: "How it was scored", write: writeScoring))
        if !validation.unscored.isEmpty {
            sections.append(PageShell.Section(id: "unscored", heading: "Not scored, and why", write: writeUnscored))
        }
        return sections
    }

    private func writeHeader(to markup: inout Markup) {
        markup.element("header") { header in
            header.element("h1", text: heading)
            header.element("p", text: "Convention \(validation.convention.name): \(validation.convention.explanation)")
            header.element("nav", [("aria-label", "Sections")]) { nav in
                for section in sections {
                    nav.element("a", [("href", "#\(section.id)")], text: section.heading)
                    nav.text(" ")
                }
            }
        }
    }

    private func writeSummary(to markup: inout Markup) {
        let gross = validation.gross
        markup.element("dl", [("class", "cards")]) { cards in
            for (name, value) in cardValues(gross) {
                cards.element("div") { card in
                    card.element("dt", text: name)
                    card.element("dd", text: value)
                }
            }
        }
        markup.element("div", [("class", "figures")]) { figures in
            ValidationErrorsFigure(validation, id: "errors").figure().write(to: &figures)
            JitterFigure(validation.channels, id: "jitter").figure().write(to: &figures)
        }
    }

    private func cardValues(_ gross: ValidationScore) -> [(String, String)] {
        guard let widest = gross.comparisons.first else { return [] }
        func percent(_ share: Double?) -> String { share.map { NumberText.fixed($0 * 100, 2) + " %" } ?? "n/a" }
        var cards = [
            ("records scored", NumberText.count(Set(validation.channels.map(\.url)).count)),
            ("reference beats that count", NumberText.count(widest.truePositives + widest.falseNegatives)),
            ("missed", NumberText.count(widest.falseNegatives)), ("extra", NumberText.count(widest.falsePositives)),
            ("sensitivity, gross", percent(widest.sensitivity)),
            ("positive predictive value, gross", percent(widest.positivePredictiveValue)),
        ]
        for comparison in gross.comparisons {
            cards.append(("F1 at ±\(NumberText.significant(comparison.tolerance * 1_000)) ms", percent(comparison.f1)))
        }
        if let jitter = gross.jitter(0) {
            cards.append(("median jitter", "\(NumberText.fixed(jitter.median * 1_000, 1)) ms"))
            cards.append(("95 % of jitter below", "\(NumberText.fixed(jitter.percentile95 * 1_000, 1)) ms"))
        }
        return cards
    }

    private func writeStrips(to markup: inout Markup) {
        markup.element(
            "p",
            text: "Ten seconds around the most errors, records in the order of the table. ● reference beat, □ missed; "
                + "▲ detected beat, ✕ extra. Hatched: not counted.")
        markup.element("div", [("class", "figures")]) { figures in
            for (place, strip) in strips.enumerated() {
                ValidationStripFigure(
                    strip, of: validation.channels[strip.channel], tolerance: validation.tolerances.first ?? 0,
                    id: "strip-\(place)"
                ).figure().write(to: &figures)
            }
        }
    }
}
