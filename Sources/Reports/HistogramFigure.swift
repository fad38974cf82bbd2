import Signals

/// How often intervals of each length occur, in the bins of the triangular index (1/128 s).
struct HistogramFigure {
    let series: BeatSeries
    let id: String
    /// Used intervals in ms.
    private let values: [Double]
    private let binWidth: Double
    private let firstBin: Int
    private let counts: [Int]

    init(_ series: BeatSeries, id: String) {
        self.series = series
        self.id = id
        let values = series.intervals.filter { $0.status != .removed && $0.duration > 0 && $0.duration < 1e5 }
            .map { $0.duration * 1_000 }
        var width = 1_000.0 / 128
        let low = values.min() ?? 0
        let high = values.max() ?? 0
        while (high - low) / width > 160 { width *= 2 }
        let first = Int((low / width).rounded(.down))
        var counts = values.isEmpty ? [] : [Int](repeating: 0, count: Int((high / width).rounded(.down)) - first + 1)
        for value in values { counts[Int((value / width).rounded(.down)) - first] += 1 }
        self.values = values.sorted()
        self.counts = counts
        binWidth = width
        firstBin = first
    }

    func figure() -> Figure {
        let (counts, binWidth, firstBin) = (counts, binWidth, firstBin)
        return Figure(
            id: id, title: "\(series.name): histogram of intervals", caption: caption, pictures: [(.half, picture())],
            data: FigureData(fileName: "\(id).tsv", header: ["from_ms", "to_ms", "count"], count: counts.count) {
                let lower = Double(firstBin + $0) * binWidth
                return [NumberText.fixed(lower, 4), NumberText.fixed(lower + binWidth, 4), String(counts[$0])]
            })
    }

    private var median: Double? {
        guard !values.isEmpty else { return nil }
        return (values[(values.count - 1) / 2] + values[values.count / 2]) / 2
    }

    private func picture() -> Markup {
        let layout = Figure.Layout.half
        var entries: [(sample: Legend.Sample, text: String)] = []
        if let median {
            let label = "median \(NumberText.fixed(median, 0)) ms"
            entries.append((sample: .line(Ink.vermillion, width: 2, dash: "6 3"), text: label))
        }
        let legend = Legend(entries: entries)
        let top = legend.height(width: layout.width - 62) + 8
        let height = Figure.halfHeight
        var drawing = Drawing(id: "\(id)-svg", width: layout.width, height: height)
        legend.draw(on: &drawing, left: 62, top: 0, width: layout.width - 62)
        let lower = Double(firstBin) * binWidth - binWidth
        let upper = Double(firstBin + counts.count) * binWidth + binWidth
        let axes = Axes(
            left: 66, top: top, width: layout.width - 66 - 18, height: height - top - 46,
            x: values.isEmpty ? (400, 1_400) : (lower, upper), y: (0, Double(counts.max() ?? 1) * 1.06))
        axes.drawVertical(
            wholeTicks(upTo: axes.y.upper), label: "number of intervals", on: &drawing, labelOffset: 52)
        axes.drawHorizontal(Ticks.linear(axes.x.lower, axes.x.upper, count: 6), label: "NN (ms)", on: &drawing)
        var path = PathText()
        for (place, count) in counts.enumerated() where count > 0 {
            let left = Double(firstBin + place) * binWidth
            path.move(axes.x(left), axes.bottom)
            path.line(axes.x(left), axes.y(Double(count)))
            path.line(axes.x(left + binWidth), axes.y(Double(count)))
            path.line(axes.x(left + binWidth), axes.bottom)
            path.close()
        }
        drawing.path(path, [("fill", Ink.sky), ("stroke", "#ffffff"), ("stroke-width", "0.5")])
        if let median {
            drawing.line(
                axes.x(median), axes.top, axes.x(median), axes.bottom, color: Ink.vermillion, width: 2, dash: "6 3")
        }
        axes.drawFrame(on: &drawing)
        if values.isEmpty {
            drawing.text("no intervals to show", axes.left + axes.width / 2, top + axes.height / 2, anchor: .middle)
        }
        return drawing.svg(title: "Histogram of the intervals of \(series.name)", description: caption)
    }

    private func wholeTicks(upTo upper: Double) -> Ticks {
        var ticks = Ticks.linear(0, upper, count: 6)
        ticks.labels.removeAll { $0.value != $0.value.rounded() }
        return Ticks(labels: ticks.labels.map { ($0.value, NumberText.count(Int($0.value))) })
    }

    private var caption: String {
        guard !values.isEmpty else { return "No intervals to count." }
        let width = NumberText.fixed(binWidth, binWidth < 10 ? 4 : 1)
        return "Kept and corrected intervals in bins of \(width) ms; n = \(NumberText.count(values.count)), "
            + "coverage \(NumberText.percent(series.coverage))."
    }
}
