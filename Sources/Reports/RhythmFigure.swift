import Signals

/// When which rhythm was seen: a row per rhythm.
struct RhythmFigure: TimeFigure {
    var events = EventMarks.none
    let name: String
    let id: String
    private let stretches: [RhythmLane.Stretch]
    private let duration: Seconds
    /// The rhythms met and their share of the time told, the longest first.
    private let kinds: [(name: String, share: Double)]

    /// nil where there is nothing to draw.
    init?(_ lane: RhythmLane?, name: String, id: String, duration: Seconds) {
        let stretches = (lane?.stretches ?? []).filter {
            $0.onset.isSoundTime && $0.duration.isSoundTime && $0.duration > 0
        }
        guard !stretches.isEmpty else { return nil }
        self.name = name
        self.id = id
        self.stretches = stretches
        self.duration = max(
            duration.isSoundTime ? duration : 0, stretches.map { $0.onset + $0.duration }.max() ?? 0, 1e-3)
        var lengths: [String: Double] = [:]
        for stretch in stretches { lengths[stretch.kind, default: 0] += stretch.duration }
        let total = lengths.values.reduce(0, +)
        kinds = lengths.sorted { ($0.value, $1.key) > ($1.value, $0.key) }.map { ($0.key, $0.value / total) }
    }

    func figure() -> Figure {
        let stretches = stretches
        return Figure(
            id: id, title: "\(name): rhythm", caption: caption, pictures: [.wide, .narrow].map { ($0, picture($0)) },
            data: FigureData(
                fileName: "\(id).tsv", header: ["onset", "duration", "rhythm", "heartRate"], count: stretches.count
            ) {
                let stretch = stretches[$0]
                return [
                    NumberText.fixed(stretch.onset, 4), NumberText.fixed(stretch.duration, 4), stretch.kind,
                    stretch.heartRate.map { NumberText.fixed($0, 2) } ?? NumberText.missing,
                ]
            })
    }

    private func picture(_ layout: Figure.Layout) -> Markup {
        let left = layout == .wide ? 190.0 : 150
        let rowHeight = 24.0
        let rows = Double(kinds.count) * rowHeight
        var drawing = Drawing(id: "\(id)-\(layout.rawValue)", width: layout.width, height: rows + 54)
        let axes = Axes(
            left: left, top: 6, width: layout.width - left - 18, height: rows, x: (0, duration), y: (0, 1))
        for (place, kind) in kinds.enumerated() {
            let top = axes.top + Double(place) * rowHeight
            drawing.text(
                "\(Words.of(kind.name)) \(NumberText.percent(kind.share))", left - 8, top + rowHeight / 2 + 4.5,
                anchor: .end, size: 12)
            if place > 0 { drawing.line(axes.left, top, axes.right, top, color: "#e6e6e6") }
            drawing.hatching { drawRow(kind.name, axes, top: top, height: rowHeight, on: &$0) }
        }
        axes.drawHorizontal(
            Ticks.time(0, duration, count: layout == .wide ? 10 : 4),
            label: "Time from start (\(Ticks.timeUnit(upTo: duration)))", on: &drawing)
        events.draw(on: &drawing, axes: axes, isLabelled: false)
        axes.drawFrame(on: &drawing)
        return drawing.svg(title: "Rhythm of \(name)", description: caption)
    }

    private func drawRow(_ kind: String, _ axes: Axes, top: Double, height: Double, on drawing: inout Drawing) {
        let width = 1.5
        let count = max(1, Int(axes.width / width))
        var isMet = [Bool](repeating: false, count: count)
        for stretch in stretches where stretch.kind == kind {
            let first = min(max(Int(stretch.onset / duration * Double(count)), 0), count - 1)
            let end = ((stretch.onset + stretch.duration) / duration * Double(count)).rounded(.up)
            let last = min(max(Int(end) - 1, first), count - 1)
            for column in first...last { isMet[column] = true }
        }
        var column = 0
        while column < count {
            guard isMet[column] else {
                column += 1
                continue
            }
            let start = column
            while column < count, isMet[column] { column += 1 }
            let step = axes.width / Double(count)
            let from = NumberText.clock(Double(start) / Double(count) * duration)
            let until = NumberText.clock(Double(column) / Double(count) * duration)
            drawing.rectangle(
                axes.left + Double(start) * step, top + 4, Double(column - start) * step, height - 8,
                fill: Self.fill(kind), title: "\(Words.of(kind)), \(from)–\(until)")
        }
    }

    private static func fill(_ kind: String) -> Fill {
        switch kind {
        case "regular": Fill(color: Ink.green, pattern: .plain, opacity: 0.75)
        case "ectopy": Fill(color: Ink.orange, pattern: .upright)
        case "irregular": Fill(color: Ink.vermillion, pattern: .crossed)
        case "tachycardia": Fill(color: Ink.purple, pattern: .level)
        case "bradycardia": Fill(color: Ink.blue, pattern: .level)
        case "asystole", "noBeats": Fill(color: Ink.black, pattern: .plain)
        default: Fill.missing
        }
    }

    private var caption: String {
        var seen: Set<String> = []
        let meanings = stretches.filter { seen.insert($0.kind).inserted && !$0.meaning.isEmpty }
            .map { "\(Words.of($0.kind)): \($0.meaning)" }
        return "What the intervals between beats look like over time, n = "
            + "\(Words.count(stretches.count, "stretch", "stretches")); \(meanings.joined(separator: "; ")). Told from "
            + "the times of beats alone. A description of this recording for research, not a diagnosis."
            + events.caption()
    }
}
