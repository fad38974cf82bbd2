import Cardiac
import Pipeline

/// Missed and extra beats by channel, the worst first.
struct ValidationErrorsFigure {
    private let rows: [(name: String, missed: Int, extra: Int, beats: Int)]
    private let hidden: Int
    private let tolerance: Double
    private let id: String
    /// The most channels drawn.
    private static let limit = 15

    init(_ validation: BeatValidation, id: String) {
        self.id = id
        tolerance = validation.tolerances.first ?? 0
        let all = validation.channels.compactMap { channel in
            channel.comparisons.first.map {
                (
                    name: channel.record, missed: $0.falseNegatives, extra: $0.falsePositives,
                    beats: $0.truePositives + $0.falseNegatives
                )
            }
        }
        let worst = all.filter { $0.missed + $0.extra > 0 }.enumerated()
            .sorted { ($1.1.missed + $1.1.extra, $0.0) < ($0.1.missed + $0.1.extra, $1.0) }.map(\.1)
        rows = Array(worst.prefix(Self.limit))
        hidden = worst.count - rows.count
    }

    func figure() -> Figure {
        let rows = rows
        return Figure(
            id: id, title: "Errors by record", caption: caption, pictures: [(.half, picture())],
            data: FigureData(
                fileName: "\(id).tsv", header: ["record", "missed", "extra", "beats"], count: rows.count
            ) {
                [rows[$0].name, String(rows[$0].missed), String(rows[$0].extra), String(rows[$0].beats)]
            }, live: nil)
    }

    private func picture() -> Markup {
        let layout = Figure.Layout.half
        let height = Figure.halfHeight
        var drawing = Drawing(id: "\(id)-svg", width: layout.width, height: height)
        let missed = Fill(color: Ink.vermillion, pattern: .plain)
        let extra = Fill(color: Ink.blue, pattern: .rising)
        let legend = Legend(entries: [(.area(missed), "missed"), (.area(extra), "extra")])
        legend.draw(on: &drawing, left: 100, top: 0, width: layout.width - 100)
        let top = legend.height(width: layout.width - 100) + 6
        let most = Double(max(1, rows.map { $0.missed + $0.extra }.max() ?? 1))
        let axes = Axes(
            left: 100, top: top, width: layout.width - 100 - 18, height: height - top - 46, x: (0, most * 1.04),
            y: (0, 1))
        var ticks = Ticks.linear(0, axes.x.upper, count: 5)
        ticks.labels.removeAll { $0.value != $0.value.rounded() }
        axes.drawHorizontal(ticks, label: "beats", on: &drawing, hasGrid: true)
        let step = axes.height / Double(max(rows.count, 6))
        for (place, row) in rows.enumerated() {
            let y = axes.top + Double(place) * step + step * 0.15
            let middle = axes.x(Double(row.missed))
            let title = "\(row.name): \(row.missed) missed, \(row.extra) extra of \(row.beats)"
            drawing.rectangle(axes.left, y, middle - axes.left, step * 0.7, fill: missed, title: title)
            drawing.rectangle(
                middle, y, axes.x(Double(row.missed + row.extra)) - middle, step * 0.7, fill: extra, stroke: Ink.blue,
                title: title)
            let name = row.name.count > 13 ? "…" + row.name.suffix(12) : row.name
            drawing.text(name, axes.left - 6, y + step * 0.35 + 4.5, anchor: .end, size: 12)
        }
        axes.drawFrame(on: &drawing)
        if rows.isEmpty {
            drawing.text("no errors", axes.left + axes.width / 2, height / 2, anchor: .middle)
        }
        return drawing.svg(title: "Missed and extra beats by record", description: caption)
    }

    private var caption: String {
        let window = "±\(NumberText.significant(tolerance * 1_000)) ms"
        guard let first = rows.first else { return "No beat was missed and none was extra at \(window)." }
        return
            "Missed and extra beats at \(window), most first (\(first.name): \(first.missed) missed, \(first.extra) extra "
            + "of \(NumberText.count(first.beats)))" + (hidden > 0 ? "; \(hidden) more records have fewer." : ".")
    }
}
