import Signals

/// Indices per window over time, a panel each.
struct TrendFigure: TimeFigure {
    private let title: String
    private let subject: String
    private let table: Table
    private let id: String
    private let duration: Seconds
    /// The length of a window, nil where the table does not tell it. Rows that are longer are gaps.
    private let usualLength: Seconds?
    /// The scale of values whose bounds are known, with a line across; nil: as the values are.
    private let scale: (lower: Double, upper: Double, line: Double)?
    /// Spans of time that are shaded, and their meaning.
    private var bands: (spans: [Range<Seconds>], meaning: String) = ([], "")
    /// What is drawn, where the table has it.
    private let columns: [String]
    var events = EventMarks.none

    /// nil where there is no table, fewer than two windows, or none of the indices.
    init?(_ series: BeatSeries, id: String, duration: Seconds) {
        self.init(
            series.windows, ["meanHR", "rmssd", "lfHf"], title: "\(series.name): trends", subject: "Indices", id: id,
            duration: duration)
    }

    /// nil where there are fewer than two windows.
    init?(_ respiration: RespirationTrend, id: String, duration: Seconds) {
        self.init(
            respiration.windows, ["respirationRate", "respirationQuality"], title: "\(respiration.name): respiration",
            subject: "Respiration from \(respiration.method)", id: id, duration: duration)
    }

    /// nil where there are fewer than two windows.
    init?(_ rate: PulseRateTrend, id: String, duration: Seconds) {
        self.init(
            rate.windows, ["heartRate", "confidence"] + (rate.hasAcceleration ? ["movement"] : []),
            title:
                "\(rate.name): heart rate from \(rate.hasAcceleration ? "pulse wave and acceleration" : "the pulse wave")",
            subject: "Heart rate", id: id, duration: duration)
        let meaning = rate.hasAcceleration ? "movement" : "movement is suspected, and no acceleration was recorded"
        bands = (rate.moving, meaning)
    }

    /// nil where there are fewer than two windows.
    init?(_ skin: SkinConductanceSeries, id: String, duration: Seconds) {
        self.init(
            skin.windows, ["meanSCL", "rateSCR"], title: "\(skin.name): level and responses",
            subject: "Mean skin conductance level and rate of responses", id: id, duration: duration)
    }

    /// nil where there are fewer than two windows.
    init?(_ motion: MotionTrend, id: String, duration: Seconds) {
        self.init(
            motion.windows, motion.columns, title: "\(motion.name): \(motion.subject)",
            subject: motion.subject.prefix(1).uppercased() + motion.subject.dropFirst(), id: id, duration: duration)
    }

    /// nil where there are fewer than two stretches.
    init?(_ brain: BrainSeries, id: String, duration: Seconds) {
        self.init(
            brain.trend, BrainSeries.trendColumns, title: "\(brain.name): EEG features over time",
            subject: "Middle of usable channels and epochs", id: id, duration: duration)
    }

    init?(
        _ table: Table?, _ columns: [String], title: String, subject: String, id: String, duration: Seconds,
        scale: (lower: Double, upper: Double, line: Double)? = nil
    ) {
        guard let table, table.rows.count > 1, table.columns.contains(where: { $0.name == "onset" }),
            table.columns.contains(where: { columns.contains($0.name) })
        else { return nil }
        self.scale = scale
        self.title = title
        self.subject = subject
        self.columns = columns
        self.table = table
        self.id = id
        let lengths = table.columns.firstIndex { $0.name == "duration" }.map { column in
            table.rows.compactMap { $0[column].value }.filter(\.isSoundTime).sorted()
        }
        usualLength = lengths.flatMap { $0.isEmpty ? nil : $0[($0.count - 1) / 2] }
        let last = table.rows.compactMap { row in
            zip(table.columns, row).first { $0.0.name == "onset" }.flatMap(\.1.value).flatMap {
                $0.isSoundTime ? $0 : nil
            }
        }.max()
        self.duration = max(duration.isSoundTime ? duration : 0, last ?? 0, 1e-3)
    }

    func figure() -> Figure {
        let table = table
        return Figure(
            id: id, title: title, caption: caption, pictures: [.wide, .narrow].map { ($0, picture($0)) },
            data: FigureData(fileName: "\(id).tsv", header: table.columns.map(\.name), count: table.rows.count) {
                table.rows[$0].map(Self.text)
            })
    }

    private func picture(_ layout: Figure.Layout) -> Markup {
        let panels = columns.compactMap { name in table.columns.firstIndex { $0.name == name } }
        let (panelHeight, space) = (layout == .wide ? 92.0 : 84, 26.0)
        let height = Double(panels.count) * (panelHeight + space) + 42
        var drawing = Drawing(id: "\(id)-\(layout.rawValue)", width: layout.width, height: height)
        for (place, column) in panels.enumerated() {
            let isLast = place == panels.count - 1
            let top = space - 4 + Double(place) * (panelHeight + space)
            draw(column, top: top, height: panelHeight, layout, isFirst: place == 0, isLast: isLast, on: &drawing)
        }
        return drawing.svg(title: title, description: caption)
    }

    private func draw(
        _ column: Int, top: Double, height: Double, _ layout: Figure.Layout, isFirst: Bool, isLast: Bool,
        on drawing: inout Drawing
    ) {
        let points = points(of: column)
        let values = points.compactMap(\.value)
        let axes = Axes(
            left: 56, top: top, width: layout.width - 56 - 18, height: height, x: (0, duration),
            y: scale.map { ($0.lower, $0.upper) } ?? Self.range(of: values, called: table.columns[column].name))
        let unit = table.columns[column].unit
        let suffix = unit == .dimensionless || unit == .unknown ? "" : " (\(Headline.symbol(unit)))"
        drawing.text(Headline.label(of: table.columns[column].name) + suffix, 56, top - 7, isBold: true)
        // Without values nothing is known of their scale.
        if !values.isEmpty {
            axes.drawVertical(Ticks.atLeastTwo(axes.y.lower, axes.y.upper, count: 3), label: "", on: &drawing)
        }
        let ticks = Ticks.time(0, duration, count: layout == .wide ? 12 : 5)
        axes.drawHorizontal(
            isLast ? ticks : Ticks(labels: ticks.labels.map { ($0.value, "") }),
            label: isLast
                ? "\(hasWindows ? "Middle of the window, time" : "Time") from start (\(Ticks.timeUnit(upTo: duration)))"
                : "",
            on: &drawing)
        // The other panels show the same time.
        for span in bands.spans where isFirst {
            let (first, end) = (axes.x(max(0, span.lowerBound)), axes.x(min(duration, span.upperBound)))
            drawing.rectangle(
                first, axes.top, max(1, end - first), axes.height,
                fill: Fill(color: Ink.orange, pattern: .plain, opacity: 0.22),
                title: "\(bands.meaning), \(NumberText.clock(span.lowerBound))–\(NumberText.clock(span.upperBound))")
        }
        if let scale {
            let place = axes.y(scale.line)
            drawing.line(axes.left, place, axes.right, place, color: Ink.grey, width: 1, dash: "5 4")
        }
        drawing.hatching { drawMissing(points, axes, on: &$0) }
        drawLine(points, axes, on: &drawing)
        events.draw(on: &drawing, axes: axes, isLabelled: isFirst)
        axes.drawFrame(on: &drawing)
        if values.isEmpty { drawing.text("no value", axes.left + axes.width / 2, top + height / 2, anchor: .middle) }
    }

    /// Names of columns whose values are 0…1.
    private static let shares = ["quality", "coverage", "share", "confidence"]

    /// The range of an axis: a quality's or share's the whole it is of, another's as its values are.
    private static func range(of values: [Double], called name: String) -> (lower: Double, upper: Double) {
        guard let low = values.min(), let high = values.max() else { return (0, 1) }
        if low >= 0, high <= 1, shares.contains(where: { name.lowercased().hasSuffix($0) }) { return (0, 1) }
        let margin = high > low ? max((high - low) * 0.1, high.magnitude * 0.01) : Scale.margin(around: high)
        return (low - margin, high + margin)
    }

    private func drawLine(_ points: [Point], _ axes: Axes, on drawing: inout Drawing) {
        let indices = Set(
            Extremes.indices(
                count: points.count, columns: Int(axes.width), lower: 0, upper: duration,
                position: { points[$0].middle }, value: { points[$0].value ?? .nan }))
        var line = PathText()
        var dots = PathText()
        let hasDots = Double(points.count) < axes.width / 6
        for (index, point) in points.enumerated() {
            guard let value = point.value else {
                line.lift()
                continue
            }
            guard indices.contains(index) else { continue }
            line.next(axes.x(point.middle), axes.y(value))
            if hasDots { Mark.dot.append(to: &dots, x: axes.x(point.middle), y: axes.y(value), r: 2.4) }
        }
        line.lift()
        drawing.path(
            line, [("stroke", Ink.blue), ("stroke-width", "1.4"), ("stroke-linecap", "round"), ("fill", "none")])
        drawing.path(dots, Mark.dot.attributes(color: Ink.blue, r: 2.4))
    }

    private func drawMissing(_ points: [Point], _ axes: Axes, on drawing: inout Drawing) {
        var index = 0
        while index < points.count {
            guard points[index].value == nil else {
                index += 1
                continue
            }
            var last = index
            while last + 1 < points.count, points[last + 1].value == nil { last += 1 }
            // Windows overlap: each is hatched from halfway to its neighbours, as its value is drawn at its middle.
            let before = index > 0 ? points[index].middle - points[index - 1].lastMiddle : nil
            let after = last + 1 < points.count ? points[last + 1].middle - points[last].lastMiddle : nil
            let alone = points.count > 1 ? typicalStep(points) : usualLength ?? 0
            let first = axes.x.clamped(points[index].middle - (before ?? after ?? alone) / 2)
            let end = axes.x.clamped(points[last].lastMiddle + (after ?? before ?? alone) / 2)
            drawing.rectangle(
                first, axes.top, max(1.5, end - first), axes.height, fill: .missing,
                title:
                    "no value, \(NumberText.clock(points[index].middle))–\(NumberText.clock(points[last].lastMiddle))")
            index = last + 1
        }
    }

    /// The median distance of neighbouring windows.
    private func typicalStep(_ points: [Point]) -> Seconds {
        let steps = zip(points, points.dropFirst()).map { $1.middle - $0.lastMiddle }.sorted()
        return steps[(steps.count - 1) / 2]
    }

    private struct Point {
        /// The middle of the window; of the first where a long gap is one row.
        var middle: Seconds
        /// The middle of the last.
        var lastMiddle: Seconds
        var value: Double?
    }

    private func points(of column: Int) -> [Point] {
        let onset = table.columns.firstIndex { $0.name == "onset" }
        let length = table.columns.firstIndex { $0.name == "duration" }
        let points = table.rows.compactMap { row -> Point? in
            guard let start = onset.flatMap({ row[$0].value }), start.isSoundTime else { return nil }
            let duration = length.flatMap { row[$0].value }.flatMap { $0.isSoundTime ? $0 : nil } ?? 0
            let half = min(usualLength ?? 0, duration) / 2
            // The last window may be longer than what was recorded.
            return Point(
                middle: min(start + half, self.duration), lastMiddle: min(start + duration - half, self.duration),
                value: row[column].value)
        }
        return Self.withGaps(points)
    }

    /// A point without a value where rows are absent: no line spans a gap.
    private static func withGaps(_ points: [Point]) -> [Point] {
        let steps = zip(points, points.dropFirst()).map { $1.middle - $0.lastMiddle }.filter { $0 > 0 }.sorted()
        guard !steps.isEmpty else { return points }
        let usual = steps[(steps.count - 1) / 2]
        var all: [Point] = []
        for point in points {
            if let last = all.last?.lastMiddle, point.middle - last > 1.5 * usual {
                let inset = min(usual, (point.middle - last) / 2)
                all.append(Point(middle: last + inset, lastMiddle: point.middle - inset, value: nil))
            }
            all.append(point)
        }
        return all
    }

    /// True for values of windows, false for values of moments.
    private var hasWindows: Bool { usualLength.map { $0 > 0 } ?? false }

    private static func text(_ cell: Cell) -> String {
        switch cell {
        case .integer(let value): String(value)
        case .number(let value): NumberText.significant(value, 9)
        case .onset(let value): NumberText.fixed(value, 4)
        case .text(let text): text
        case .missing: NumberText.missing
        }
    }

    private var caption: String {
        let coverages =
            table.columns.firstIndex { $0.name == "coverage" }
            .map { column in table.rows.compactMap { $0[column].value } } ?? []
        let coverage = coverages.isEmpty ? nil : coverages.reduce(0, +) / Double(coverages.count)
        let rows = NumberText.count(table.rows.count)
        guard hasWindows else {
            return "\(subject) over time; n = \(rows) values. Hatched: no value." + events.caption()
        }
        return "\(subject) per window\(usualLength.map { " of \(NumberText.length($0))" } ?? ""); n = \(rows) windows"
            + (coverage.map { ", mean coverage \(NumberText.percent($0))" } ?? "") + ". "
            + "Hatched: windows without a value, or no windows."
            + (bands.spans.isEmpty ? "" : " Shaded: \(bands.meaning).") + events.caption()
    }
}
