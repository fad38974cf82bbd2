import GroupStatistics

extension GroupReport {
    /// One self-contained page: style and pictures are inside, nothing is fetched, and the same results give the same
    /// bytes. It is also well-formed XML.
    public func html() -> String {
        PageShell(title: title, software: software, writeHeader: writeHeader, sections: sections).html()
    }

    private var sections: [PageShell.Section] {
        var sections = [PageShell.Section(id: "summary", heading: "Summary", write: writeSummary)]
        for (place, contrast) in contrasts.enumerated() {
            sections.append(
                PageShell.Section(id: "contrast-\(place)", heading: contrast.title) { markup in
                    contrast.write(id: "contrast-\(place)", to: &markup)
                })
        }
        if !spreads.isEmpty {
            sections.append(PageShell.Section(id: "people", heading: "Person by person", write: writeSpreads))
        }
        sections.append(PageShell.Section(id: "missing", heading: "What is missing", write: writePresence))
        sections.append(
            PageShell.Section(id: "participants", heading: "Participants, worst signal first", write: writePeople))
        if !calibrations.isEmpty {
            sections.append(PageShell.Section(id: "calibrations", heading: "Calibrations", write: writeCalibrations))
        }
        sections.append(PageShell.Section(id: "failures", heading: "Failures", write: writeFailures))
        sections.append(PageShell.Section(id: "methods", heading: "Methods", write: writeMethods))
        return sections
    }

    private func writeHeader(to markup: inout Markup) {
        markup.element("header") { header in
            header.element("h1", text: title)
            header.element("nav", [("aria-label", "Sections")]) { nav in
                for section in sections {
                    nav.element("a", [("href", "#\(section.id)")], text: section.heading)
                    nav.text(" ")
                }
            }
        }
    }

    private func writeSummary(to markup: inout Markup) {
        let recordings = people.reduce(0) { $0 + $1.done }
        let failed = people.reduce(0) { $0 + $1.failed }
        let found = contrasts.reduce(0) { $0 + $1.rows.count { $0.q < 0.05 } }
        let tested = contrasts.reduce(0) { $0 + $1.rows.count }
        var cards = [
            ("participants", NumberText.count(people.count)), ("recordings with results", NumberText.count(recordings)),
            ("recordings that failed", NumberText.count(failed)),
            ("participants standing apart", NumberText.count(people.count { !$0.remarks.isEmpty })),
        ]
        if tested > 0 { cards.append(("differences with q < 0.05", "\(found) of \(NumberText.count(tested))")) }
        markup.element("dl", [("class", "cards")]) { list in
            for (name, value) in cards {
                list.element("div") { card in
                    card.element("dt", text: name)
                    card.element("dd", text: value)
                }
            }
        }
        if contrasts.isEmpty {
            markup.element(
                "p",
                text: "Nothing was compared: the cohort has one condition and no groups, or study.yaml names none.")
        }
    }

    private func writeSpreads(to markup: inout Markup) {
        markup.element("div", [("class", "figures")]) { figures in
            for (place, spread) in spreads.enumerated() {
                if spread.conditions.count > 1 {
                    SpaghettiFigure(spread, id: "spaghetti-\(place)").figure().write(to: &figures)
                }
                CaterpillarFigure(spread, id: "caterpillar-\(place)").figure().write(to: &figures)
            }
        }
    }

    private func writePresence(to markup: inout Markup) {
        guard !presence.recordings.isEmpty else {
            markup.element("p", text: "There are no recordings.")
            return
        }
        markup.element("div", [("class", "figures")]) {
            MissingnessFigure(presence, id: "missingness").figure().write(to: &$0)
        }
    }

    private func writeCalibrations(to markup: inout Markup) {
        markup.element("div", [("class", "figures")]) {
            LadderFigure(calibrations, id: "ladder").figure().write(to: &$0)
        }
    }

    private func writeMethods(to markup: inout Markup) {
        markup.element("div", [("class", "methods")]) { box in
            box.element("p", text: methods.paragraph)
            box.element("ol") { list in
                for reference in methods.references {
                    list.element(
                        "li", text: reference.text + (reference.doi.map { " https://doi.org/\($0)" } ?? ""))
                }
            }
        }
    }
}
