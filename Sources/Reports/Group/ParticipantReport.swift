/// A page about one participant: all their recordings, and where they stand among the others.
public struct ParticipantReport: Sendable {
    /// What the page is called.
    public var title: String
    /// The program and its version.
    public var software: String
    /// The page about the group, relative to this one.
    public var groupPage: String
    /// The recordings that have results, in order of their labels.
    public var recordings: [Recording]
    /// Where they stand in the indices a reader looks for first.
    public var standings: [Standing]
    /// Recordings that failed.
    public var failures: [GroupReport.Failure]
    /// Recordings that have no results yet, each with where it stands.
    public var unfinished: [String]
    /// The paragraph for the paper.
    public var methods: Methods

    /// A page without content, to be filled.
    public init(title: String, software: String, groupPage: String) {
        (self.title, self.software, self.groupPage) = (title, software, groupPage)
        (recordings, standings, failures, unfinished) = ([], [], [], [])
        methods = Methods()
    }

    /// One recording.
    public struct Recording: Hashable, Sendable {
        /// Its name.
        public var label: String
        /// Mean quality and coverage of its signals, 0…1; nil where unknown.
        public var quality: Double?, coverage: Double?
        /// Why it stands apart from the others; empty where it does not.
        public var remark: String
        /// Its own page, relative to this one; nil where it has none.
        public var report: String?

        /// A recording.
        public init(label: String, quality: Double?, coverage: Double?, remark: String, report: String?) {
            (self.label, self.quality, self.coverage) = (label, quality, coverage)
            (self.remark, self.report) = (remark, report)
        }
    }

    /// One index of this participant among all recordings of the group.
    public struct Standing: Sendable {
        /// What was measured.
        public var index: GroupReport.Index
        /// The participant's recordings with a value, and the share of the group's recordings below it, 0…1.
        public var values: [(recording: String, value: Double, share: Double)]
        /// Lower quartile, median and upper quartile over the group's recordings.
        public var quartiles: [Double]

        /// One index.
        public init(
            index: GroupReport.Index, values: [(recording: String, value: Double, share: Double)], quartiles: [Double]
        ) {
            (self.index, self.values, self.quartiles) = (index, values, quartiles)
        }
    }

    /// One self-contained page, the same bytes for the same results; well-formed XML as well.
    public func html() -> String {
        PageShell(title: title, software: software, writeHeader: writeHeader, sections: sections).html()
    }

    private var sections: [PageShell.Section] {
        var sections = [PageShell.Section(id: "summary", heading: "Summary", write: writeSummary)]
        if !standings.isEmpty {
            sections.append(PageShell.Section(id: "standing", heading: "Within the group", write: writeStandings))
        }
        sections.append(PageShell.Section(id: "recordings", heading: "Recordings", write: writeRecordings))
        sections.append(PageShell.Section(id: "failures", heading: "Failures", write: writeFailures))
        sections.append(PageShell.Section(id: "methods", heading: "Methods", write: methods.write))
        return sections
    }

    private func writeHeader(to markup: inout Markup) {
        markup.element("header") { header in
            header.element("h1", text: title)
            header.element("nav", [("aria-label", "Sections")]) { nav in
                nav.element("a", [("href", groupPage)], text: "The group")
                for section in sections {
                    nav.text(" ")
                    nav.element("a", [("href", "#\(section.id)")], text: section.heading)
                }
            }
        }
    }

    private func writeSummary(to markup: inout Markup) {
        func mean(_ values: [Double?]) -> Double? {
            let values = values.compactMap { $0 }
            return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
        }
        let quality = mean(recordings.map(\.quality))
        var cards = [
            ("recordings with results", NumberText.count(recordings.count)),
            ("recordings that failed", NumberText.count(failures.count)),
            ("mean quality", quality.map { NumberText.fixed($0, 2) } ?? NumberText.missing),
            ("mean coverage", NumberText.percent(mean(recordings.map(\.coverage)))),
        ]
        if !unfinished.isEmpty { cards.append(("recordings without results yet", NumberText.count(unfinished.count))) }
        markup.element("dl", [("class", "cards")]) { list in
            for (name, value) in cards {
                list.element("div") { card in
                    card.element("dt", text: name)
                    card.element("dd", text: value)
                }
            }
        }
    }

    private func writeStandings(to markup: inout Markup) {
        markup.element("div", [("class", "figures")]) {
            StandingFigure(standings, id: "standing-figure").figure().write(to: &$0)
        }
        HTMLTable(
            caption: "The participant's mean over recordings beside the group's recordings",
            columns: [.name("index"), .number("mean"), .number("group's median"), .number("group's quartiles")],
            rows: standings.map(Self.cells)
        ).write(to: &markup)
    }

    private static func cells(_ standing: Standing) -> [String] {
        let mean = standing.values.reduce(0) { $0 + $1.value } / Double(max(1, standing.values.count))
        func value(_ place: Int) -> Double {
            place < standing.quartiles.count ? standing.quartiles[place] : .nan
        }
        let text = NumberText.alike([mean] + (0..<3).map(value))
        return [
            standing.index.label, text(mean), text(value(1)), NumberText.range(value(0), value(2), text),
        ]
    }

    private func writeRecordings(to markup: inout Markup) {
        guard !recordings.isEmpty else {
            markup.element("p", text: "No recording has results.")
            return
        }
        var table = HTMLTable(
            caption: "Quality and coverage, the mean of the signals of each recording",
            columns: [.name("recording"), .number("quality"), .number("coverage"), .long("remarks")],
            rows: recordings.map {
                [
                    $0.label, $0.quality.map { NumberText.fixed($0, 2) } ?? NumberText.missing,
                    NumberText.percent($0.coverage), $0.remark,
                ]
            })
        table.addresses = recordings.map(\.report)
        table.write(to: &markup)
    }

    private func writeFailures(to markup: inout Markup) {
        if failures.isEmpty {
            markup.element("p", text: "No recording failed.")
        } else {
            HTMLTable.failures(failures).write(to: &markup)
        }
        if !unfinished.isEmpty {
            markup.element("p", text: "Without results yet: \(unfinished.joined(separator: ", ")).")
        }
    }
}
