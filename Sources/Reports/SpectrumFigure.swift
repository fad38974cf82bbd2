import Signals

/// Power density of the intervals, with the bands filled.
struct SpectrumFigure {
    let name: String
    let coverage: Double?
    let spectrum: Spectrum
    let id: String

    /// The points that can be drawn.
    private var points: [(f: Double, p: Double)] {
        zip(spectrum.frequencies, spectrum.density).filter { $0.0.isFinite && $0.1.isFinite }.map { ($0.0, $0.1) }
    }

    func figure() -> Figure {
        let points = points
        return Figure(
            id: id, title: "\(name): power spectrum, \(spectrum.method.prefix { $0 != "," })", caption: caption(points),
            pictures: [(.half, picture(points))],
            data: FigureData(
                fileName: "\(id).tsv", header: ["frequency_Hz", "density_ms2_per_Hz"], count: points.count
            ) {
                [NumberText.fixed(points[$0].f, 6), NumberText.significant(points[$0].p, 6)]
            })
    }

    private func picture(_ points: [(f: Double, p: Double)]) -> Markup {
        let layout = Figure.Layout.half
        let legend = Legend(
            entries: spectrum.bands.enumerated().map { place, band in
                (sample: .area(Self.fill(band, place)), text: Self.label(band))
            })
        // Above the plot are the names of the bands, which the curve would cross within.
        let top = legend.height(width: layout.width - 62) + 20
        let height = Figure.halfHeight
        var drawing = Drawing(id: "\(id)-svg", width: layout.width, height: height)
        legend.draw(on: &drawing, left: 62, top: 0, width: layout.width - 62)
        let upper = min(spectrum.bands.map(\.upper).max() ?? 0.5, points.last?.f ?? 0.5)
        let shown = points.filter { $0.f <= upper }
        let peak = shown.map(\.p).max() ?? 0
        let inLarge = peak >= 10_000
        let factor = inLarge ? 1e-3 : 1
        let axes = Axes(
            left: 66, top: top, width: layout.width - 66 - 18, height: height - top - 46,
            x: (0, upper > 0 ? upper : 0.5),
            y: (0, peak > 0 ? peak * 1.06 * factor : 1))
        let unit = inLarge ? "power density (10³ ms²/Hz)" : "power density (ms²/Hz)"
        axes.drawVertical(Ticks.linear(0, axes.y.upper, count: 6), label: unit, on: &drawing, labelOffset: 52)
        axes.drawHorizontal(Ticks.linear(0, axes.x.upper, count: 6), label: "frequency (Hz)", on: &drawing)
        let scaled = shown.map { (f: $0.f, p: $0.p * factor) }
        // A curve without one power in the table invites to measure by it.
        let isComputed = spectrum.bands.isEmpty || spectrum.bands.contains { $0.power != nil }
        if isComputed {
            drawing.clipped(to: axes.rectangle) { drawing in
                for (place, band) in spectrum.bands.enumerated() where band.power != nil {
                    draw(band, place, scaled, axes, on: &drawing)
                }
                var path = PathText()
                for point in scaled { path.next(axes.x(point.f), axes.y(point.p)) }
                drawing.path(path, [("stroke", Ink.black), ("stroke-width", "1.3"), ("fill", "none")])
            }
        }
        drawBandNames(axes, on: &drawing)
        axes.drawFrame(on: &drawing)
        if points.isEmpty || !isComputed {
            drawing.text(
                points.isEmpty ? "no spectrum" : "no power was computed", axes.left + axes.width / 2,
                top + axes.height / 2, anchor: .middle)
        }
        return drawing.svg(title: "Power spectrum of \(name)", description: caption(points))
    }

    private func draw(
        _ band: Spectrum.Band, _ place: Int, _ points: [(f: Double, p: Double)], _ axes: Axes, on drawing: inout Drawing
    ) {
        var inside = points.filter { $0.f > band.lower && $0.f < band.upper }
        if let start = Self.density(at: band.lower, points) { inside.insert((band.lower, start), at: 0) }
        if let end = Self.density(at: band.upper, points) { inside.append((band.upper, end)) }
        guard let first = inside.first, let last = inside.last, inside.count > 1 else { return }
        var path = PathText()
        path.move(axes.x(first.f), axes.bottom)
        for point in inside { path.line(axes.x(point.f), axes.y(point.p)) }
        path.line(axes.x(last.f), axes.bottom)
        path.close()
        drawing.path(path, [("fill", drawing.paint(Self.fill(band, place)))], title: Self.label(band))
        drawing.line(axes.x(band.upper), axes.top, axes.x(band.upper), axes.bottom, color: "#bdbdbd", dash: "2 3")
    }

    private func drawBandNames(_ axes: Axes, on drawing: inout Drawing) {
        for band in spectrum.bands {
            let first = axes.x.clamped(band.lower)
            let last = axes.x.clamped(band.upper)
            guard Drawing.width(of: band.name, size: 12) < last - first + 4 else { continue }
            drawing.text(
                band.name, (first + last) / 2, axes.top - 5, anchor: .middle, size: 12, isBold: true)
        }
    }

    /// The density between two points, on the line that joins them.
    private static func density(at f: Double, _ points: [(f: Double, p: Double)]) -> Double? {
        guard let after = points.firstIndex(where: { $0.f >= f }) else { return nil }
        if points[after].f == f { return points[after].p }
        guard after > 0 else { return nil }
        let (a, b) = (points[after - 1], points[after])
        return a.p + (b.p - a.p) * (f - a.f) / (b.f - a.f)
    }

    private static func label(_ band: Spectrum.Band) -> String {
        let power = band.power.map { $0.isFinite ? "\(NumberText.significant($0, 3)) ms²" : NumberText.missing }
        return "\(band.name) \(edge(band.lower))–\(edge(band.upper)) Hz: \(power ?? NumberText.missing)"
    }

    private static func edge(_ f: Double) -> String {
        var text = NumberText.fixed(f, 4)
        while text.hasSuffix("0"), !text.hasSuffix(".0") { text.removeLast() }
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    private static func fill(_ band: Spectrum.Band, _ place: Int) -> Fill {
        switch band.name {
        case "ULF": Fill(color: Ink.purple, pattern: .upright)
        case "VLF": Fill(color: Ink.orange, pattern: .dotted)
        case "LF": Fill(color: Ink.blue, pattern: .rising)
        case "HF": Fill(color: Ink.green, pattern: .falling)
        default: Fill(color: Ink.grey, pattern: [.level, .crossed, .upright][place % 3])
        }
    }

    private func caption(_ points: [(f: Double, p: Double)]) -> String {
        guard !points.isEmpty else { return "No spectrum: \(spectrum.method)." }
        return "Power density of the NN intervals in ms²/Hz (\(spectrum.method)); n = "
            + "\(Words.count(points.count, "frequency", "frequencies")), coverage \(NumberText.percent(coverage)). "
            + "Band powers in ms²."
    }
}
