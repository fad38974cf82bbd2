import Signals

/// How many people stand on which step of the calibration of each prediction.
struct LadderFigure {
    private let calibrations: [GroupReport.Calibration]
    private let id: String

    init(_ calibrations: [GroupReport.Calibration], id: String) {
        self.calibrations = calibrations
        self.id = id
    }

    private static let fills = [
        Fill(color: Ink.grey, pattern: .dotted), Fill(color: Ink.vermillion, pattern: .crossed),
        Fill(color: Ink.orange, pattern: .rising), Fill(color: Ink.sky, pattern: .level),
        Fill(color: Ink.green, pattern: .plain),
    ]

    private static let columns =
        [Column("prediction", "The prediction")]
        + GroupReport.Calibration.steps.map {
            Column($0, unit: .dimensionless, "How many participants stand on the step \($0)")
        }

    func figure() -> Figure {
        let rows = calibrations
        return Figure(
            id: id, title: "Calibration ladder", caption: caption, pictures: [(.half, picture())],
            data: FigureData(
                fileName: "\(id).tsv", columns: Self.columns, count: rows.count
            ) { [rows[$0].prediction] + rows[$0].counts.map(String.init) })
    }

    private func picture() -> Markup {
        let layout = Figure.Layout.half
        let legend = Legend(
            entries: zip(Self.fills, GroupReport.Calibration.steps).map { (.area($0), $1) })
        let head = legend.height(width: layout.width - 16) + 10
        let step = 26.0
        var drawing = Drawing(
            id: "\(id)-svg", width: layout.width, height: head + step * Double(calibrations.count) + 46)
        legend.draw(on: &drawing, left: 8, top: 0, width: layout.width - 16)
        let most = calibrations.map { $0.counts.reduce(0, +) }.max() ?? 1
        let axes = Axes(
            left: 150, top: head, width: layout.width - 170, height: step * Double(calibrations.count),
            x: (0, Double(max(most, 1))), y: (0, 1))
        var ticks = Ticks.linear(0, axes.x.upper, count: 5)
        ticks.labels.removeAll { $0.value != $0.value.rounded() }
        axes.drawHorizontal(ticks, label: "participants", on: &drawing, hasGrid: true)
        for (place, row) in calibrations.enumerated() {
            let y = axes.top + (Double(place) + 0.15) * step
            var sum = 0
            for (fill, count) in zip(Self.fills, row.counts) where count > 0 {
                let x = axes.x(Double(sum))
                sum += count
                drawing.rectangle(
                    x, y, axes.x(Double(sum)) - x, step * 0.7, fill: fill, stroke: fill.color, title: String(count))
            }
            drawing.text(Words.of(row.prediction), axes.left - 6, y + step * 0.35 + 4.5, anchor: .end, size: 12)
        }
        axes.drawFrame(on: &drawing)
        return drawing.svg(title: "Calibration ladder", description: caption)
    }

    private var caption: String { "How many participants stand on each step of each prediction's calibration." }
}
