import Signals

extension RecordingReport {
    /// Every index with its unit and definition.
    func writeIndices(to markup: inout Markup) {
        if series.allSatisfy({ $0.indices.isEmpty }) { markup.element("p", text: "No index was computed.") }
        for one in series where !one.indices.isEmpty {
            markup.element("details", [("class", "print")]) { details in
                details.element("summary", text: "\(one.name): \(Words.count(one.indices.count, "index", "indices"))")
                HTMLTable(
                    caption: "Indices of \(one.name), coverage \(NumberText.percent(one.coverage))",
                    columns: [.name("Index"), .number("Value"), .text("Unit"), .long("Definition")],
                    rows: one.indices.map(Self.row), isStacked: true
                ).write(to: &details)
            }
        }
    }

    private static func row(_ index: IndexValue) -> [String] {
        var definition = index.column.definition.withRaisedPowers
        if let reference = index.column.reference { definition += " [\(reference)]" }
        if index.value == nil { definition += " Not computed: \(index.reason ?? index.column.leastData ?? "no data")." }
        let unit = Headline.symbol(index.column.unit)
        return [
            index.column.name, index.value.map { NumberText.significant($0, 5) } ?? NumberText.missing,
            unit.isEmpty ? "–" : unit, definition,
        ]
    }

    /// Whether something else than heart beats was analysed.
    var hasOtherResults: Bool { !brains.isEmpty || !skin.isEmpty || !motion.isEmpty || !electrochemistry.isEmpty }

    /// What was left out, indices without a value included.
    func writeNotComputed(to markup: inout Markup) {
        let listed = Set(notComputed.map(\.what))
        var rows = notComputed.map { [$0.what, $0.why] }
        let everything = "heart rate and its variability"
        if series.isEmpty, rows.isEmpty, !hasOtherResults { rows.append([everything, "no heart beats were analysed"]) }
        for one in series {
            if one.intervals.isEmpty {
                rows.append(["\(one.name): \(everything)", "no intervals: \(one.absence)"])
            }
            let missing = one.indices.filter { $0.value == nil && !listed.contains($0.column.name) }.map { index in
                (name: index.column.name, reason: index.reason ?? index.column.leastData.map { "it needs \($0)" })
            }
            rows += NotComputed.grouped(missing, of: "\(one.name), whole recording").map { [$0.what, $0.why] }
        }
        guard !rows.isEmpty else {
            markup.element("p", text: "Nothing that was asked for was left out.")
            return
        }
        HTMLTable(caption: "What was left out", columns: [.name("What"), .long("Why")], rows: rows, isStacked: true)
            .write(to: &markup)
    }

    /// Counts by class, and the rows themselves.
    func writeCorrections(to markup: inout Markup) {
        if !series.isEmpty, series.allSatisfy(\.leavesOutIntervals) {
            markup.element("p", text: "Intervals were not computed, so that none was corrected.")
        } else if series.allSatisfy({ $0.corrections.isEmpty }) {
            markup.element("p", text: "No interval was corrected or removed.")
        }
        for (place, one) in series.enumerated() where !one.corrections.isEmpty {
            HTMLTable(
                caption: "\(one.name): changes by class",
                columns: [.name("Class"), .number("Changed"), .number("Removed"), .number("Share")],
                rows: Self.counts(one)
            ).write(to: &markup)
            writeCorrectionRows(one, place, to: &markup)
        }
    }

    private static func counts(_ one: BeatSeries) -> [[String]] {
        let kinds = Set(one.corrections.map(\.kind)).sorted()
        let total = Double(max(1, one.intervals.count))
        return kinds.map { kind in
            let rows = one.corrections.filter { $0.kind == kind }
            let removed = rows.count { $0.new == nil }
            return [
                Words.of(kind), NumberText.count(rows.count - removed), NumberText.count(removed),
                NumberText.percent(Double(rows.count) / total),
            ]
        }
    }

    private func writeCorrectionRows(_ one: BeatSeries, _ place: Int, to markup: inout Markup) {
        let most = 200
        func length(_ seconds: Seconds?) -> String {
            seconds.map { NumberText.fixed($0 * 1_000, 1) } ?? "–"
        }
        markup.element("details") { details in
            details.element("summary", text: "\(one.name): \(Words.count(one.corrections.count, "row"))")
            let shown = one.corrections.prefix(most)
            HTMLTable(
                caption: shown.count < one.corrections.count
                    ? "The first \(most) of \(NumberText.count(one.corrections.count)) changes"
                    : "Every change",
                columns: [
                    .number("Time"), .number("Interval"), .text("Class"), .number("Old (ms)"), .number("New (ms)"),
                    .long("Reason"),
                ],
                rows: shown.map {
                    [
                        NumberText.clock($0.onset, decimals: 1), String($0.index), Words.of($0.kind), length($0.old),
                        length($0.new), Words.of($0.reason),
                    ]
                }
            ).write(to: &details)
        }
        markup.element("p") { line in
            FigureData(
                fileName: "s\(place)-corrections.tsv", header: ["onset", "index", "class", "old", "new", "reason"],
                count: one.corrections.count, limit: 300_000
            ) {
                let row = one.corrections[$0]
                return [
                    NumberText.fixed(row.onset, 4), String(row.index), row.kind,
                    row.old.map { NumberText.fixed($0, 4) } ?? NumberText.missing,
                    row.new.map { NumberText.fixed($0, 4) } ?? NumberText.missing, row.reason,
                ]
            }.write(to: &line)
        }
    }

    /// The streams and what is missing from them.
    func writeStreams(to markup: inout Markup) {
        guard !streams.isEmpty else {
            markup.element("p", text: "The recording holds no streams.")
            return
        }
        HTMLTable(
            caption: "Streams in the file",
            columns: [
                .name("Stream"), .text("Kind"), .text("Channels"), .number("Rate (Hz)"), .number("Gaps"),
                .number("Missing"), .number("Coverage"),
            ],
            rows: streams.map(Self.row), isStacked: true, isHeaded: true
        ).write(to: &markup)
        let gaps = streams.flatMap { stream in stream.gaps.map { (stream.header.name, $0) } }
        guard !gaps.isEmpty else { return }
        let most = 200
        markup.element("details") { details in
            details.element("summary", text: Words.count(gaps.count, "gap"))
            HTMLTable(
                caption: gaps.count > most ? "The first \(most) of \(NumberText.count(gaps.count)) gaps" : "Every gap",
                columns: [.name("Stream"), .number("From"), .number("Lasts"), .long("Reason")],
                rows: gaps.prefix(most).map { name, gap in
                    [
                        name, NumberText.clock(gap.onset, decimals: 1), NumberText.length(gap.duration),
                        Words.of(gap.reason.rawValue),
                    ]
                }
            ).write(to: &details)
        }
    }

    private static func row(_ stream: StreamSummary) -> [String] {
        let header = stream.header
        let channels = header.channels.map { channel in
            let unit = Headline.symbol(channel.unit)
            return channel.label + (unit.isEmpty ? "" : " (\(unit))")
        }
        let missing = stream.gaps.reduce(0) { $0 + ($1.duration.isFinite ? $1.duration : 0) }
        return [
            header.name, Words.of(header.kind.rawValue), channels.joined(separator: ", "),
            header.sampleRate > 0 ? NumberText.significant(header.sampleRate, 6) : "irregular",
            NumberText.count(stream.gaps.count), stream.gaps.isEmpty ? "–" : NumberText.length(missing),
            NumberText.percent(stream.coverage),
        ]
    }

    /// The paragraph, and what it cites.
    func writeMethods(to markup: inout Markup) {
        markup.element("div", [("class", "methods")]) { methods in
            let none = "No methods text was given."
            methods.element("p", text: self.methods.paragraph.isEmpty ? none : self.methods.paragraph)
            guard !self.methods.references.isEmpty else { return }
            methods.element("h3", text: "References")
            methods.element("ol") { list in
                for reference in self.methods.references {
                    list.element("li") { item in
                        item.text(reference.text)
                        guard let doi = reference.doi else { return }
                        item.text(" ")
                        item.element(
                            "a", [("href", "https://doi.org/\(doi)"), ("rel", "noreferrer")], text: "doi:\(doi)")
                    }
                }
            }
        }
    }

    /// File, hash, software and what else was given.
    func writeProvenance(to markup: inout Markup) {
        let fixed = [
            ["file", source.fileName], ["format", source.format], ["SHA-256", source.sha256 ?? "not hashed"],
            ["software", software],
        ]
        let given = Set(provenance.map(\.key))
        let short = provenance.filter { !$0.value.contains(where: \.isNewline) }
        HTMLTable(
            caption: "What it takes to compute this again", columns: [.name("Key"), .long("Value")],
            rows: fixed.filter { !given.contains($0[0]) } + short.map { [$0.key, $0.value] },
            isStacked: true
        ).write(to: &markup)
        for entry in provenance where entry.value.contains(where: \.isNewline) {
            markup.element("details") { details in
                details.element("summary", text: entry.key)
                details.element("pre", text: entry.value)
            }
        }
    }
}
