import Electrodermal
import Signals

/// Skin conductance over time: recorded and tonic above, phasic with the responses' peaks below.
struct SkinConductanceFigure: TimeFigure {
    var events = EventMarks.none
    private let series: SkinConductanceSeries
    private let id: String
    private let duration: Seconds
    /// Stretches that are no skin conductance, as far as they can be seen.
    private let artefacts: [MissingSpan]

    /// nil where there are fewer than two samples.
    init?(_ series: SkinConductanceSeries, id: String, duration: Seconds) {
        guard series.samples.count > 1, let last = series.samples.last, last.onset.isSoundTime else { return nil }
        self.series = series
        self.id = id
        self.duration = max(duration.isSoundTime ? duration : 0, last.onset)
        artefacts = Self.artefacts(series.samples)
    }

    func figure() -> Figure {
        let samples = series.samples
        return Figure(
            id: id, title: "\(series.name): skin conductance", caption: caption,
            pictures: [.wide, .narrow].map { ($0, picture($0)) },
            data: FigureData(
                fileName: "\(id).tsv", header: ["onset", "raw", "tonic", "phasic", "artefact"], count: samples.count
            ) {
                let sample = samples[$0]
                return [
                    NumberText.fixed(sample.onset, 3), NumberText.significant(Double(sample.raw), 6),
                    Self.number(sample.tonic), Self.number(sample.phasic), sample.isArtefact ? "1" : "0",
                ]
            })
    }

    private static func number(_ value: Float) -> String {
        value.isFinite ? NumberText.significant(Double(value), 6) : NumberText.missing
    }

    private static func artefacts(_ samples: [ElectrodermalSample]) -> [MissingSpan] {
        var spans: [MissingSpan] = []
        var first: Seconds?
        for (index, sample) in samples.enumerated() {
            if sample.isArtefact, first == nil { first = sample.onset }
            guard let onset = first, !sample.isArtefact || index == samples.count - 1 else { continue }
            spans.append(MissingSpan(onset: onset, duration: sample.onset - onset, reason: "artefact"))
            first = nil
        }
        return spans
    }

    private func picture(_ layout: Figure.Layout) -> Markup {
        let legend = legend
        let (left, right) = (56.0, 18.0)
        let width = layout.width - left - right
        let top = legend.height(width: width) + 6
        let (upper, lower, space) = (layout == .wide ? 170.0 : 140, layout == .wide ? 120.0 : 100, 18.0)
        var drawing = Drawing(
            id: "\(id)-\(layout.rawValue)", width: layout.width, height: top + upper + space + lower + 46)
        legend.draw(on: &drawing, left: left, top: 0, width: width)
        let ticks = Ticks.time(0, duration, count: layout == .wide ? 12 : 5)
        let whole = axes(top: top, height: upper, width: width, of: series.samples.flatMap { [$0.raw, $0.tonic] })
        whole.drawVertical(Ticks.linear(whole.y.lower, whole.y.upper, count: 4), label: "µS", on: &drawing)
        whole.drawHorizontal(Ticks(labels: ticks.labels.map { ($0.value, "") }), label: "", on: &drawing)
        let phasic = axes(
            top: top + upper + space, height: lower, width: width, of: series.samples.map(\.phasic))
        phasic.drawVertical(Ticks.linear(phasic.y.lower, phasic.y.upper, count: 3), label: "µS", on: &drawing)
        phasic.drawHorizontal(
            ticks, label: "Time from start (\(Ticks.timeUnit(upTo: duration)))", on: &drawing)
        for axes in [whole, phasic] {
            axes.drawMissing(series.gaps, on: &drawing)
            axes.drawMissing(artefacts, on: &drawing, isLabelled: false)
        }
        draw(\.raw, Ink.grey, 0.9, whole, on: &drawing)
        draw(\.tonic, Ink.blue, 1.6, whole, on: &drawing)
        draw(\.phasic, Ink.black, 0.9, phasic, on: &drawing)
        drawResponses(phasic, on: &drawing)
        for (place, axes) in [whole, phasic].enumerated() {
            events.draw(on: &drawing, axes: axes, isLabelled: place == 0)
            axes.drawFrame(on: &drawing)
        }
        return drawing.svg(title: "\(series.name): skin conductance", description: caption)
    }

    /// Axes over what is no artefact, so that one does not hide all else.
    private func axes(top: Double, height: Double, width: Double, of values: [Float]) -> Axes {
        let perSample = values.count / max(1, series.samples.count)
        var (low, high) = (Float.infinity, -Float.infinity)
        for (index, value) in values.enumerated()
        where value.isFinite && !series.samples[index / max(1, perSample)].isArtefact {
            (low, high) = (min(low, value), max(high, value))
        }
        if low > high { (low, high) = (0, 1) }
        let margin = max(Double(high - low) * 0.06, 0.01)
        return Axes(
            left: 56, top: top, width: width, height: height, x: (0, duration),
            y: (Double(low) - margin, Double(high) + margin))
    }

    private func draw(
        _ value: KeyPath<ElectrodermalSample, Float>, _ color: String, _ width: Double, _ axes: Axes,
        on drawing: inout Drawing
    ) {
        let samples = series.samples
        let kept = Extremes.indices(
            count: samples.count, columns: Int(axes.width), lower: 0, upper: duration,
            position: { samples[$0].onset }, value: { Double(samples[$0][keyPath: value]) })
        var line = PathText()
        var last: Int?
        for index in kept {
            // A gap, or more than one column of the picture without a value.
            if let last, samples[index].onset - samples[last].onset > max(1, 3 * duration / axes.width) { line.lift() }
            line.next(axes.x(samples[index].onset), axes.y.clamped(Double(samples[index][keyPath: value])))
            last = index
        }
        line.lift()
        drawing.path(
            line,
            [
                ("stroke", color), ("stroke-width", NumberText.coordinate(width)), ("stroke-linecap", "round"),
                ("stroke-linejoin", "round"), ("fill", "none"),
            ])
    }

    private func drawResponses(_ axes: Axes, on drawing: inout Drawing) {
        var (sure, doubtful) = (PathText(), PathText())
        for response in series.responses where response.peak.isSoundTime {
            let (x, y) = (axes.x(response.peak), axes.top + 6)
            if response.isDoubtful {
                Mark.cross.append(to: &doubtful, x: x, y: y, r: 3)
            } else {
                Mark.triangle.append(to: &sure, x: x, y: y, r: 3)
            }
        }
        drawing.path(sure, Mark.triangle.attributes(color: Ink.vermillion, r: 3))
        drawing.path(doubtful, Mark.cross.attributes(color: Ink.grey, r: 3))
    }

    private var legend: Legend {
        var entries: [(Legend.Sample, String)] = [
            (.line(Ink.grey, width: 0.9, dash: nil), "recorded"), (.line(Ink.blue, width: 1.6, dash: nil), "tonic"),
            (.line(Ink.black, width: 0.9, dash: nil), "phasic"),
            (.mark(.triangle, Ink.vermillion, 4), "response (peak)"),
        ]
        if series.responses.contains(where: \.isDoubtful) {
            entries.append((.mark(.cross, Ink.grey, 3), "response that touches an artefact"))
        }
        if !artefacts.isEmpty || !series.gaps.isEmpty { entries.append((.area(.missing), "artefact or gap")) }
        return Legend(entries: entries.map { (sample: $0.0, text: $0.1) })
    }

    private var caption: String {
        let doubtful = series.responses.count(where: \.isDoubtful)
        let good = Double(series.samples.count { !$0.isArtefact }) / Double(max(1, series.samples.count))
        return "Skin conductance in µS; tonic and phasic component by \(series.method). n = "
            + "\(Words.count(series.responses.count, "response")), \(NumberText.count(doubtful)) of them doubtful; "
            + "\(NumberText.percent(good)) of the samples are no artefacts."
            + events.caption()
    }
}
