import Electrochemistry

/// The current of a potentiostat: over time, or over the potential that was swept.
struct CurrentFigure {
    /// One line of the picture.
    private struct Line {
        var points: [(x: Double, y: Double)]
        var peaks: [(x: Double, y: Double)] = []
    }

    private let lines: [Line]
    private let place: (label: String, word: String, column: String)
    private let unit: (factor: Double, symbol: String)
    private let name: String
    private let id: String

    /// Current over time, or over the instrument's packages where they have no times; nil where there are fewer than two usable points.
    init?(_ points: [ElectrochemicalPoint], name: String, id: String) {
        let measured = points.filter { $0.isUsable && $0.current != nil }
        // A line through a gap would show what was not measured.
        let lines = ElectrochemicalPoint.stretches(of: measured).map { stretch in
            Line(points: stretch.compactMap { point in point.current.map { (x: point.onset, y: $0) } })
        }
        let isTimed = points.allSatisfy(\.isTimed)
        self.init(
            lines,
            isTimed ? ("Time (s)", "over time", "onset") : ("Package", "over the packages", "package"), name, id)
    }

    /// Current over potential, a line per sweep, peaks marked; nil where there are fewer than two usable points.
    init?(_ sweeps: [LinearSweep], name: String, id: String) {
        let lines = sweeps.map { sweep in
            Line(
                points: sweep.points.compactMap { point in
                    point.potential.flatMap { potential in point.current.map { (x: potential, y: $0) } }
                }, peaks: sweep.peaks.map { ($0.potential, $0.current) })
        }
        self.init(lines, ("Potential (V)", "over potential", "potential"), name, id)
    }

    private init?(_ lines: [Line], _ place: (String, String, String), _ name: String, _ id: String) {
        let sound = lines.map { line in
            Line(points: line.points.filter { $0.x.isFinite && $0.y.isFinite }, peaks: line.peaks)
        }
        guard sound.contains(where: { $0.points.count > 1 }) else { return nil }
        self.lines = sound
        self.place = place
        self.name = name
        self.id = id
        unit = Self.unit(sound.flatMap(\.points).map { abs($0.y) }.max() ?? 1)
    }

    /// The unit in which the largest current has up to three digits before its point.
    private static func unit(_ largest: Double) -> (factor: Double, symbol: String) {
        let units = [(1.0, "A"), (1e3, "mA"), (1e6, "µA"), (1e9, "nA"), (1e12, "pA")]
        return units.first { largest * $0.0 >= 1 } ?? (1e12, "pA")
    }

    func figure() -> Figure {
        let rows = lines.enumerated().flatMap { number, line in line.points.map { (number + 1, $0.x, $0.y) } }
        return Figure(
            id: id, title: "\(name): current \(place.word)", caption: caption, pictures: [(.half, picture)],
            data: FigureData(fileName: "\(id).tsv", header: ["line", place.column, "current"], count: rows.count) {
                ["\(rows[$0].0)", NumberText.significant(rows[$0].1, 6), NumberText.significant(rows[$0].2, 6)]
            })
    }

    private var picture: Markup {
        let (width, height) = (Figure.Layout.half.width, Figure.halfHeight)
        var drawing = Drawing(id: "\(id)-half", width: width, height: height)
        let all = lines.flatMap(\.points)
        let (least, most) = (all.map(\.y).min() ?? 0, all.map(\.y).max() ?? 1)
        let margin = 0.05 * (most - least)
        let axes = Axes(
            left: 64, top: 14, width: width - 82, height: height - 62,
            x: (all.map(\.x).min() ?? 0, all.map(\.x).max() ?? 1),
            y: ((least - margin) * unit.factor, (most + margin) * unit.factor))
        axes.drawVertical(
            Ticks.linear(axes.y.lower, axes.y.upper, count: 5), label: "Current (\(unit.symbol))", on: &drawing,
            labelOffset: 50)
        axes.drawHorizontal(Ticks.linear(axes.x.lower, axes.x.upper, count: 5), label: place.label, on: &drawing)
        for line in lines { draw(line, axes, on: &drawing) }
        axes.drawFrame(on: &drawing)
        return drawing.svg(title: "\(name): current \(place.word)", description: caption)
    }

    private func draw(_ line: Line, _ axes: Axes, on drawing: inout Drawing) {
        var path = PathText()
        for point in thinned(line.points, axes) { path.next(axes.x(point.x), axes.y(point.y * unit.factor)) }
        path.lift()
        drawing.path(path, [("stroke", Ink.blue), ("stroke-width", "1.2"), ("fill", "none")])
        var dots = PathText()
        for peak in line.peaks where peak.x.isFinite && peak.y.isFinite {
            Mark.dot.append(to: &dots, x: axes.x(peak.x), y: axes.y(peak.y * unit.factor), r: 3.4)
        }
        drawing.path(dots, Mark.dot.attributes(color: Ink.vermillion, r: 3.4))
    }

    /// Sweeps run either way; what is drawn runs to the right.
    private func thinned(_ points: [(x: Double, y: Double)], _ axes: Axes) -> [(x: Double, y: Double)] {
        let rises = (points.last?.x ?? 0) >= (points.first?.x ?? 0)
        let points = rises ? points : points.reversed()
        return Extremes.indices(
            count: points.count, columns: Int(axes.width), lower: axes.x.lower, upper: axes.x.upper,
            position: { points[$0].x }, value: { points[$0].y }
        ).map { points[$0] }
    }

    private var caption: String {
        let count = lines.reduce(0) { $0 + $1.points.count }
        let peaks = lines.reduce(0) { $0 + $1.peaks.count }
        var text = "Current \(place.word), n = \(Words.count(count, "point")), overloaded points left out."
        if place.column == "potential" {
            text += " \(Words.count(lines.count, "sweep")), \(Words.count(peaks, "peak")) marked."
        } else if lines.count > 1 {
            text += " No line is drawn across gaps."
        }
        return text
    }
}
