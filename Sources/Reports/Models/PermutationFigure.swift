import Decoding

/// The AUC under the blocks' real names beside those under names shared out otherwise.
struct PermutationFigure {
    private let result: PermutationResult
    private let id: String

    init(_ result: PermutationResult, id: String) {
        (self.result, self.id) = (result, id)
    }

    func figure() -> Figure {
        let (result, width) = (result, PermutationResult.binWidth)
        return Figure(
            id: id, title: "Beside chance",
            caption:
                "How many of \(NumberText.count(result.labellings)) ways to share the two names out among the blocks "
                + "reach which AUC; dashed: the real one, \(NumberText.significant(result.observed, 3)), which "
                + "\(NumberText.count(result.asGood)) of them, itself included, reach (p = "
                + "\(NumberText.significant(result.p, 2))).",
            pictures: [(.half, picture)],
            data: FigureData(
                fileName: "\(id).tsv", header: ["from", "to", "count"], count: result.histogram.count
            ) { place in
                let lower = Double(place) * width
                return [NumberText.fixed(lower, 3), NumberText.fixed(lower + width, 3), "\(result.histogram[place])"]
            })
    }

    private var picture: Markup {
        let (width, height) = (Figure.Layout.half.width, Figure.halfHeight)
        var drawing = Drawing(id: "\(id)-half", width: width, height: height)
        let axes = Axes(
            left: 66, top: 14, width: width - 66 - 18, height: height - 62, x: (0, 1),
            y: (0, Double(result.histogram.max() ?? 1) * 1.06))
        axes.drawVertical(
            Ticks.linear(0, axes.y.upper, count: 5), label: "ways to name the blocks", on: &drawing, labelOffset: 52)
        axes.drawHorizontal(Ticks.linear(0, 1, count: 5), label: "AUC", on: &drawing)
        var path = PathText()
        for (place, count) in result.histogram.enumerated() where count > 0 {
            let left = Double(place) * PermutationResult.binWidth
            path.move(axes.x(left), axes.bottom)
            path.line(axes.x(left), axes.y(Double(count)))
            path.line(axes.x(left + PermutationResult.binWidth), axes.y(Double(count)))
            path.line(axes.x(left + PermutationResult.binWidth), axes.bottom)
            path.close()
        }
        drawing.path(path, [("fill", Ink.sky), ("stroke", "#ffffff"), ("stroke-width", "0.5")])
        let place = axes.x(result.observed)
        drawing.line(place, axes.top, place, axes.bottom, color: Ink.vermillion, width: 2, dash: "6 3")
        axes.drawFrame(on: &drawing)
        return drawing.svg(title: "Beside chance", description: "AUC of all ways to name the blocks")
    }
}
