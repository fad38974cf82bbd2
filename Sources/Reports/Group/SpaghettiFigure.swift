import GroupStatistics
import Signals

/// A line per person from condition to condition, and the mean over the people who have them all.
struct SpaghettiFigure {
    private let spread: GroupReport.Spread
    private let id: String
    /// People with a value under every condition.
    private let complete: Int
    /// Of these, a condition each; empty without such people.
    private let means: [Descriptives]
    /// People with a value at all: what is drawn.
    private let drawn: Int

    init(_ spread: GroupReport.Spread, id: String) {
        self.spread = spread
        self.id = id
        let all: [[Double]] = spread.values.map { person in person.values.map { $0 ?? Double.nan } }
        let whole = all.filter { $0.allSatisfy(\.isFinite) }
        complete = whole.count
        drawn = all.count { $0.contains(where: \.isFinite) }
        means =
            whole.isEmpty ? [] : spread.conditions.indices.map { place in Descriptives(whole.map { $0[place] }) }
    }

    private var title: String { "\(spread.index.label) by \(spread.factor)" }

    func figure() -> Figure {
        let people: [(String, [Double?])] = spread.values.map { ($0.person, $0.values) }
        let rows = people + meanRows
        return Figure(
            id: id, title: title, caption: caption,
            pictures: (isCrowded ? [.wide, .narrow] : [.half]).map { ($0, picture($0)) },
            data: FigureData(
                fileName: "\(id).tsv", columns: columns, count: rows.count
            ) {
                [rows[$0].0] + rows[$0].1.map { $0.map { NumberText.significant($0, 6) } ?? NumberText.missing }
            })
    }

    private var columns: [Column] {
        let people = Column(
            "participant", "Participant label; below the people the mean of those who have all, and its 95 % limits")
        return [people]
            + spread.conditions.map { condition in
                spread.index.column(condition, "\(spread.index.told), mean under \(spread.factor) \(condition)")
            }
    }

    /// What is drawn in bold, below the people: no label of a participant has a blank.
    private var meanRows: [(String, [Double?])] {
        guard !means.isEmpty else { return [] }
        func row(_ name: String, _ value: (Descriptives) -> Double) -> (String, [Double?]) {
            (name, means.map(value).map { $0.isFinite ? $0 : nil })
        }
        return [
            row("mean of \(complete)", \.mean), row("lower 95 % limit of the mean", \.meanLow),
            row("upper 95 % limit of the mean", \.meanHigh),
        ]
    }

    private func axisWidth(_ layout: Figure.Layout) -> Double { layout.width - 62 - 20 }

    /// How far two conditions lie apart.
    private func step(_ layout: Figure.Layout) -> Double {
        axisWidth(layout) / (Double(spread.conditions.count - 1) + 0.7)
    }

    /// Whether the names of conditions are too long to stand side by side in half a page: then they stand upright,
    /// below a picture as wide as the page.
    private var isCrowded: Bool {
        spread.conditions.count > 2
            && spread.conditions.contains { Drawing.width(of: $0) + 8 > step(.half) }
    }

    /// The most letters of a condition's upright name.
    private static let longest = 28

    private func picture(_ layout: Figure.Layout) -> Markup {
        let limit = isCrowded ? Self.longest : min(18, max(3, Int((step(layout) - 8) / Drawing.width(of: "x"))))
        let labels = Words.distinct(spread.conditions, to: limit)
        let foot = isCrowded ? (labels.map { Drawing.width(of: $0) }.max() ?? 0) + 36 : 48
        let height = isCrowded ? Figure.halfHeight - 48 + foot : Figure.halfHeight
        let name = layout == .half ? "svg" : layout.rawValue
        var drawing = Drawing(id: "\(id)-\(name)", width: layout.width, height: height)
        let own: [Double] = spread.values.flatMap { person in person.values.compactMap { $0 } }
        let all = (own + means.flatMap { [$0.meanLow, $0.meanHigh] }).filter(\.isFinite)
        let (low, high) = (all.min() ?? 0, all.max() ?? 1)
        let margin = max((high - low) * 0.05, 1e-9)
        let last = Double(spread.conditions.count - 1)
        let axes = Axes(
            left: 62, top: 10, width: axisWidth(layout), height: height - 10 - foot,
            x: (-0.35, last + 0.35), y: (low - margin, high + margin))
        axes.drawVertical(Ticks.linear(axes.y.lower, axes.y.upper, count: 5), label: "", on: &drawing)
        let ticks = Ticks(labels: labels.enumerated().map { (Double($0), $1) })
        if isCrowded {
            axes.drawUpright(ticks, on: &drawing)
            drawing.text(
                spread.factor, axes.left + axes.width / 2, height - 6, anchor: .middle, color: "#444444")
        } else {
            axes.drawHorizontal(ticks, label: spread.factor, on: &drawing)
        }
        let dots = drawPeople(axes, on: &drawing)
        drawMeans(axes, on: &drawing)
        draw(dots, on: &drawing)
        axes.drawFrame(on: &drawing)
        return drawing.svg(title: title, description: caption)
    }

    /// Draws the lines.
    /// - Returns: the values that no line reaches.
    private func drawPeople(_ axes: Axes, on drawing: inout Drawing) -> PathText {
        var (lines, dots) = (PathText(), PathText())
        for (_, values) in spread.values {
            func isKnown(_ place: Int) -> Bool {
                values.indices.contains(place) && values[place].map(\.isFinite) ?? false
            }
            for (place, value) in values.enumerated() {
                guard let value, value.isFinite else {
                    lines.lift()
                    continue
                }
                let (x, y) = (axes.x(Double(place)), axes.y(value))
                if isKnown(place - 1) || isKnown(place + 1) {
                    lines.next(x, y)
                } else {
                    Mark.dot.append(to: &dots, x: x, y: y, r: 1)
                }
            }
            lines.lift()
        }
        // A line by itself stands out three to one against the page (WCAG 2.2, 1.4.11), and many show where they lie close.
        let (opacity, width) = spread.values.count > 60 ? ("0.45", "0.7") : ("0.55", "1")
        drawing.path(
            lines,
            [
                ("stroke", Ink.black), ("stroke-width", width), ("stroke-linecap", "round"), ("fill", "none"),
                ("stroke-opacity", opacity),
            ])
        return dots
    }

    /// Over the limits of the means, wider than these and with a pale rim: people often stand exactly there.
    private func draw(_ dots: PathText, on drawing: inout Drawing) {
        guard !dots.isEmpty else { return }
        drawing.path(dots, Mark.dot.attributes(color: "#ffffff", r: 4))
        drawing.path(dots, [("class", "alone")] + Mark.dot.attributes(color: Ink.grey, r: 3))
    }

    private func drawMeans(_ axes: Axes, on drawing: inout Drawing) {
        guard !means.isEmpty else { return }
        var line = PathText()
        for (place, found) in means.enumerated() {
            let x = axes.x(Double(place))
            line.next(x, axes.y(found.mean))
            guard found.meanLow.isFinite else { continue }
            drawing.line(x, axes.y(found.meanLow), x, axes.y(found.meanHigh), color: Ink.vermillion, width: 4)
        }
        line.lift()
        // With a rim, as people may lie close around it.
        drawing.path(
            line, [("stroke", "#ffffff"), ("stroke-width", "4.4"), ("stroke-linecap", "round"), ("fill", "none")])
        drawing.path(
            line,
            [("stroke", Ink.vermillion), ("stroke-width", "2.4"), ("stroke-linecap", "round"), ("fill", "none")])
    }

    private var caption: String {
        let people = "A thin line per participant; a value is a dot where the \(spread.factor)s beside it have none; "
        let mean =
            complete == 0
            ? "nobody has all \(spread.factor)s, so no mean is drawn"
            : "in bold the mean of the \(Words.count(complete, "participant")) with all \(spread.factor)s, "
                + "with its 95 % interval"
        let without = spread.values.count - drawn
        return people + mean + "; n = \(Words.count(drawn, "participant"))"
            + (without > 0 ? ", \(NumberText.count(without)) more without any value." : ".")
    }
}
