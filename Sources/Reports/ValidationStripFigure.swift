import Pipeline
import Signals

/// A few seconds of signal with the reference beats above our own, missed and extra ones marked.
struct ValidationStripFigure {
    private let strip: ValidationStrip
    private let channel: ValidatedChannel
    private let tolerance: Seconds
    private let id: String

    init(_ strip: ValidationStrip, of channel: ValidatedChannel, tolerance: Seconds, id: String) {
        self.strip = strip
        self.channel = channel
        self.tolerance = tolerance
        self.id = id
    }

    func figure() -> Figure {
        Figure(
            id: id, title: title, caption: caption, pictures: [.wide, .narrow].map { ($0, picture($0)) }, data: nil,
            live: nil)
    }

    private var title: String {
        "\(channel.record), \(channel.lead), \(NumberText.clock(strip.span.lowerBound, decimals: 1))–"
            + "\(NumberText.clock(strip.span.upperBound, decimals: 1)): \(errors)"
    }

    private var errors: String {
        [(strip.missed.count, "missed"), (strip.extra.count, "extra")].filter { $0.0 > 0 }
            .map { "\($0.0) \($0.1)" }.joined(separator: ", ")
    }

    private var caption: String {
        let isKnown = channel.source.label.unit != .unknown
        let unit = (isKnown ? "in " : "") + Headline.name(of: channel.source.label.unit, unknown: "unit unknown")
        var sentences: [String] = []
        if !strip.missed.isEmpty { sentences.append("Missed (□) at \(Self.list(strip.missed)).") }
        if !strip.extra.isEmpty { sentences.append("Extra (✕) at \(Self.list(strip.extra)).") }
        let lag = channel.lag.map { ", moved by \(NumberText.fixed($0 * 1_000, 0)) ms" } ?? ""
        sentences.append(
            "\(unit.prefix(1).uppercased() + unit.dropFirst()), \(NumberText.significant(channel.source.sampleRate)) Hz; "
                + "reference \(channel.reference)\(lag), ±\(NumberText.significant(tolerance * 1_000)) ms.")
        return sentences.joined(separator: " ")
    }

    /// The first times of a list, and how many more there are.
    private static func list(_ times: [Seconds]) -> String {
        let shown = times.prefix(6).map { NumberText.clock($0, decimals: 2) }.joined(separator: ", ")
        return times.count > 6 ? "\(shown) and \(times.count - 6) more" : shown
    }

    private static let referenceRow = 14.0
    private static let ownRow = 33.0

    private func picture(_ layout: Figure.Layout) -> Markup {
        let height = 216.0
        var drawing = Drawing(id: "\(id)-\(layout.rawValue)", width: layout.width, height: height)
        let range = range
        let axes = Axes(
            left: 66, top: 46, width: layout.width - 66 - 18, height: height - 46 - 42,
            x: (strip.span.lowerBound, strip.span.upperBound), y: range)
        let unit = Headline.name(of: channel.source.label.unit, unknown: "unit?")
        axes.drawVertical(Ticks.linear(range.lower, range.upper, count: 4), label: unit, on: &drawing, labelOffset: 52)
        axes.drawHorizontal(
            Ticks.time(axes.x.lower, axes.x.upper, count: layout == .wide ? 10 : 5),
            label: "Time from start (\(axes.x.upper >= 3_600 ? "h:min:s" : "min:s"))", on: &drawing, hasGrid: true)
        drawing.text("reference", axes.left - 6, Self.referenceRow + 4, anchor: .end, size: 12)
        drawing.text("marey", axes.left - 6, Self.ownRow + 4, anchor: .end, size: 12)
        drawing.clipped(to: (axes.left - 6, 0, axes.width + 12, height)) { drawing in
            let uncounted = channel.notCounted.map { $0.clamped(to: strip.span) }.filter { !$0.isEmpty }
            axes.drawMissing(
                uncounted.map {
                    MissingSpan(
                        onset: $0.lowerBound, duration: $0.upperBound - $0.lowerBound, reason: "not counted")
                }, on: &drawing)
            drawErrors(axes, on: &drawing)
            drawSignal(axes, on: &drawing)
            drawMarks(axes, on: &drawing)
        }
        axes.drawFrame(on: &drawing)
        if !strip.samples.contains(where: \.isFinite) {
            drawing.text("no samples", axes.left + axes.width / 2, axes.top + axes.height / 2, anchor: .middle)
        }
        return drawing.svg(title: title, description: caption)
    }

    private var range: (lower: Double, upper: Double) {
        let values = strip.samples.filter(\.isFinite)
        guard let low = values.min(), let high = values.max() else { return (-1, 1) }
        let margin = max((Double(high) - Double(low)) * 0.06, Double(high.magnitude) * 1e-3, 1e-6)
        return (Double(low) - margin, Double(high) + margin)
    }

    private func drawErrors(_ axes: Axes, on drawing: inout Drawing) {
        for (times, color, what) in [(strip.missed, Ink.vermillion, "missed"), (strip.extra, Ink.blue, "extra")] {
            for time in times {
                drawing.line(
                    axes.x(time), what == "missed" ? Self.referenceRow : Self.ownRow, axes.x(time), axes.bottom,
                    color: color, width: 1.3, dash: what == "missed" ? "5 3" : "2 3",
                    title: "\(what) at \(NumberText.clock(time, decimals: 3))")
            }
        }
    }

    private func drawMarks(_ axes: Axes, on drawing: inout Drawing) {
        func draw(_ times: [Seconds], _ mark: Mark, _ color: String, _ row: Double, _ r: Double) {
            var path = PathText()
            for time in times { mark.append(to: &path, x: axes.x(time), y: row, r: r) }
            if !path.isEmpty { drawing.path(path, mark.attributes(color: color, r: r)) }
        }
        let missed = Set(strip.missed)
        let extra = Set(strip.extra)
        let reference = channel.referenceBeats.filter(strip.span.contains)
        let detected = channel.detectedBeats.filter(strip.span.contains)
        draw(reference.filter { !missed.contains($0) }, .dot, Ink.black, Self.referenceRow, 3.5)
        draw(strip.missed, .square, Ink.vermillion, Self.referenceRow, 5)
        draw(detected.filter { !extra.contains($0) }, .triangle, Ink.green, Self.ownRow, 5)
        draw(strip.extra, .cross, Ink.blue, Self.ownRow, 5)
    }

    private func drawSignal(_ axes: Axes, on drawing: inout Drawing) {
        let rate = channel.source.sampleRate
        guard rate > 0 else { return }
        let samples = strip.samples
        let indices = Extremes.indices(
            count: samples.count, columns: Int(axes.width), lower: 0, upper: Double(samples.count),
            position: { Double($0) }, value: { Double(samples[$0]) })
        var path = PathText()
        var previous = -1
        for index in indices {
            if previous >= 0, samples[previous...index].contains(where: { !$0.isFinite }) { path.lift() }
            path.next(axes.x(strip.span.lowerBound + Double(index) / rate), axes.y(Double(samples[index])))
            previous = index
        }
        path.lift()
        drawing.path(
            path,
            [
                ("stroke", Ink.black), ("stroke-width", "1.1"), ("stroke-linejoin", "round"),
                ("stroke-linecap", "round"), ("fill", "none"),
            ])
    }
}
