import Signals

extension RecordingReport {
    /// One self-contained page: style, script, pictures and their data are inside, nothing is fetched, and the same
    /// report gives the same bytes. It is also well-formed XML.
    public func html() -> String {
        PageShell(
            title: title, software: software, script: PageScript.source, writeHeader: writeHeader, sections: sections
        ).html()
    }

    private var sections: [PageShell.Section] {
        var sections = [PageShell.Section(id: "summary", heading: "Summary", write: writeSummary)]
        if let predictions {
            sections.append(
                PageShell.Section(id: "predictions", heading: "Predictions") {
                    predictions.write(to: &$0, duration: span, events: events)
                })
        }
        for (place, one) in series.enumerated() {
            sections.append(
                PageShell.Section(id: "series-\(place)", heading: one.name) { writeFigures(place, to: &$0) })
        }
        if !belts.isEmpty {
            sections.append(PageShell.Section(id: "respiration", heading: "Respiration", write: writeBelts))
        }
        if !skin.isEmpty {
            sections.append(PageShell.Section(id: "skin", heading: "Skin conductance", write: writeSkin))
        }
        if !brains.isEmpty {
            sections.append(PageShell.Section(id: "eeg", heading: "EEG", write: writeBrains))
        }
        if !motion.isEmpty {
            sections.append(PageShell.Section(id: "motion", heading: "Motion and temperature", write: writeMotion))
        }
        if !electrochemistry.isEmpty {
            sections.append(
                PageShell.Section(id: "electrochemistry", heading: "Electrochemistry", write: writeElectrochemistry))
        }
        sections += [
            PageShell.Section(id: "quality", heading: "Signal quality", write: writeQuality)
        ]
        // Other results than those of beats are told in sections of their own.
        if series.contains(where: { !$0.indices.isEmpty }) || !hasOtherResults {
            sections.append(PageShell.Section(id: "indices", heading: "All indices", write: writeIndices))
        }
        if !events.isEmpty { sections.append(PageShell.Section(id: "events", heading: "Events", write: events.write)) }
        sections.append(
            PageShell.Section(id: "not-computed", heading: "Not computed, and why", write: writeNotComputed))
        if !series.isEmpty || !hasOtherResults {
            sections.append(PageShell.Section(id: "corrections", heading: "Corrections audit", write: writeCorrections))
        }
        sections += [
            PageShell.Section(id: "recording", heading: "Recording", write: writeStreams),
            PageShell.Section(id: "methods", heading: "Methods", write: writeMethods),
            PageShell.Section(id: "provenance", heading: "Provenance", write: writeProvenance),
        ]
        return sections
    }

    /// The time that figures span.
    private var span: Seconds { duration ?? 0 }

    private func writeHeader(to markup: inout Markup) {
        markup.element("header") { header in
            header.element("h1", text: title)
            let labels = [("Subject", subject), ("session", session), ("task", task)]
                .compactMap { name, value in value.map { "\(name) \($0)" } }
            if !labels.isEmpty { header.element("p", text: labels.joined(separator: " · ")) }
            let began = start.map { "Began \(civil($0))" } ?? "Start time not known"
            let lasted = duration.map { "lasted \(NumberText.length($0))" } ?? "no times, so its length is not known"
            header.element("p", text: "\(began) · \(lasted)")
            header.element("p") { line in
                line.text("File ")
                line.element("code", text: source.fileName)
                line.text(" (\(source.format))")
            }
            header.element("nav", [("aria-label", "Sections")]) { nav in
                for section in sections {
                    nav.element("a", [("href", "#\(section.id)")], text: section.heading)
                    nav.text(" ")
                }
            }
        }
    }

    /// `2026-03-01 12:30:05 UTC`, or what the recorder's clock read where no time zone is known.
    private func civil(_ moment: Timestamp) -> String {
        guard moment.secondsSince1970.magnitude < 1e11 else { return "at a time that cannot be written" }
        let text = moment.description
        guard let separator = text.firstIndex(of: "T"), let point = text.lastIndex(of: ".") else { return text }
        return "\(text[..<separator]) \(text[text.index(after: separator)..<point]) "
            + (hasTimeZone ? "UTC" : "(recorder's clock)")
    }

    // MARK: Figures

    private func writeFigures(_ place: Int, to markup: inout Markup) {
        let one = series[place]
        let id = "s\(place)"
        if let coverage = one.coverage, let least = one.leastCoverage, coverage < least {
            markup.element(
                "p",
                text: "Intervals cover \(NumberText.percent(coverage)) of the recording; indices are computed from "
                    + "\(NumberText.percent(least)) on. The figures show what there is; nothing should be measured by them."
            )
        }
        if one.leavesOutIntervals { markup.element("p", text: "Intervals: \(one.absence).") }
        markup.element("div", [("class", "figures")]) { figures in
            if let strip = one.typicalStrip {
                StripFigure(strip, id: "\(id)-typical", heading: "a clean window").marked(events).write(to: &figures)
            }
            if !one.leavesOutIntervals {
                TachogramFigure(one, id: "\(id)-tachogram", duration: span).marked(events).write(to: &figures)
            }
            TrendFigure(one, id: "\(id)-trend", duration: span)?.marked(events).write(to: &figures)
            if let rate = one.pulseRate {
                TrendFigure(rate, id: "\(id)-pulse-rate", duration: span)?.marked(events).write(to: &figures)
            }
            RhythmFigure(one.rhythm, name: one.name, id: "\(id)-rhythm", duration: span)?.marked(events)
                .write(to: &figures)
            if let respiration = one.respiration {
                TrendFigure(respiration, id: "\(id)-respiration", duration: span)?.marked(events).write(to: &figures)
            }
            if one.intervals.contains(where: { $0.status != .removed }) {
                HistogramFigure(one, id: "\(id)-histogram").figure().write(to: &figures)
                PoincareFigure(one, id: "\(id)-poincare").figure().write(to: &figures)
            }
            for (number, spectrum) in one.spectra.enumerated() {
                SpectrumFigure(
                    name: one.name, coverage: one.coverage, spectrum: spectrum, id: "\(id)-spectrum-\(number)"
                )
                .figure().write(to: &figures)
            }
            if let overlay = one.overlay {
                OverlayFigure(name: one.name, coverage: one.coverage, overlay: overlay, id: "\(id)-overlay").figure()
                    .write(to: &figures)
            }
        }
    }

    private func writeBelts(to markup: inout Markup) {
        markup.element("div", [("class", "figures")]) { figures in
            for (place, belt) in belts.enumerated() {
                guard let figure = TrendFigure(belt, id: "belt-\(place)", duration: span) else {
                    figures.element("p", text: "\(belt.name): too short for a trend.")
                    continue
                }
                figure.marked(events).write(to: &figures)
            }
        }
    }

    private func writeSkin(to markup: inout Markup) {
        markup.element("div", [("class", "figures")]) { figures in
            for (place, one) in skin.enumerated() {
                guard let figure = SkinConductanceFigure(one, id: "skin-\(place)", duration: span) else {
                    figures.element("p", text: "\(one.name): too short for a picture.")
                    continue
                }
                figure.marked(events).write(to: &figures)
                TrendFigure(one, id: "skin-\(place)-trend", duration: span)?.marked(events).write(to: &figures)
            }
        }
    }

    private func writeBrains(to markup: inout Markup) {
        for brain in brains {
            if let reconstruction = brain.reconstruction {
                markup.element("p", text: "\(brain.name): \(reconstruction)")
            }
        }
        markup.element("div", [("class", "figures")]) { figures in
            for (place, one) in brains.enumerated() {
                let id = "eeg-\(place)"
                if let spectrogram = SpectrogramFigure(one, id: "\(id)-spectrogram", duration: span) {
                    spectrogram.marked(events).write(to: &figures)
                } else if let absence = one.absence {
                    figures.element("p", text: "\(one.name): no epoch was usable: \(absence).")
                }
                TrendFigure(one, id: "\(id)-trend", duration: span)?.marked(events).write(to: &figures)
                EEGSpectrumFigure(one, id: "\(id)-spectrum")?.figure().write(to: &figures)
                for (number, traces) in one.traces.enumerated() {
                    EEGTracesFigure(traces, of: one, id: "\(id)-traces-\(number)").marked(events).write(to: &figures)
                }
            }
        }
    }

    private func writeMotion(to markup: inout Markup) {
        markup.element("div", [("class", "figures")]) { figures in
            for (place, one) in motion.enumerated() {
                guard let figure = TrendFigure(one, id: "motion-\(place)", duration: span) else {
                    figures.element("p", text: "\(one.name): too short for a trend.")
                    continue
                }
                figure.marked(events).write(to: &figures)
            }
        }
    }

    /// Whether signals of the heart were judged, and nothing was found wrong with any window that holds some.
    private var isClean: Bool {
        let hearts = quality.filter { lane in series.contains { $0.name == lane.stream } }
        let windows = hearts.lazy.flatMap(\.windows).filter { $0.coverage > 0 }
        return !windows.isEmpty
            && windows.allSatisfy { $0.reasons.isEmpty && ($0.quality ?? 0) >= LaneFigure.clean }
    }

    private func writeQuality(to markup: inout Markup) {
        if quality.isEmpty { markup.element("p", text: "No stream was judged.") }
        if let verdict { markup.element("p", text: "Recording \(verdict).") }
        markup.element("div", [("class", "figures")]) { figures in
            for (place, lane) in quality.enumerated() {
                LaneFigure(lane, id: "quality-\(place)", duration: span).marked(events).write(to: &figures)
            }
        }
        if worstStrips.isEmpty, isClean {
            let all = "Every window of the heart's signals has a quality of at least \(LaneFigure.clean)"
            markup.element("p", text: "\(all), and none has a reason against it.")
        }
        guard !worstStrips.isEmpty else { return }
        markup.element("h2", [("id", "worst")], text: "Worst windows")
        markup.element("p", text: "The windows with the lowest quality, worst first. ▼ and the dashed line mark beats.")
        markup.element("div", [("class", "figures")]) { figures in
            for (place, strip) in worstStrips.enumerated() {
                StripFigure(strip, id: "strip-\(place)").marked(events).write(to: &figures)
            }
        }
    }
}
