import Signals

/// Features of an EEG over time in lanes below its spectrogram: what the changes of the spectrum come to.
struct MetricLanes {
    private struct Lane {
        var name: String
        var label: String
        /// The middles of stretches, and the feature there; nil where it is not known.
        var points: [(middle: Seconds, value: Double?)]
    }

    /// The features that have a lane where they were computed, and what stands beside it.
    private static let metrics = [("engagement", "β/(α+θ)"), ("thetaBeta", "θ/β")]
    private static let (height, space) = (40.0, 10.0)

    private let lanes: [Lane]

    init(_ series: BrainSeries) {
        let table = series.trend
        lanes = Self.metrics.compactMap { name, label in
            guard let column = table.columns.firstIndex(where: { $0.name == name }) else { return nil }
            let points = table.rows.compactMap { row -> (middle: Seconds, value: Double?)? in
                guard case .onset(let onset) = row[0], case .onset(let duration) = row[1], onset.isSoundTime else {
                    return nil
                }
                let middle = onset + duration / 2
                guard case .number(let value) = row[column], value.isFinite else { return (middle, nil) }
                return (middle, value)
            }
            return points.contains { $0.value != nil } ? Lane(name: name, label: label, points: points) : nil
        }
    }

    /// How much room they take.
    var height: Double { Double(lanes.count) * (Self.height + Self.space) }

    /// What they are, for the caption; nil where there are none.
    var words: String? {
        lanes.isEmpty ? nil : lanes.map(\.label).joined(separator: " and ") + ", the middle of usable channels"
    }

    /// Draws them from `top` down.
    func draw(left: Double, top: Double, width: Double, duration: Seconds, on drawing: inout Drawing) {
        for (place, lane) in lanes.enumerated() {
            let values = lane.points.compactMap(\.value)
            let axes = Axes(
                left: left, top: top + Self.space + Double(place) * (Self.height + Self.space), width: width,
                height: Self.height, x: (0, duration), y: (values.min() ?? 0, values.max() ?? 1))
            draw(lane, axes, on: &drawing)
        }
    }

    private func draw(_ lane: Lane, _ axes: Axes, on drawing: inout Drawing) {
        let points = lane.points
        let usual = zip(points, points.dropFirst()).map { $1.middle - $0.middle }.min() ?? 0
        var path = PathText()
        for (place, point) in points.enumerated() {
            let isAfterGap = place > 0 && point.middle - points[place - 1].middle > 1.5 * usual
            guard let value = point.value else {
                path.lift()
                continue
            }
            if isAfterGap { path.lift() }
            path.next(axes.x.clamped(point.middle), axes.y(value))
        }
        path.lift()
        drawing.path(
            path,
            [
                ("class", "lane-\(lane.name)"), ("stroke", Ink.blue), ("stroke-width", "1.2"),
                ("stroke-linecap", "round"), ("fill", "none"),
            ])
        drawing.text(lane.label, axes.left - 6, axes.top + axes.height / 2 + 4, anchor: .end, size: 11)
        for (value, y) in [(axes.y.upper, axes.top + 8), (axes.y.lower, axes.bottom)] {
            drawing.text(NumberText.significant(value, 2), axes.right + 6, y, size: 11)
        }
        axes.drawFrame(on: &drawing)
    }
}
