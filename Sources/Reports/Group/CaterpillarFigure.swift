import GroupStatistics
import Kernels
import Signals

/// People in the order of their mean, each with what the conditions range over.
struct CaterpillarFigure {
    private let rows: [(person: String, mean: Double, low: Double, high: Double)]
    private let index: GroupReport.Index
    private let factor: String
    private let id: String

    init(_ spread: GroupReport.Spread, id: String) {
        self.id = id
        index = spread.index
        factor = spread.factor
        rows = spread.values.compactMap { person, values in
            let present = values.compactMap { $0 }.filter(\.isFinite)
            guard let low = present.min(), let high = present.max() else { return nil }
            return (person, Statistics.mean(present), low, high)
        }.sorted { ($0.mean, $0.person) < ($1.mean, $1.person) }
    }

    func figure() -> Figure {
        let rows = rows
        return Figure(
            id: id, title: "\(index.label) by participant", caption: caption, pictures: [(.half, picture())],
            data: FigureData(
                fileName: "\(id).tsv", columns: columns, count: rows.count
            ) {
                [rows[$0].person] + [rows[$0].mean, rows[$0].low, rows[$0].high].map { NumberText.significant($0, 6) }
            })
    }

    private var columns: [Column] {
        [
            Column("participant", "Participant label"),
            index.column("mean", "\(index.told), mean over \(factor)s"),
            index.column("lowest", "\(index.told), lowest of the \(factor)s"),
            index.column("highest", "\(index.told), highest of the \(factor)s"),
        ]
    }

    /// The height of the plot.
    private static let height = Figure.halfHeight - 10 - 48

    private var step: Double { Self.height / Double(max(rows.count, 1)) }

    /// Whether there is room for who is who.
    private var isLabelled: Bool { step >= 11 }

    /// A participant's label, shortened to the room there is at most.
    private static func label(_ person: String) -> String {
        var limit = 24
        var label = Words.shortened(person, to: limit)
        while limit > 3, Drawing.width(of: label, size: 11) > 140 {
            limit -= 1
            label = Words.shortened(person, to: limit)
        }
        return label
    }

    private func picture() -> Markup {
        let layout = Figure.Layout.half
        var drawing = Drawing(id: "\(id)-svg", width: layout.width, height: Figure.halfHeight)
        let (low, high) = (rows.map(\.low).min() ?? 0, rows.map(\.high).max() ?? 1)
        let margin = max((high - low) * 0.05, 1e-9)
        let labels = isLabelled ? rows.map { Self.label($0.person) } : []
        let left = max(62, (labels.map { Drawing.width(of: $0, size: 11) }.max() ?? 0) + 12)
        let axes = Axes(
            left: left, top: 10, width: layout.width - left - 20, height: Self.height,
            x: (low - margin, high + margin), y: (0, Double(max(rows.count, 1))))
        axes.drawHorizontal(
            Ticks.linear(axes.x.lower, axes.x.upper, count: 5), label: index.label, on: &drawing, hasGrid: true)
        var (ranges, dots) = (PathText(), PathText())
        for (place, row) in rows.enumerated() {
            let y = axes.y(Double(place) + 0.5)
            ranges.move(axes.x(row.low), y)
            ranges.line(axes.x(row.high), y)
            Mark.dot.append(to: &dots, x: axes.x(row.mean), y: y, r: 1)
            if isLabelled { drawing.text(labels[place], axes.left - 6, y + 4, anchor: .end, size: 11) }
        }
        drawing.path(ranges, [("stroke", Ink.blue), ("stroke-width", "1.2"), ("fill", "none")])
        drawing.path(dots, Mark.dot.attributes(color: Ink.blue, r: min(3, max(1, step / 2.4))))
        axes.drawFrame(on: &drawing)
        if rows.isEmpty { drawing.text("no value", axes.left + axes.width / 2, Figure.halfHeight / 2, anchor: .middle) }
        return drawing.svg(title: "\(index.label) by participant", description: caption)
    }

    private var caption: String {
        "Each participant's mean over \(factor)s (dot) and their range (line), in the order of the means; n = "
            + "\(Words.count(rows.count, "participant"))."
            + (isLabelled
                ? "" : " They are too many to be named here; the data behind the figure name them in this order.")
    }
}
