import Brain
import Signals

/// Some seconds of EEG, a row per channel, with what the eyes did.
struct EEGTracesFigure: TimeFigure {
    var events = EventMarks.none
    private let traces: EEGTraces
    private let labels: [String]
    private let eyes: [EyeEvent]
    private let name: String
    private let id: String
    /// µV between two rows: a large wave of most channels just reaches the next row.
    private let spacing: Double
    /// The rows whose wave goes beyond the middle of a neighbouring row, where it is cut off.
    private let cut: [String]
    /// For each row the seconds without samples.
    private let gaps: [[ClosedRange<Seconds>]]

    /// The most channels that are drawn.
    private static let mostRows = 32

    init(_ traces: EEGTraces, of series: BrainSeries, id: String) {
        self.traces = traces
        self.id = id
        name = series.name
        labels = Array(series.labels.prefix(Self.mostRows))
        let rows = traces.channels.prefix(labels.count)
        let spacing = Self.spacing(rows)
        self.spacing = spacing
        cut = zip(labels, rows).filter { $1.contains { $0.isFinite && Double(abs($0)) > spacing } }.map {
            BrainSeries.short($0.0)
        }
        gaps = rows.map { Self.gaps(in: $0, of: traces) }
        let end = traces.onset + traces.duration
        eyes = series.eyes.filter { $0.onset >= traces.onset && $0.onset <= end }
    }

    private var title: String {
        let end = NumberText.clock(traces.onset + traces.duration)
        return "\(name), \(NumberText.clock(traces.onset))–\(end): \(traces.title)"
    }

    func figure() -> Figure {
        let (traces, count) = (traces, traces.channels.first?.count ?? 0)
        let rows = labels.indices
        return Figure(
            id: id, title: title, caption: caption, pictures: [.wide, .narrow].map { ($0, picture($0)) },
            data: FigureData(fileName: "\(id).tsv", header: ["onset"] + labels, count: count) { frame in
                [NumberText.fixed(traces.onset + Double(frame) / traces.sampleRate, 4)]
                    + rows.map { row in
                        let value = traces.channels[row][frame]
                        return value.isFinite ? NumberText.significant(Double(value), 5) : NumberText.missing
                    }
            })
    }

    private static func spacing(_ rows: ArraySlice<[Float]>) -> Double {
        let sizes = rows.map { samples -> Double in
            let sorted = samples.filter(\.isFinite).map { abs($0) }.sorted()
            return sorted.isEmpty ? 0 : Double(sorted[sorted.count * 98 / 100])
        }.sorted()
        let usual = sizes.isEmpty ? 0 : sizes[sizes.count / 2]
        return [10.0, 20, 50, 100, 200, 500].first { $0 >= 1.6 * usual } ?? 1_000
    }

    private static func gaps(in samples: [Float], of traces: EEGTraces) -> [ClosedRange<Seconds>] {
        func time(_ place: Int) -> Seconds { traces.onset + Double(place) / traces.sampleRate }
        var (gaps, begin): ([ClosedRange<Seconds>], Int?) = ([], nil)
        for (place, sample) in samples.enumerated() where sample.isFinite == (begin != nil) {
            if let first = begin { gaps.append(time(first)...time(place)) }
            begin = begin == nil ? place : nil
        }
        if let begin { gaps.append(time(begin)...time(samples.count)) }
        return gaps
    }

    private func picture(_ layout: Figure.Layout) -> Markup {
        let row = labels.count > 12 ? 26.0 : 44
        let (left, top) = (66.0, 30.0)
        let height = top + Double(labels.count) * row + 46
        var drawing = Drawing(id: "\(id)-\(layout.rawValue)", width: layout.width, height: height)
        let end = traces.onset + traces.duration
        let axes = Axes(
            left: left, top: top, width: layout.width - left - 62, height: Double(labels.count) * row,
            x: (traces.onset, end), y: (-Double(labels.count) * spacing, 0))
        axes.drawHorizontal(
            Ticks.time(traces.onset, end, count: layout == .wide ? 10 : 5),
            label: "Time from start (\(end >= 3_600 ? "h:min:s" : "min:s"))", on: &drawing, hasGrid: true)
        drawEvents(axes, on: &drawing)
        for (place, label) in labels.enumerated() {
            let middle = -(Double(place) + 0.5) * spacing
            drawing.text(BrainSeries.short(label), left - 6, axes.y(middle) + 4.5, anchor: .end)
            for gap in gaps[place] {
                let (first, last) = (axes.x(gap.lowerBound), axes.x(gap.upperBound))
                drawing.rectangle(
                    first, axes.y(middle) - row / 2, max(last - first, 1.5), row, fill: .missing,
                    title: "\(label): no samples, \(NumberText.length(gap.upperBound - gap.lowerBound))")
            }
            drawing.clipped(to: (left, axes.y(middle) - row, axes.width, 2 * row)) { drawing in
                draw(traces.channels[place], around: middle, axes, on: &drawing)
            }
        }
        drawScale(axes, row, on: &drawing)
        events.draw(on: &drawing, axes: axes, isLabelled: true)
        axes.drawFrame(on: &drawing)
        return drawing.svg(title: title, description: caption)
    }

    private func draw(_ samples: [Float], around middle: Double, _ axes: Axes, on drawing: inout Drawing) {
        let kept = Extremes.indices(
            count: samples.count, columns: Int(axes.width), lower: 0, upper: Double(max(1, samples.count)),
            position: { Double($0) }, value: { Double(samples[$0]) })
        var line = PathText()
        var last: Int?
        for index in kept {
            if let last, samples[last...index].contains(where: { !$0.isFinite }) { line.lift() }
            let onset = traces.onset + Double(index) / traces.sampleRate
            line.next(axes.x(onset), axes.y(middle + Double(samples[index])))
            last = index
        }
        line.lift()
        drawing.path(
            line, [("stroke", Ink.black), ("stroke-width", "0.9"), ("stroke-linejoin", "round"), ("fill", "none")])
    }

    /// A bar as high as the distance of two rows.
    private func drawScale(_ axes: Axes, _ row: Double, on drawing: inout Drawing) {
        let x = axes.right + 10
        drawing.line(x, axes.bottom - row, x, axes.bottom, color: Ink.black, width: 2)
        drawing.text("\(Int(spacing)) µV", x + 6, axes.bottom - row / 2 + 4.5, size: 11)
    }

    private func drawEvents(_ axes: Axes, on drawing: inout Drawing) {
        var (lines, blinks) = (PathText(), PathText())
        for event in eyes {
            let x = axes.x(event.onset)
            lines.move(x, axes.top)
            lines.line(x, axes.bottom)
            switch event.kind {
            case .blink:
                blinks.move(x - 5, axes.top - 11)
                blinks.line(x + 5, axes.top - 11)
                blinks.line(x, axes.top - 2)
                blinks.close()
            case .saccadeLeft: drawing.text("←", x, axes.top - 3, anchor: .middle, color: Ink.blue)
            case .saccadeRight: drawing.text("→", x, axes.top - 3, anchor: .middle, color: Ink.blue)
            }
        }
        drawing.path(
            lines,
            [
                ("stroke", Ink.vermillion), ("stroke-dasharray", "3 3"), ("stroke-opacity", "0.6"),
                ("fill", "none"),
            ])
        drawing.path(blinks, [("fill", Ink.vermillion)])
    }

    /// The rows that are cut off, as many as there is room for.
    private var named: String {
        let most = 12
        let more = cut.count > most ? " and \(cut.count - most) more" : ""
        return cut.prefix(most).joined(separator: ", ") + more
    }

    private var caption: String {
        let blinks = eyes.count { $0.kind == .blink }
        let reasons = traces.reasons.map { Words.of($0) }
        var text = "Cleaned EEG in µV, \(NumberText.significant(traces.sampleRate)) Hz; "
        text += "\(Words.count(blinks, "blink")) (▼), \(Words.count(eyes.count - blinks, "saccade")) (← →). "
        if gaps.contains(where: { !$0.isEmpty }) { text += "Hatched: no samples. " }
        if !cut.isEmpty { text += "What goes beyond the middle of the next row is cut off: \(named). " }
        if let quality = traces.quality {
            text +=
                "Quality \(NumberText.fixed(quality, 2))\(reasons.isEmpty ? "" : ": " + reasons.joined(separator: ", "))."
        }
        if traces.channels.count > labels.count {
            text +=
                " \(NumberText.count(labels.count)) of \(NumberText.count(traces.channels.count)) channels are drawn."
        }
        return text + events.caption(from: traces.onset, to: traces.onset + traces.duration)
    }
}
