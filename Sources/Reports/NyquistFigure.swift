import Electrochemistry

/// The Nyquist plot of an impedance spectrum: capacitive part over real part, in one scale, with the fitted semicircle.
struct NyquistFigure {
    private let spectrum: ImpedanceSpectrum
    private let name: String
    private let id: String

    /// nil where there are no points.
    init?(_ spectrum: ImpedanceSpectrum, name: String, id: String) {
        guard spectrum.points.contains(where: { $0.real.isFinite && $0.imaginary.isFinite }) else { return nil }
        (self.spectrum, self.name, self.id) = (spectrum, name, id)
    }

    func figure() -> Figure {
        let points = spectrum.points
        return Figure(
            id: id, title: "\(name): Nyquist plot", caption: caption, pictures: [(.half, picture)],
            data: FigureData(
                fileName: "\(id).tsv", header: ["frequency", "real", "imaginary"], count: points.count
            ) {
                [points[$0].frequency, points[$0].real, points[$0].imaginary].map { NumberText.significant($0, 6) }
            })
    }

    private var picture: Markup {
        let (width, height) = (Figure.Layout.half.width, Figure.halfHeight)
        var drawing = Drawing(id: "\(id)-half", width: width, height: height)
        let (left, top, side) = (64.0, 14.0, height - 62)
        let points = spectrum.points.filter { $0.real.isFinite && $0.imaginary.isFinite }
        let real = (min(0, points.map(\.real).min() ?? 0), max(1e-9, points.map(\.real).max() ?? 1))
        let rise = (min(0, points.map { -$0.imaginary }.min() ?? 0), max(0, points.map { -$0.imaginary }.max() ?? 1))
        // One scale for both parts, or a circle is none.
        let span = max(real.1 - real.0, rise.1 - rise.0) * 1.08
        let axes = Axes(
            left: left, top: top, width: width - left - 18, height: side,
            x: (real.0, real.0 + span * (width - left - 18) / side), y: (rise.0, rise.0 + span))
        axes.drawVertical(
            Ticks.linear(axes.y.lower, axes.y.upper, count: 5), label: "−Im Z (Ω)", on: &drawing, labelOffset: 50)
        axes.drawHorizontal(
            Ticks.linear(axes.x.lower, axes.x.upper, count: 5), label: "Re Z (Ω)", on: &drawing)
        drawCircle(axes, on: &drawing)
        var (line, dots) = (PathText(), PathText())
        for point in points {
            line.next(axes.x(point.real), axes.y(-point.imaginary))
            Mark.dot.append(to: &dots, x: axes.x(point.real), y: axes.y(-point.imaginary), r: 2.6)
        }
        line.lift()
        drawing.path(line, [("stroke", Ink.sky), ("stroke-width", "1"), ("fill", "none")])
        drawing.path(dots, Mark.dot.attributes(color: Ink.blue, r: 2.6))
        axes.drawFrame(on: &drawing)
        return drawing.svg(title: "\(name): Nyquist plot", description: caption)
    }

    /// The semicircle's ends on the real axis.
    private func drawCircle(_ axes: Axes, on drawing: inout Drawing) {
        guard let circle = spectrum.circle else { return }
        for place in [circle.solution, circle.solution + circle.transfer] where axes.x.contains(place) {
            let x = axes.x(place)
            drawing.line(x, axes.y(0) - 8, x, axes.y(0) + 4, color: Ink.vermillion, width: 1.6, dash: nil)
        }
    }

    private var caption: String {
        let points = spectrum.points
        var text = "Impedance at n = \(Words.count(points.count, "frequency", "frequencies"))"
        if let high = points.first, let low = points.last {
            text += ", \(NumberText.significant(low.frequency, 3))–\(NumberText.significant(high.frequency, 3)) Hz"
        }
        text += "; \(NumberText.count(spectrum.overloaded)) overloaded points left out."
        guard let circle = spectrum.circle else { return text }
        return text + " Marks on the axis: ends of the semicircle nearest to the capacitive points, solution "
            + "\(NumberText.significant(circle.solution, 3)) Ω, charge transfer "
            + "\(NumberText.significant(circle.transfer, 3)) Ω, apex \(NumberText.significant(circle.apex, 3)) Hz, "
            + "misfit \(NumberText.percent(circle.misfit)) of the radius."
    }
}
