import GroupStatistics
import Signals

/// Effect sizes with their intervals, an index a line, the largest first.
struct ForestFigure {
    private let rows: [GroupReport.Contrast.Row]
    private let hidden: Int
    private let title: String
    private let id: String
    private static let limit = 30

    init(_ contrast: GroupReport.Contrast, id: String) {
        self.id = id
        title = contrast.title
        let sound = contrast.rows.filter { $0.comparison.hedgesG.isFinite }
        let ordered = sound.enumerated().sorted {
            (-$0.1.comparison.hedgesG.magnitude, $0.0) < (-$1.1.comparison.hedgesG.magnitude, $1.0)
        }.map(\.1)
        rows = Array(ordered.prefix(Self.limit))
        hidden = ordered.count - rows.count
    }

    func figure() -> Figure {
        let rows = rows
        return Figure(
            id: id, title: "Effect sizes: \(title)", caption: caption,
            pictures: [.wide, .narrow].map { ($0, picture($0)) },
            data: FigureData(
                fileName: "\(id).tsv", columns: Self.columns, count: rows.count
            ) {
                let found = rows[$0].comparison
                return [rows[$0].index.signal, rows[$0].index.name]
                    + [found.hedgesG, found.gLow, found.gHigh, found.p, rows[$0].q].map {
                        NumberText.significant($0, 6)
                    }
            })
    }

    private static let columns = [
        Column("signal", "The signal"),
        Column("index", "The index"),
        Column("hedgesG", unit: .dimensionless, "Hedges' g, of d_z when paired, of d_s when independent"),
        Column("low", unit: .dimensionless, "Lower 95 % limit of g, BCa bootstrap", reference: "Efron 1987"),
        Column("high", unit: .dimensionless, "Upper 95 % limit of g"),
        Column("p", unit: .dimensionless, "Two-sided p of Student's t of the difference"),
        Column(
            "q", unit: .dimensionless,
            "p, with the false discovery rate over the indexes of this comparison controlled",
            reference: "Benjamini & Hochberg 1995"),
    ]

    /// How far the axis goes to either side: over all limits, but where a few lie many times farther out than most.
    private var reach: Double {
        let ends = rows.flatMap { [$0.comparison.gLow, $0.comparison.gHigh, $0.comparison.hedgesG] }
        let sizes = ends.filter(\.isFinite).map(\.magnitude).sorted()
        guard let largest = sizes.last else { return 1 }
        return max(0.5, min(largest, 4 * sizes[sizes.count * 3 / 4])) * 1.06
    }

    /// Whether a comparison has both limits.
    private static func hasInterval(_ row: GroupReport.Contrast.Row) -> Bool {
        row.comparison.gLow.isFinite && row.comparison.gHigh.isFinite
    }

    /// On which sides the interval of an effect within the axis goes on beyond it.
    private func isCut(_ row: GroupReport.Contrast.Row) -> (below: Bool, above: Bool) {
        guard Self.hasInterval(row) else { return (false, false) }
        let (found, reach) = (row.comparison, reach)
        return (found.gLow < -reach && found.hedgesG >= -reach, found.gHigh > reach && found.hedgesG <= reach)
    }

    private func picture(_ layout: Figure.Layout) -> Markup {
        let (step, head) = (layout == .wide ? 22.0 : 34, 8.0)
        let names = rows.map(\.index.label)
        let left = layout == .wide ? min(max((names.map { Drawing.room(for: $0) }.max() ?? 0) + 18, 180), 460) : 16
        let most =
            layout == .wide
            ? Drawing.letters(within: left - 16) : Drawing.letters(within: layout.width - left - 4, size: 11.5)
        let labels = Words.distinct(names, to: most)
        var drawing = Drawing(
            id: "\(id)-\(layout.rawValue)", width: layout.width, height: head + Double(max(rows.count, 2)) * step + 48)
        let reach = reach
        let axes = Axes(
            left: left, top: head, width: layout.width - left - 62, height: Double(max(rows.count, 2)) * step,
            x: (-reach, reach), y: (0, 1))
        axes.drawHorizontal(
            Ticks.linear(-reach, reach, count: layout == .wide ? 9 : 5), label: "Hedges' g", on: &drawing, hasGrid: true
        )
        drawing.line(axes.x(0), axes.top, axes.x(0), axes.bottom, color: Ink.black)
        for (place, row) in rows.enumerated() {
            let y = axes.top + (Double(place) + (layout == .wide ? 0.5 : 0.72)) * step
            draw(row, labels[place], y: y, axes, layout, on: &drawing)
        }
        if rows.isEmpty { drawing.text("no effect size", axes.left + axes.width / 2, axes.top + step, anchor: .middle) }
        return drawing.svg(title: "Effect sizes: \(title)", description: caption)
    }

    private func draw(
        _ row: GroupReport.Contrast.Row, _ label: String, y: Double, _ axes: Axes, _ layout: Figure.Layout,
        on drawing: inout Drawing
    ) {
        let found = row.comparison
        let isFound = row.q < 0.05
        let color = isFound ? Ink.blue : Ink.grey
        // Lines behind them do not strike texts through.
        let rim = [("paint-order", "stroke"), ("stroke", "#ffffff"), ("stroke-width", "4")]
        if layout == .wide {
            drawing.text(label, axes.left - 10, y + 4.5, anchor: .end)
        } else {
            drawing.text(label, axes.left, y - 9, size: 11.5, extra: rim)
        }
        if Self.hasInterval(row) {
            drawing.line(axes.x.clamped(found.gLow), y, axes.x.clamped(found.gHigh), y, color: color, width: 1.6)
        }
        var (path, heads) = (PathText(), PathText())
        let cut = isCut(row)
        for (isCut, end, inward) in [(cut.below, axes.left, 8.0), (cut.above, axes.right, -8.0)] where isCut {
            heads.move(end, y)
            heads.line(end + inward, y - 4)
            heads.line(end + inward, y + 4)
            heads.close()
        }
        if !heads.isEmpty { drawing.path(heads, [("class", "beyond"), ("fill", color)]) }
        if found.hedgesG.magnitude > reach {
            let isAbove = found.hedgesG > 0
            drawing.text(
                NumberText.significant(found.hedgesG, 3), isAbove ? axes.right - 9 : axes.left + 9, y + 4.5,
                anchor: isAbove ? .end : .start, size: 11, extra: rim)
        }
        let mark: Mark = isFound ? .dot : .square
        mark.append(to: &path, x: axes.x.clamped(found.hedgesG), y: y, r: 4)
        drawing.path(path, mark.attributes(color: color, r: 4))
        drawing.text("q " + GroupReport.Contrast.probability(row.q), axes.right + 6, y + 4.5, size: 11)
    }

    private var caption: String {
        let without = rows.count { !Self.hasInterval($0) }
        var text = "Hedges' g with its 95 % bootstrap interval, largest first."
        if without > 0, without == rows.count {
            text = "Hedges' g, largest first; no interval could be computed."
        } else if without > 0 {
            text += " For \(NumberText.count(without)) of \(NumberText.count(rows.count)) "
            text += "no interval could be computed."
        }
        text += " Filled dots: q < 0.05 over all indexes of this comparison (Benjamini and Hochberg); "
        text += "open squares: not."
        if rows.contains(where: { $0.comparison.hedgesG.magnitude > reach }) {
            text += " What lies beyond the axis is drawn at its edge, with its number."
        }
        if rows.contains(where: { isCut($0).below || isCut($0).above }) {
            text += " Arrows: the interval goes on beyond the axis."
        }
        if hidden > 0 { text += " \(hidden) smaller effects are in the table comparisons.tsv." }
        return text
    }
}
