import Signals

/// Beats laid over one another, with their mean.
struct OverlayFigure {
    let name: String
    let coverage: Double?
    let overlay: BeatOverlay
    let id: String
    /// The most beats drawn.
    private static let limit = 150
    /// Columns a beat is thinned to; each keeps its extremes.
    private static let columns = 24

    /// Evenly spread waveforms.
    private var shown: [[Float]] {
        let all = overlay.waveforms
        guard all.count > Self.limit else { return all }
        return (0..<Self.limit).map { all[$0 * all.count / Self.limit] }
    }

    /// Mean, standard deviation and number per sample, over what is there.
    private var statistics: [(mean: Double, sd: Double, n: Int)] {
        let length = max(overlay.waveforms.map(\.count).max() ?? 0, overlay.mean?.count ?? 0)
        return (0..<length).map { place in
            var (sum, squares, n) = (0.0, 0.0, 0)
            for wave in overlay.waveforms where place < wave.count && wave[place].isFinite {
                sum += Double(wave[place])
                n += 1
            }
            let own = n > 0 ? sum / Double(n) : Double.nan
            for wave in overlay.waveforms where place < wave.count && wave[place].isFinite {
                squares += (Double(wave[place]) - own) * (Double(wave[place]) - own)
            }
            let given = overlay.mean.flatMap { place < $0.count ? Double($0[place]) : nil }
            return (given ?? own, n > 1 ? (squares / Double(n - 1)).squareRoot() : .nan, n)
        }
    }

    func figure() -> Figure {
        let statistics = statistics
        let shown = shown
        let overlay = overlay
        // The single beats go into the data where they fit.
        let given = statistics.count * (shown.count + 4) * 7 < FigureData.ordinaryLimit ? shown : []
        let data = FigureData(
            fileName: "\(id).tsv",
            header: ["time_s", "mean", "sd", "n"] + given.indices.map { "beat\($0 + 1)" }, count: statistics.count
        ) { place in
            let time = Double(place - overlay.alignment) / overlay.sampleRate
            let row = statistics[place]
            return [
                NumberText.fixed(time, 5), NumberText.significant(row.mean, 5), NumberText.significant(row.sd, 5),
                String(row.n),
            ] + given.map { place < $0.count ? NumberText.significant(Double($0[place]), 4) : NumberText.missing }
        }
        return Figure(
            id: id, title: "\(name): beat overlay", caption: caption(shown.count),
            pictures: [(.half, picture(shown, statistics))], data: data)
    }

    private func picture(_ shown: [[Float]], _ statistics: [(mean: Double, sd: Double, n: Int)]) -> Markup {
        let layout = Figure.Layout.half
        let legend = Legend(entries: [
            (sample: .line(Ink.blue, width: 1, dash: nil), text: "beats (\(shown.count) drawn)"),
            (sample: .line(Ink.black, width: 2.5, dash: nil), text: "mean"),
        ])
        let top = legend.height(width: layout.width - 62) + 8
        let height = Figure.halfHeight
        var drawing = Drawing(id: "\(id)-svg", width: layout.width, height: height)
        legend.draw(on: &drawing, left: 62, top: 0, width: layout.width - 62)
        let values = shown.joined().filter(\.isFinite).map(Double.init) + statistics.map(\.mean).filter(\.isFinite)
        let (low, high) = (values.min() ?? -1, values.max() ?? 1)
        let margin = max((high - low) * 0.05, 1e-9)
        let rate = overlay.sampleRate > 0 && overlay.sampleRate.isFinite ? overlay.sampleRate : 1
        let start = -Double(overlay.alignment) / rate * 1_000
        let end = start + Double(max(1, statistics.count - 1)) / rate * 1_000
        let axes = Axes(
            left: 66, top: top, width: layout.width - 66 - 18, height: height - top - 46, x: (start, end),
            y: (low - margin, high + margin))
        let unit = "amplitude (\(Headline.name(of: overlay.unit, unknown: "device units")))"
        axes.drawVertical(
            Ticks.linear(axes.y.lower, axes.y.upper, count: 6), label: unit, on: &drawing, labelOffset: 52)
        axes.drawHorizontal(
            Ticks.linear(start, end, count: 6), label: "time from the beat (ms)", on: &drawing, hasGrid: true)
        drawing.clipped(to: axes.rectangle) { drawing in
            let opacity = NumberText.fixed(max(0.1, min(0.6, 8 / Double(max(1, shown.count)))), 2)
            drawing.group(
                [("stroke", Ink.blue), ("stroke-opacity", opacity), ("fill", "none"), ("stroke-linejoin", "round")]
            ) { drawing in
                for wave in shown {
                    drawing.path(path(wave.map(Double.init), columns: Self.columns, start, rate, axes), [])
                }
            }
            let mean = path(statistics.map(\.mean), columns: 400, start, rate, axes)
            drawing.path(
                mean, [("stroke", "#ffffff"), ("stroke-width", "4.5"), ("stroke-opacity", "0.8"), ("fill", "none")])
            drawing.path(mean, [("stroke", Ink.black), ("stroke-width", "2.2"), ("fill", "none")])
        }
        axes.drawFrame(on: &drawing)
        if values.isEmpty {
            drawing.text("no beats to show", axes.left + axes.width / 2, top + axes.height / 2, anchor: .middle)
        }
        return drawing.svg(title: "Beats of \(name) laid over one another", description: caption(shown.count))
    }

    private func path(
        _ wave: [Double], columns: Int, _ start: Double, _ rate: Double, _ axes: Axes
    ) -> PathText {
        var path = PathText()
        let indices = Extremes.indices(
            count: wave.count, columns: columns, lower: 0, upper: Double(wave.count), position: { Double($0) },
            value: { wave[$0].isFinite ? wave[$0] : 0 })
        for index in indices {
            if wave[index].isFinite {
                path.next(axes.x(start + Double(index) / rate * 1_000), axes.y(wave[index]))
            } else {
                path.lift()
            }
        }
        path.lift()
        return path
    }

    private func caption(_ drawn: Int) -> String {
        guard drawn > 0 else { return "No beats to lay over one another." }
        let unit = Headline.name(of: overlay.unit, unknown: "unknown unit")
        let rate = NumberText.significant(overlay.sampleRate)
        return
            "Beats aligned at their time, in \(unit), \(rate) Hz; n = \(NumberText.count(overlay.beatCount)) beats, coverage "
            + "\(NumberText.percent(coverage)); "
            + "\(drawn) of them drawn, evenly spread over the recording; black: mean\(overlay.mean == nil && drawn < overlay.beatCount ? " of those" : "")."
    }
}
