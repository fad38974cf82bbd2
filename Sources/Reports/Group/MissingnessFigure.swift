/// What there is of each signal in each recording: the darker, the less.
struct MissingnessFigure {
    private let presence: GroupReport.Presence
    private let id: String

    init(_ presence: GroupReport.Presence, id: String) {
        self.presence = presence
        self.id = id
    }

    /// Shares from `least` on, and how they are filled.
    private static let levels: [(least: Double, fill: Fill, text: String)] = [
        (0.95, Fill(color: "#edf3f6", pattern: .plain), "95 % or more"),
        (0.75, Fill(color: "#cfe3ef", pattern: .plain), "75\u{2013}95 %"),
        (0.5, Fill(color: "#8fbcd8", pattern: .plain), "50\u{2013}75 %"),
        (1e-9, Fill(color: "#2f7fae", pattern: .plain), "below 50 %"),
        (-1, Fill(color: "#0b2b3e", pattern: .plain), "nothing"),
    ]

    func figure() -> Figure {
        let presence = presence
        return Figure(
            id: id, title: "Values that could be computed", caption: caption,
            pictures: [.wide, .narrow].map { ($0, picture($0)) },
            data: FigureData(
                fileName: "\(id).tsv", header: ["recording"] + presence.signals, count: presence.recordings.count
            ) {
                [presence.recordings[$0].label]
                    + presence.recordings[$0].shares.map { $0.map { NumberText.fixed($0, 3) } ?? NumberText.missing }
            })
    }

    private func picture(_ layout: Figure.Layout) -> Markup {
        let count = Double(max(presence.recordings.count, 1))
        let step = min(16, max(layout == .wide ? 760 / count : 900 / count, 0.45))
        let left = layout == .wide ? 200.0 : 120
        let legend = Legend(
            entries: Self.levels.map { (.area($0.fill), $0.text) } + [(.area(.missing), "not recorded")])
        let head = legend.height(width: layout.width - 16) + 10
        let foot = 118.0
        var drawing = Drawing(
            id: "\(id)-\(layout.rawValue)", width: layout.width, height: head + step * count + foot)
        legend.draw(on: &drawing, left: 8, top: 0, width: layout.width - 16)
        let width = (layout.width - left - 16) / Double(max(presence.signals.count, 1))
        drawCells(left: left, top: head, width: min(width, 90), step: step, on: &drawing)
        for (place, signal) in presence.signals.enumerated() {
            let x = left + (Double(place) + 0.5) * min(width, 90)
            drawing.text(
                String(signal.prefix(20)), x + 4, head + step * count + 8, anchor: .end, size: 12, isUpright: true)
        }
        if step >= 11 {
            for (place, recording) in presence.recordings.enumerated() {
                let label = recording.label
                let limit = layout == .wide ? 30 : 17
                drawing.text(
                    label.count > limit ? "…" + label.suffix(limit - 1) : label, left - 6,
                    head + (Double(place) + 0.5) * step + 4, anchor: .end, size: 11)
            }
        }
        return drawing.svg(title: "Values that could be computed", description: caption)
    }

    /// One path per level keeps a cohort of thousands small.
    private func drawCells(left: Double, top: Double, width: Double, step: Double, on drawing: inout Drawing) {
        let (nothing, notRecorded) = (Self.levels.count - 1, Self.levels.count)
        var paths = [PathText](repeating: PathText(), count: notRecorded + 1)
        for (row, recording) in presence.recordings.enumerated() {
            for (column, share) in recording.shares.enumerated() {
                let level =
                    share.map { value in Self.levels.firstIndex { value >= $0.least } ?? nothing } ?? notRecorded
                let (x, y) = (left + Double(column) * width, top + Double(row) * step)
                paths[level].move(x, y)
                paths[level].line(x + width, y)
                paths[level].line(x + width, y + step)
                paths[level].line(x, y + step)
                paths[level].close()
            }
        }
        let border = step > 6 ? [("stroke", "#c8c8c8"), ("stroke-width", "0.5")] : []
        for (path, fill) in zip(paths, Self.levels.map(\.fill) + [.missing]) where !path.isEmpty {
            drawing.path(path, [("fill", drawing.paint(fill))] + border)
        }
        drawing.rectangle(
            left, top, width * Double(presence.signals.count), step * Double(presence.recordings.count), fill: nil,
            stroke: Ink.grey)
    }

    private var caption: String {
        "A row per recording, a column per signal; the darker, the smaller the share of values that could be computed. "
            + "n = \(NumberText.count(presence.recordings.count)) recordings."
    }
}
