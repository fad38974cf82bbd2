import Signals

/// A few seconds of a signal with its beats marked.
struct StripFigure: TimeFigure {
    var events = EventMarks.none
    private let strip: SignalStrip
    private let id: String
    private let heading: String?

    /// - Parameter heading: what the strip shows, before its time; nil for the time alone.
    init(_ strip: SignalStrip, id: String, heading: String? = nil) {
        self.heading = heading
        var strip = strip
        if !strip.onset.isSoundTime { strip.onset = 0 }
        self.strip = strip
        self.id = id
    }

    func figure() -> Figure {
        let strip = strip
        let rate = rate
        return Figure(
            id: id, title: title, caption: caption, pictures: [.wide, .narrow].map { ($0, picture($0)) },
            data: FigureData(
                fileName: "\(id).tsv", header: ["onset", "value"], count: strip.samples.count,
                chosen: drawn
            ) {
                let value = Double(strip.samples[$0])
                return [NumberText.fixed(strip.onset + Double($0) / rate, 4), NumberText.significant(value, 5)]
            }, live: live)
    }

    /// Everything in it.
    private var rate: Double { strip.sampleRate > 1e-3 && strip.sampleRate < 1e7 ? strip.sampleRate : 1 }
    private var end: Seconds { strip.onset + Double(max(strip.samples.count, 1)) / rate }

    private var title: String {
        "\(strip.stream)\(heading.map { ": \($0)" } ?? ""), \(NumberText.clock(strip.onset))–\(NumberText.clock(end))"
    }

    private var range: (lower: Double, upper: Double) {
        let values = strip.samples.filter(\.isFinite)
        guard let low = values.min(), let high = values.max() else { return (-1, 1) }
        let margin = max((Double(high) - Double(low)) * 0.08, Double(high.magnitude) * 1e-3, 1e-6)
        return (Double(low) - margin, Double(high) + margin)
    }

    private func drawn(columns: Int) -> [Int] {
        Extremes.indices(
            count: strip.samples.count, columns: columns, lower: 0, upper: Double(strip.samples.count),
            position: { Double($0) }, value: { Double(strip.samples[$0]) })
    }

    private func picture(_ layout: Figure.Layout) -> Markup {
        let height = layout == .wide ? 178.0 : 170
        var drawing = Drawing(id: "\(id)-\(layout.rawValue)", width: layout.width, height: height)
        let range = range
        let axes = Axes(
            left: 62, top: 16, width: layout.width - 62 - 18, height: height - 16 - 42, x: (strip.onset, end), y: range)
        let unit = Headline.name(of: strip.unit, unknown: "unit?")
        axes.drawVertical(Ticks.linear(range.lower, range.upper, count: 4), label: unit, on: &drawing, labelOffset: 48)
        axes.drawHorizontal(
            Ticks.time(strip.onset, end, count: layout == .wide ? (end >= 36_000 ? 6 : 10) : (end >= 3_600 ? 4 : 6)),
            label: "", on: &drawing, hasGrid: true,
            attributes: [("class", "x-ticks")])
        let label = "Time from start (\(end >= 3_600 ? "h:min:s" : "min:s"))"
        drawing.text(
            label, axes.left + axes.width / 2, height - 6, anchor: .middle, color: "#444444")
        drawing.clipped(to: (axes.left, 0, axes.width, height)) { drawing in
            axes.drawMissing(missing, on: &drawing)
            drawBeats(axes, on: &drawing)
            drawSignal(axes, on: &drawing)
        }
        events.draw(on: &drawing, axes: axes, isLabelled: true)
        axes.drawFrame(on: &drawing)
        if missing.isEmpty, strip.samples.isEmpty {
            drawing.text("no samples", axes.left + axes.width / 2, axes.top + axes.height / 2, anchor: .middle)
        }
        drawing.attributes = liveAttributes(axes)
        return drawing.svg(title: title, description: caption)
    }

    private func drawBeats(_ axes: Axes, on drawing: inout Drawing) {
        var lines = PathText()
        var marks = PathText()
        for beat in strip.beats where axes.x.contains(beat) {
            lines.move(axes.x(beat), axes.top)
            lines.line(axes.x(beat), axes.bottom)
            marks.move(axes.x(beat) - 5, axes.top - 11)
            marks.line(axes.x(beat) + 5, axes.top - 11)
            marks.line(axes.x(beat), axes.top - 2)
            marks.close()
        }
        drawing.path(
            lines, [("class", "beat-lines"), ("stroke", Ink.vermillion), ("stroke-dasharray", "3 3"), ("fill", "none")])
        drawing.path(marks, [("class", "beat-marks"), ("fill", Ink.vermillion)])
    }

    private func drawSignal(_ axes: Axes, on drawing: inout Drawing) {
        var path = PathText()
        var previous = -1
        let indices = drawn(columns: Int(axes.width))
        for index in indices {
            if previous >= 0, hasHole(from: previous, to: index) { path.lift() }
            path.next(axes.x(strip.onset + Double(index) / rate), axes.y(Double(strip.samples[index])))
            previous = index
        }
        path.lift()
        drawing.path(
            path,
            [
                ("class", "line"), ("stroke", Ink.black), ("stroke-width", "1.1"), ("stroke-linejoin", "round"),
                ("stroke-linecap", "round"), ("fill", "none"),
            ])
    }

    private func hasHole(from first: Int, to last: Int) -> Bool {
        strip.samples[first...last].contains { !$0.isFinite }
    }

    /// Runs of missing samples.
    private var missing: [MissingSpan] {
        var spans: [MissingSpan] = []
        var start: Int?
        for index in 0...strip.samples.count {
            let isMissing = index < strip.samples.count && !strip.samples[index].isFinite
            if isMissing, start == nil { start = index }
            if !isMissing, let first = start {
                let onset = strip.onset + Double(first) / rate
                spans.append(MissingSpan(onset: onset, duration: Double(index - first) / rate, reason: "no samples"))
                start = nil
            }
        }
        return spans
    }

    private var caption: String {
        let reasons = strip.reasons.map { Words.of($0) }
        let quality = strip.quality.flatMap { $0.isFinite ? NumberText.fixed($0, 2) : nil } ?? "not judged"
        let unit = Headline.name(of: strip.unit, unknown: "unit unknown")
        let why = reasons.isEmpty ? heading == nil ? ": no reason given" : "" : ": \(TachogramFigure.distinct(reasons))"
        return "Quality \(quality)\(why). "
            + "In \(unit), \(NumberText.significant(strip.sampleRate)) Hz, n = \(NumberText.count(strip.samples.count)) "
            + "samples, coverage \(NumberText.percent(strip.coverage)); \(Words.count(strip.beats.count, "beat")) (▼)."
            + events.caption(from: strip.onset, to: end)
    }

    private func liveAttributes(_ axes: Axes) -> [(String, String)] {
        guard live != nil else { return [] }
        let frame = [axes.left, axes.top, axes.width, axes.height].map { NumberText.fixed($0, 2) }
        let domain = [axes.x.lower, axes.x.upper, axes.y.lower, axes.y.upper].map { NumberText.significant($0, 9) }
        return [
            ("class", "live"), ("data-live", "\(id)-live"), ("data-frame", frame.joined(separator: " ")),
            ("data-domain", domain.joined(separator: " ")),
        ]
    }

    /// Samples as packed whole numbers, `lower + step * number`.
    private var live: String? {
        guard strip.samples.contains(where: \.isFinite), strip.samples.count <= 40_000 else { return nil }
        let range = range
        let step = (range.upper - range.lower) / 200_000
        let numbers = strip.samples.map { sample in
            sample.isFinite ? Int(((Double(sample) - range.lower) / step).rounded()) : Packed.none
        }
        let beats = strip.beats.filter { $0 >= strip.onset && $0 <= end }.map { NumberText.fixed($0, 4) }
        let unit = strip.unit.rawValue.unicodeScalars.filter { $0.properties.isAlphabetic || $0 == "µ" || $0 == "°" }
        return "{\"kind\":\"signal\",\"whole\":1,\"onset\":\(NumberText.fixed(strip.onset, 6)),"
            + "\"rate\":\(NumberText.fixed(rate, 6)),\"lower\":\(range.lower),\"step\":\(step),"
            + "\"unit\":\"\(String(String.UnicodeScalarView(unit)))\",\"v\":\"\(Packed.text(numbers))\","
            + "\"b\":[\(beats.joined(separator: ","))]}"
    }
}
