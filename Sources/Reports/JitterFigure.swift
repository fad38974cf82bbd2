import Cardiac
import Pipeline
import Signals

/// How far detected beats lie from their reference beats, each channel's median offset taken away.
struct JitterFigure {
    private let deviations: [Double]
    private let id: String
    /// In milliseconds.
    private let binWidth: Double
    private let reach: Double
    private let counts: [Int]

    init(_ channels: [ValidatedChannel], id: String) {
        self.id = id
        var deviations: [Double] = []
        for channel in channels {
            guard let comparison = channel.comparisons.first, let centre = comparison.medianOffset else { continue }
            deviations += comparison.offsets.map { ($0 - centre) * 1_000 }
        }
        deviations.sort()
        self.deviations = deviations
        let sizes = deviations.map(\.magnitude).sorted()
        let wanted = sizes.isEmpty ? 10 : max(4, sizes[min(sizes.count - 1, sizes.count * 99 / 100)])
        let width = [0.25, 0.5, 1, 2, 5, 10, 20, 50].first { $0 * 40 >= wanted } ?? wanted / 40
        let half = Int((wanted / width).rounded(.up))
        var counts = [Int](repeating: 0, count: 2 * half + 1)
        for deviation in deviations {
            let bin = Int((deviation / width).rounded()) + half
            if counts.indices.contains(bin) { counts[bin] += 1 }
        }
        binWidth = width
        reach = (Double(half) + 0.5) * width
        self.counts = counts
    }

    func figure() -> Figure {
        let (counts, binWidth, reach) = (counts, binWidth, reach)
        return Figure(
            id: id, title: "Jitter", caption: caption, pictures: [(.half, picture())],
            data: FigureData(fileName: "\(id).tsv", header: ["from_ms", "to_ms", "count"], count: counts.count) {
                let lower = Double($0) * binWidth - reach
                return [NumberText.fixed(lower, 3), NumberText.fixed(lower + binWidth, 3), String(counts[$0])]
            }, live: nil)
    }

    private func picture() -> Markup {
        let layout = Figure.Layout.half
        let height = Figure.halfHeight
        var drawing = Drawing(id: "\(id)-svg", width: layout.width, height: height)
        let axes = Axes(
            left: 66, top: 12, width: layout.width - 66 - 18, height: height - 12 - 46, x: (-reach, reach),
            y: (0, Double(max(1, counts.max() ?? 1)) * 1.06))
        var ticks = Ticks.linear(0, axes.y.upper, count: 6)
        ticks.labels.removeAll { $0.value != $0.value.rounded() }
        axes.drawVertical(
            Ticks(labels: ticks.labels.map { ($0.value, NumberText.count(Int($0.value))) }), label: "number of beats",
            on: &drawing, labelOffset: 52)
        axes.drawHorizontal(
            Ticks.linear(-reach, reach, count: 6), label: "detected minus reference (ms)", on: &drawing)
        var path = PathText()
        for (place, count) in counts.enumerated() where count > 0 {
            let left = Double(place) * binWidth - reach
            path.move(axes.x(left), axes.bottom)
            path.line(axes.x(left), axes.y(Double(count)))
            path.line(axes.x(left + binWidth), axes.y(Double(count)))
            path.line(axes.x(left + binWidth), axes.bottom)
            path.close()
        }
        drawing.path(path, [("fill", Ink.sky), ("stroke", "#ffffff"), ("stroke-width", "0.5")])
        axes.drawFrame(on: &drawing)
        if deviations.isEmpty {
            drawing.text("no pairs to show", axes.left + axes.width / 2, height / 2, anchor: .middle)
        }
        return drawing.svg(title: "Histogram of jitter", description: caption)
    }

    private var caption: String {
        guard !deviations.isEmpty else { return "No beat was paired." }
        let beyond = Double(deviations.count { $0.magnitude > reach }) / Double(deviations.count)
        return
            "Detected minus reference time of n = \(NumberText.count(deviations.count)) paired beats, each channel's median "
            + "offset taken away, in bins of \(NumberText.significant(binWidth)) ms; \(NumberText.percent(beyond)) lie beyond."
    }
}
