import Signals

/// Each interval over the one before it, with the SD1/SD2 ellipse (Brennan, Palaniswami & Kamen 2001, eq. 12-16).
struct PoincareFigure {
    let series: BeatSeries
    let id: String
    private let points: [(x: Double, y: Double)]
    private let sd1: Double?
    private let sd2: Double?

    init(_ series: BeatSeries, id: String) {
        self.series = series
        self.id = id
        points = series.pairs.map { ($0.first * 1_000, $0.second * 1_000) }.filter {
            $0.0.isSoundTime && $0.1.isSoundTime
        }
        let own = Self.deviations(points)
        // The drawn ellipse is the one of the table; where that tells none, there is none.
        func told(_ name: String, _ own: Double?) -> Double? {
            series.indices.first { $0.column.name == name }.map(\.value) ?? own
        }
        (sd1, sd2) = (told("sd1", own?.sd1), told("sd2", own?.sd2))
    }

    func figure() -> Figure {
        let points = points
        return Figure(
            id: id, title: "\(series.name): Poincaré plot", caption: caption, pictures: [(.half, picture())],
            data: FigureData(fileName: "\(id).tsv", header: ["ibi_ms", "nextIBI_ms"], count: points.count) {
                [NumberText.fixed(points[$0].x, 1), NumberText.fixed(points[$0].y, 1)]
            })
    }

    /// Standard deviations across and along the line of identity.
    static func deviations(_ points: [(x: Double, y: Double)]) -> (sd1: Double, sd2: Double)? {
        guard points.count > 2 else { return nil }
        func deviation(_ value: ((x: Double, y: Double)) -> Double) -> Double {
            let mean = points.reduce(0) { $0 + value($1) } / Double(points.count)
            let sum = points.reduce(0) { $0 + (value($1) - mean) * (value($1) - mean) }
            return (sum / Double(points.count - 1)).squareRoot()
        }
        let root = 0.5.squareRoot()
        return (deviation { ($0.y - $0.x) * root }, deviation { ($0.x + $0.y) * root })
    }

    private func picture() -> Markup {
        let layout = Figure.Layout.half
        var entries: [(sample: Legend.Sample, text: String)] = [
            (sample: .mark(.dot, Ink.blue, 3), text: "pair of NN"),
            (sample: .line(Ink.grey, width: 1, dash: "5 4"), text: "identity"),
        ]
        if let sd1, let sd2 {
            let values = "SD1 \(NumberText.significant(sd1, 3)), SD2 \(NumberText.significant(sd2, 3)) ms"
            entries.append((sample: .line(Ink.vermillion, width: 2, dash: nil), text: values))
        }
        let legend = Legend(entries: entries)
        let top = legend.height(width: layout.width - 62) + 8
        let (width, height) = (layout.width - 66 - 18, Figure.halfHeight - top - 46)
        var drawing = Drawing(id: "\(id)-svg", width: layout.width, height: Figure.halfHeight)
        legend.draw(on: &drawing, left: 56, top: 0, width: layout.width - 62)
        let range = range(ratio: width / height)
        let axes = Axes(left: 66, top: top, width: width, height: height, x: range.x, y: range.y)
        axes.drawVertical(
            Ticks.linear(range.y.lower, range.y.upper, count: 6), label: "next NN (ms)", on: &drawing, labelOffset: 52)
        axes.drawHorizontal(
            Ticks.linear(range.x.lower, range.x.upper, count: 6), label: "NN (ms)", on: &drawing, hasGrid: true)
        drawing.clipped(to: axes.rectangle) { drawing in
            drawing.line(
                axes.x(range.x.lower), axes.y(range.x.lower), axes.x(range.x.upper), axes.y(range.x.upper),
                color: Ink.grey, dash: "5 4")
            drawPoints(axes, on: &drawing)
            drawEllipse(axes, on: &drawing)
        }
        axes.drawFrame(on: &drawing)
        if points.isEmpty { drawing.text("no pairs to show", 66 + width / 2, top + height / 2, anchor: .middle) }
        return drawing.svg(title: "Poincaré plot of \(series.name)", description: caption)
    }

    /// Both axes at one scale, so that the ellipse is not bent; the wider axis shows a little more.
    private func range(ratio: Double) -> (x: (lower: Double, upper: Double), y: (lower: Double, upper: Double)) {
        let values = points.flatMap { [$0.x, $0.y] }
        let (low, high) = (values.min() ?? 500, values.max() ?? 1_300)
        let half = max((high - low) * 0.54, 20)
        let middle = (low + high) / 2
        return ((middle - half * ratio, middle + half * ratio), (middle - half, middle + half))
    }

    /// A dot per pair; of many pairs, a cell per place, the darker the more pairs it holds.
    private func drawPoints(_ axes: Axes, on drawing: inout Drawing) {
        guard isDense else {
            var path = PathText()
            for point in points { Mark.dot.append(to: &path, x: axes.x(point.x), y: axes.y(point.y), r: 1.7) }
            drawing.path(path, Mark.dot.attributes(color: Ink.blue, r: 1.7) + [("stroke-opacity", "0.6")])
            return
        }
        let cells = cells(axes)
        for (place, shade) in Self.shades.enumerated() {
            var path = PathText()
            for run in cells where run.level == place {
                let y = (Double(run.row) + 0.5) * Self.cell
                path.move(Double(run.columns.lowerBound) * Self.cell, y)
                path.line(Double(run.columns.upperBound) * Self.cell, y)
            }
            drawing.path(
                path,
                [
                    ("stroke", shade.color), ("stroke-width", NumberText.coordinate(Self.cell)), ("fill", "none"),
                    ("shape-rendering", "crispEdges"),
                ])
        }
    }

    private var isDense: Bool { points.count > 3_000 }

    /// The side of a cell in the picture.
    private static let cell = 2.0

    /// The least pairs of a shade.
    private static let shades: [(least: Int, color: String)] = [
        (1, "#9ecbe6"), (2, "#56a5d4"), (5, Ink.blue), (15, "#004d7a"), (40, "#00223a"),
    ]

    /// Runs of cells of one shade, row by row.
    private func cells(_ axes: Axes) -> [(row: Int, columns: Range<Int>, level: Int)] {
        var counts: [Int: Int] = [:]
        let across = 100_000
        for point in points {
            let column = Int(axes.x.clamped(point.x) / Self.cell)
            counts[Int(axes.y.clamped(point.y) / Self.cell) * across + column, default: 0] += 1
        }
        var runs: [(row: Int, columns: Range<Int>, level: Int)] = []
        for (place, count) in counts.sorted(by: { $0.key < $1.key }) {
            let (row, column) = (place / across, place % across)
            let level = (Self.shades.lastIndex { $0.least <= count }) ?? 0
            if let last = runs.last, last.row == row, last.level == level, last.columns.upperBound == column {
                runs[runs.count - 1].columns = last.columns.lowerBound..<column + 1
            } else {
                runs.append((row, column..<column + 1, level))
            }
        }
        return runs
    }

    private func drawEllipse(_ axes: Axes, on drawing: inout Drawing) {
        guard let sd1, let sd2, !points.isEmpty else { return }
        let n = Double(points.count)
        let center = (x: points.reduce(0) { $0 + $1.x } / n, y: points.reduce(0) { $0 + $1.y } / n)
        let root = 0.5.squareRoot()
        func place(along: Double, across: Double) -> (Double, Double) {
            (axes.x(center.x + (along - across) * root), axes.y(center.y + (along + across) * root))
        }
        var path = PathText()
        for step in Circle.points {
            let (x, y) = place(along: sd2 * step.cosine, across: sd1 * step.sine)
            path.next(x, y)
        }
        path.close()
        drawing.path(path, [("stroke", Ink.vermillion), ("stroke-width", "2"), ("fill", "none")])
        for end in [(sd2, 0.0), (0.0, sd1)] {
            let (x, y) = place(along: end.0, across: end.1)
            drawing.line(axes.x(center.x), axes.y(center.y), x, y, color: Ink.vermillion, width: 2)
        }
    }

    private var caption: String {
        guard !points.isEmpty else { return "No pairs of successive intervals: none follow one another." }
        return "Each NN interval over the one before it, in ms; n = \(NumberText.count(points.count)) pairs, coverage "
            + "\(NumberText.percent(series.coverage)). No pair spans a gap or a removed interval. "
            + (isDense ? "The darker a place, the more pairs it holds (steps at 2, 5, 15 and 40). " : "")
            + (sd1 == nil || sd2 == nil
                ? "SD1 and SD2 are not told, as the table says, and no ellipse is drawn."
                : "The ellipse has half-axes SD1 (across the identity line) and SD2.")
    }
}

/// Points of the unit circle, made by turning so that they are the same on every machine.
enum Circle {
    static let points: [(cosine: Double, sine: Double)] = {
        // cos and sin of 5°, to the last place of a Double.
        let (c, s) = (0.9961946980917455, 0.08715574274765817)
        var point = (cosine: 1.0, sine: 0.0)
        return (0..<72).map { _ in
            defer { point = (point.cosine * c - point.sine * s, point.sine * c + point.cosine * s) }
            return point
        }
    }()
}
