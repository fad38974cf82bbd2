import GroupStatistics

/// A line per person from condition to condition, and the mean over people.
struct SpaghettiFigure {
    private let spread: GroupReport.Spread
    private let id: String

    init(_ spread: GroupReport.Spread, id: String) {
        self.spread = spread
        self.id = id
    }

    func figure() -> Figure {
        let spread = spread
        return Figure(
            id: id, title: "\(spread.index.label) by condition", caption: caption, pictures: [(.half, picture())],
            data: FigureData(
                fileName: "\(id).tsv", header: ["participant"] + spread.conditions, count: spread.values.count
            ) {
                [spread.values[$0].person]
                    + spread.values[$0].values.map { $0.map { NumberText.significant($0, 6) } ?? NumberText.missing }
            })
    }

    private func picture() -> Markup {
        let layout = Figure.Layout.half
        var drawing = Drawing(id: "\(id)-svg", width: layout.width, height: Figure.halfHeight)
        let all = spread.values.flatMap { $0.values.compactMap { $0 } }.filter(\.isFinite)
        let (low, high) = (all.min() ?? 0, all.max() ?? 1)
        let margin = max((high - low) * 0.05, 1e-9)
        let last = Double(spread.conditions.count - 1)
        let axes = Axes(
            left: 62, top: 10, width: layout.width - 62 - 20, height: Figure.halfHeight - 10 - 48,
            x: (-0.35, last + 0.35), y: (low - margin, high + margin))
        axes.drawVertical(Ticks.linear(axes.y.lower, axes.y.upper, count: 5), label: "", on: &drawing)
        axes.drawHorizontal(
            Ticks(labels: spread.conditions.enumerated().map { (Double($0), String($1.prefix(18))) }),
            label: "condition",
            on: &drawing)
        drawPeople(axes, on: &drawing)
        drawMeans(axes, on: &drawing)
        axes.drawFrame(on: &drawing)
        return drawing.svg(title: "\(spread.index.label) by condition", description: caption)
    }

    private func drawPeople(_ axes: Axes, on drawing: inout Drawing) {
        var lines = PathText()
        for (_, values) in spread.values {
            for (place, value) in values.enumerated() {
                if let value, value.isFinite {
                    lines.next(axes.x(Double(place)), axes.y(value))
                } else {
                    lines.lift()
                }
            }
            lines.lift()
        }
        let opacity = spread.values.count > 60 ? "0.25" : "0.55"
        drawing.path(
            lines,
            [
                ("stroke", Ink.grey), ("stroke-width", "1"), ("stroke-linecap", "round"), ("fill", "none"),
                ("stroke-opacity", opacity),
            ])
    }

    private func drawMeans(_ axes: Axes, on drawing: inout Drawing) {
        var line = PathText()
        for place in spread.conditions.indices {
            let found = Descriptives(spread.values.map { $0.values[place] ?? .nan })
            guard found.n > 0 else {
                line.lift()
                continue
            }
            let x = axes.x(Double(place))
            line.next(x, axes.y(found.mean))
            if found.meanLow.isFinite {
                drawing.line(
                    x, axes.y.clamped(found.meanLow), x, axes.y.clamped(found.meanHigh), color: Ink.vermillion, width: 4
                )
            }
        }
        line.lift()
        drawing.path(
            line,
            [("stroke", Ink.vermillion), ("stroke-width", "2.4"), ("stroke-linecap", "round"), ("fill", "none")])
    }

    private var caption: String {
        let complete = spread.values.count { $0.values.allSatisfy { $0 != nil } }
        return "A thin line per participant, the mean in bold with its 95 % interval; n = "
            + "\(NumberText.count(spread.values.count)) participants, \(NumberText.count(complete)) with all conditions."
    }
}
