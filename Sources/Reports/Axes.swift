import Signals

/// The frame of a plot: where values lie in a picture, and the ticks that say so.
struct Axes {
    let left: Double
    let top: Double
    let width: Double
    let height: Double
    var x: Scale
    var y: Scale

    /// Axes in a rectangle of the picture; `y` grows upwards.
    init(
        left: Double, top: Double, width: Double, height: Double, x: (lower: Double, upper: Double),
        y: (lower: Double, upper: Double)
    ) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
        self.x = Scale(x.lower, x.upper, from: left, to: left + width)
        self.y = Scale(y.lower, y.upper, from: top + height, to: top)
    }

    var bottom: Double { top + height }
    var right: Double { left + width }
    var rectangle: (x: Double, y: Double, width: Double, height: Double) { (left, top, width, height) }

    /// Grid lines and labels at the left, and what they are.
    func drawVertical(
        _ ticks: Ticks, label: String, on drawing: inout Drawing, hasGrid: Bool = true, labelOffset: Double = 44
    ) {
        for tick in ticks.labels where y.contains(tick.value) {
            let place = y(tick.value)
            if hasGrid { drawing.line(left, place, right, place, color: "#e6e6e6") }
            drawing.text(tick.text, left - 6, place + 4.5, anchor: .end)
        }
        if !label.isEmpty {
            drawing.text(
                label, left - labelOffset, top + height / 2, anchor: .middle, color: "#444444", isUpright: true)
        }
    }

    /// Tick marks and labels below, and what they are. Labels that would touch the one before are left out.
    func drawHorizontal(
        _ ticks: Ticks, label: String, on drawing: inout Drawing, hasGrid: Bool = false,
        attributes: [(String, String)] = []
    ) {
        drawing.group(attributes) { drawing in
            var free = -Double.infinity
            for tick in ticks.labels where x.contains(tick.value) {
                let place = x(tick.value)
                if hasGrid { drawing.line(place, top, place, bottom, color: "#e6e6e6") }
                drawing.line(place, bottom, place, bottom + 4, color: Ink.grey)
                let half = Drawing.width(of: tick.text) / 2
                guard place - half > free else { continue }
                drawing.text(tick.text, min(place, drawing.width - half - 1), bottom + 18, anchor: .middle)
                free = place + half + 6
            }
        }
        if !label.isEmpty {
            drawing.text(label, left + width / 2, bottom + 36, anchor: .middle, color: "#444444")
        }
    }

    /// Tick marks below with labels that stand upright; those that would touch the one before are left out.
    func drawUpright(_ ticks: Ticks, on drawing: inout Drawing) {
        var free = -Double.infinity
        for tick in ticks.labels where x.contains(tick.value) {
            let place = x(tick.value)
            drawing.line(place, bottom, place, bottom + 4, color: Ink.grey)
            guard place > free else { continue }
            drawing.text(tick.text, place + 4.5, bottom + 9, anchor: .end, isUpright: true)
            free = place + Drawing.textSize
        }
    }

    /// The two axis lines.
    func drawFrame(on drawing: inout Drawing) {
        var path = PathText()
        path.move(left, top)
        path.line(left, bottom)
        path.line(right, bottom)
        drawing.path(path, [("stroke", Ink.grey), ("fill", "none")])
    }

    /// Hatched bands where there is nothing, labelled where the reason fits.
    func drawMissing(_ spans: [MissingSpan], on drawing: inout Drawing, isLabelled: Bool = true) {
        let seen = spans.filter {
            $0.onset.isSoundTime && $0.duration.isSoundTime && $0.onset < x.upper && $0.onset + $0.duration > x.lower
        }
        // The page's script redraws the lines where it moves the spans.
        drawing.hatching([("class", "span-lines")]) { drawing in
            for span in seen { draw(span, on: &drawing) }
        }
        for span in seen where isLabelled {
            let first = x.clamped(span.onset)
            let last = x.clamped(span.onset + span.duration)
            if last - first > 18 { drawLabel(Words.of(span.reason), from: first, to: last, on: &drawing) }
        }
    }

    private func draw(_ span: MissingSpan, on drawing: inout Drawing) {
        let first = x.clamped(span.onset)
        let last = x.clamped(span.onset + span.duration)
        let end = NumberText.clock(span.onset + span.duration)
        let length = NumberText.length(span.duration)
        drawing.rectangle(
            first, top, max(last - first, 1.5), height, fill: .missing,
            title: "\(Words.of(span.reason)), \(NumberText.clock(span.onset))–\(end) (\(length))",
            extra: [
                ("class", "span"), ("data-a", NumberText.fixed(span.onset, 3)),
                ("data-b", NumberText.fixed(span.onset + span.duration, 3)),
            ])
    }

    private func drawLabel(_ reason: String, from first: Double, to last: Double, on drawing: inout Drawing) {
        let length = Drawing.width(of: reason, size: 12)
        let middle = (first + last) / 2
        let extra = [
            ("class", "span-label"), ("paint-order", "stroke"), ("stroke", "#ffffff"), ("stroke-width", "4"),
            ("stroke-linejoin", "round"),
        ]
        if length + 8 < last - first {
            drawing.text(reason, middle, top + 15, anchor: .middle, size: 12, extra: extra)
        } else if length + 8 < height {
            drawing.text(
                reason, middle + 4, top + height / 2, anchor: .middle, size: 12, isUpright: true, extra: extra)
        }
    }
}

/// What the marks of a figure mean, in a row above the plot.
struct Legend {
    enum Sample {
        case mark(Mark, String, Double)
        case line(String, width: Double, dash: String?)
        case area(Fill)
    }

    var entries: [(sample: Sample, text: String)]

    private static let lineHeight = 19.0

    /// How much room the legend takes at this width.
    func height(width: Double) -> Double {
        entries.isEmpty ? 0 : Double((layout(width: width).last?.row ?? 0) + 1) * Self.lineHeight + 4
    }

    func draw(on drawing: inout Drawing, left: Double, top: Double, width: Double) {
        for (entry, place) in zip(entries, layout(width: width)) {
            let x = left + place.x
            let y = top + Double(place.row) * Self.lineHeight + Self.lineHeight / 2
            switch entry.sample {
            case .mark(let mark, let color, let r):
                var path = PathText()
                mark.append(to: &path, x: x + 8, y: y, r: r)
                drawing.path(path, mark.attributes(color: color, r: r))
            case .line(let color, let lineWidth, let dash):
                drawing.line(x, y, x + 18, y, color: color, width: lineWidth, dash: dash)
            case .area(let fill):
                // A pale area needs an edge to be seen.
                drawing.rectangle(x, y - 6, 18, 12, fill: fill, stroke: fill.pattern == .plain ? Ink.grey : fill.color)
            }
            drawing.text(entry.text, x + 24, y + 4.5)
        }
    }

    private func layout(width: Double) -> [(x: Double, row: Int)] {
        var x = 0.0
        var row = 0
        return entries.map { entry in
            let length = 24 + Drawing.width(of: entry.text)
            if x > 0, x + length > width {
                x = 0
                row += 1
            }
            defer { x += length + 18 }
            return (x, row)
        }
    }
}
