import Decoding

/// How often the high state really was there, over what the model said: on the diagonal a model is honest.
struct ReliabilityFigure {
    private let bins: [Scores.Bin]
    private let id: String

    init(_ bins: [Scores.Bin], id: String) {
        (self.bins, self.id) = (bins, id)
    }

    func figure() -> Figure {
        let bins = bins
        return Figure(
            id: id, title: "Reliability",
            caption:
                "Share of the high state among epochs with a value like this, states counting alike; the larger the "
                + "dot, the more epochs. On the dashed line, values are probabilities.",
            pictures: [(.half, picture)],
            data: FigureData(fileName: "\(id).tsv", header: ["value", "share", "weight"], count: bins.count) { place in
                [bins[place].value, bins[place].share, bins[place].weight].map { NumberText.significant($0, 6) }
            })
    }

    private var picture: Markup {
        let (width, height) = (Figure.Layout.half.width, Figure.halfHeight)
        var drawing = Drawing(id: "\(id)-half", width: width, height: height)
        let side = height - 62
        let axes = Axes(left: 64, top: 14, width: side, height: side, x: (0, 1), y: (0, 1))
        axes.drawVertical(Ticks.linear(0, 1, count: 5), label: "share of the high state", on: &drawing)
        axes.drawHorizontal(Ticks.linear(0, 1, count: 5), label: "value of the model", on: &drawing)
        drawing.line(axes.left, axes.bottom, axes.right, axes.top, color: Ink.grey, width: 1, dash: "5 4")
        var line = PathText()
        for bin in bins { line.next(axes.x(bin.value), axes.y(bin.share)) }
        line.lift()
        drawing.path(line, [("stroke", Ink.blue), ("stroke-width", "1.4"), ("fill", "none")])
        for bin in bins {
            var dot = PathText()
            let size = 2.5 + 9 * bin.weight.squareRoot()
            Mark.dot.append(to: &dot, x: axes.x(bin.value), y: axes.y(bin.share), r: size)
            drawing.path(dot, Mark.dot.attributes(color: Ink.blue, r: size))
        }
        axes.drawFrame(on: &drawing)
        return drawing.svg(title: "Reliability", description: "Share of the high state over the model's value")
    }
}
