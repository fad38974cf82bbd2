/// Where a participant's recordings stand among the group's, index by index.
struct StandingFigure {
    private let standings: [ParticipantReport.Standing]
    private let id: String

    init(_ standings: [ParticipantReport.Standing], id: String) {
        self.standings = standings
        self.id = id
    }

    func figure() -> Figure {
        let rows = standings.flatMap { standing in standing.values.map { (standing.index, $0) } }
        return Figure(
            id: id, title: "Among the group's recordings", caption: caption, pictures: [(.half, picture())],
            data: FigureData(
                fileName: "\(id).tsv", header: ["signal", "index", "unit", "recording", "value", "share_below"],
                count: rows.count
            ) {
                let (index, value) = rows[$0]
                return [
                    index.signal, index.name, index.unit, value.recording, NumberText.significant(value.value, 6),
                    NumberText.fixed(value.share, 4),
                ]
            })
    }

    private func picture() -> Markup {
        let layout = Figure.Layout.half
        let step = 30.0
        var drawing = Drawing(
            id: "\(id)-svg", width: layout.width, height: 10 + step * Double(standings.count) + 48)
        let axes = Axes(
            left: 176, top: 10, width: layout.width - 176 - 20, height: step * Double(standings.count), x: (0, 100),
            y: (0, 1))
        axes.drawHorizontal(
            Ticks.linear(0, 100, count: 5), label: "% of the group's recordings below", on: &drawing, hasGrid: true)
        for (place, standing) in standings.enumerated() {
            let y = axes.top + (Double(place) + 0.5) * step
            drawing.rectangle(
                axes.x(25), y - step * 0.3, axes.x(75) - axes.x(25), step * 0.6,
                fill: Fill(color: Ink.sky, pattern: .plain, opacity: 0.25), stroke: "none", title: "middle half")
            var dots = PathText()
            for value in standing.values { Mark.dot.append(to: &dots, x: axes.x(value.share * 100), y: y, r: 1) }
            drawing.path(dots, Mark.dot.attributes(color: Ink.blue, r: 4))
            drawing.text(Headline.label(of: standing.index.name), axes.left - 6, y, anchor: .end, size: 12)
            drawing.text(standing.index.signal, axes.left - 6, y + 12, anchor: .end, size: 11)
        }
        axes.drawFrame(on: &drawing)
        return drawing.svg(title: "Among the group's recordings", description: caption)
    }

    private var caption: String {
        "A dot per recording of the participant: the share of all recordings of the group that lie below it; the middle "
            + "half of the group is shaded."
    }
}
