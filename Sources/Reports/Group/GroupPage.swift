import GroupStatistics
public import Signals

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
        if let conditions {
            sections.append(
                PageShell.Section(id: "conditions", heading: "Participants by condition", write: conditions.write))
        }
        if !spreads.isEmpty {
            sections.append(PageShell.Section(id: "people", heading: "Person by person", write: writeSpreads))
        }
        sections.append(PageShell.Section(id: "missing", heading: "What is missing", write: writePresence))
        sections.append(
            PageShell.Section(id: "participants", heading: "Participants, worst first", write: writePeople))
        if !calibrations.isEmpty {
            sections.append(PageShell.Section(id: "calibrations", heading: "Calibrations", write: writeCalibrations))
        }
        sections.append(PageShell.Section(id: "failures", heading: "Failures", write: writeFailures))
        sections.append(PageShell.Section(id: "methods", heading: "Methods", write: methods.write))
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
            ("participants standing apart", NumberText.count(people.count(where: \.isApart))),
        ]
        let unfinished = people.reduce(0) { $0 + $1.unfinished }
        if unfinished > 0 { cards.append(("recordings without results yet", NumberText.count(unfinished))) }
        if tested > 0 { cards.append(("differences with q < 0.05", "\(found) of \(NumberText.count(tested))")) }
        markup.element("dl", [("class", "cards")]) { list in
            for (name, value) in cards {
                list.element("div") { card in
                    card.element("dt", text: name)
                    card.element("dd", text: value)
                }
            }
        }
        if !notes.isEmpty {
            markup.element("ul", [("class", "notes")]) { list in
                for note in notes { list.element("li", text: note) }
            }
        }
        writeNotCompared(to: &markup)
    }

    private func writeNotCompared(to markup: inout Markup) {
        guard !notCompared.isEmpty else {
            if contrasts.isEmpty {
                markup.element(
                    "p",
                    text: "Nothing was compared: the cohort has one condition and no groups, or study.yaml names none.")
            }
            return
        }
        markup.element(
            "p",
            text: contrasts.isEmpty
                ? "Nothing was compared. This was tried:" : "This was tried as well and not compared:")
        markup.element("ul", [("class", "notes")]) { list in
            for reason in notCompared { list.element("li", text: reason) }
        }
    }

    /// The folder beside the page that holds the numbers behind the figures.
    public static let figureFolder = "figures"

    /// The numbers behind every figure, all rows, as tab-separated text, and what their columns are: the files of
    /// `figureFolder`.
    public func figureTables() -> [(name: String, text: String, columns: [Column])] {
        let forests = contrasts.indices.filter { !contrasts[$0].rows.isEmpty }.map {
            ForestFigure(contrasts[$0], id: "contrast-\($0)-forest").figure()
        }
        let figures = forests + spreadFigures + presenceFigures + ladderFigures
        return figures.compactMap(\.data).filter { $0.count > 0 }.map { ($0.fileName, $0.whole, $0.columns) }
    }

    private var spreadFigures: [Figure] {
        var drawn: Set<Index> = []
        return spreads.enumerated().flatMap { place, spread in
            let spaghetti =
                spread.conditions.count > 1 ? [SpaghettiFigure(spread, id: "spaghetti-\(place)").figure()] : []
            // People stand in much the same order whatever tells the conditions apart.
            guard drawn.insert(spread.index).inserted else { return spaghetti }
            return spaghetti + [CaterpillarFigure(spread, id: "caterpillar-\(place)").figure()]
        }
    }

    private var presenceFigures: [Figure] {
        presence.isEmpty ? [] : [MissingnessFigure(presence, id: "missingness").figure()]
    }

    private var ladderFigures: [Figure] {
        calibrations.isEmpty ? [] : [LadderFigure(calibrations, id: "ladder").figure()]
    }

    private static func write(_ figures: [Figure], to markup: inout Markup) {
        markup.element("div", [("class", "figures")]) { box in
            for var figure in figures {
                if let data = figure.data { figure.data?.address = "\(Self.figureFolder)/\(data.fileName)" }
                figure.write(to: &box)
            }
        }
    }

    private func writeSpreads(to markup: inout Markup) { Self.write(spreadFigures, to: &markup) }

    private func writePresence(to markup: inout Markup) {
        guard !presence.isEmpty else {
            markup.element("p", text: "There are no recordings.")
            return
        }
        Self.write(presenceFigures, to: &markup)
    }

    private func writeCalibrations(to markup: inout Markup) { Self.write(ladderFigures, to: &markup) }
}

extension Methods {
    /// The paragraph of a page about several recordings, and what it cites.
    func write(to markup: inout Markup) {
        markup.element("div", [("class", "methods")]) { box in
            box.element("p", text: paragraph)
            guard !references.isEmpty else { return }
            box.element("ol") { list in
                for reference in references {
                    list.element(
                        "li", text: reference.text + (reference.doi.map { " https://doi.org/\($0)" } ?? ""))
                }
            }
        }
    }
}
