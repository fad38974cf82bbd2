import Quality
import Signals

/// The quality of one stream over time: its height and shade per column, and a row per reason.
struct LaneFigure: TimeFigure {
    var events = EventMarks.none
    let lane: QualityLane
    let id: String
    private(set) var duration: Seconds
    private let places: WindowPlaces
    /// Reasons, the longest-lasting first; at most `mostReasons`, the last of them `other reasons`.
    private let reasons: [(name: String, share: Double)]

    private static let mostReasons = 8
    private static let other = "other reasons"

    /// Quality from which a window is clean, and from which it may be used.
    static let clean = 0.75
    static let usable = 0.5

    init(_ lane: QualityLane, id: String, duration: Seconds) {
        func isSound(_ window: QualityLane.Window) -> Bool {
            window.onset.isSoundTime && window.duration.isSoundTime && window.duration > 0
        }
        var lane = lane
        if !lane.windows.allSatisfy(isSound) { lane.windows = lane.windows.filter(isSound) }
        self.lane = lane
        self.id = id
        let end = lane.windows.map { $0.onset + $0.duration }.max() ?? 0
        self.duration = max(duration.isSoundTime ? duration : 0, end)
        if self.duration <= 0 { self.duration = 1 }
        let places = lane.places
        self.places = places
        var counts: [String: Double] = [:]
        for (window, count) in zip(lane.windows, places.counts) {
            for reason in Set(window.reasons) { counts[reason, default: 0] += count }
        }
        let sorted = counts.sorted { ($0.value, $1.key) > ($1.value, $0.key) }
        let total = max(1, places.counts.reduce(0, +))
        var rows = sorted.map { (name: $0.key, share: $0.value / total) }
        if rows.count > Self.mostReasons {
            let named = Set(rows.prefix(Self.mostReasons - 1).map(\.name))
            let rest = places.share { !Set(lane.windows[$0].reasons).subtracting(named).isEmpty }
            rows = rows.prefix(Self.mostReasons - 1) + [(name: Self.other, share: rest)]
        }
        reasons = rows
    }

    func figure() -> Figure {
        let windows = lane.windows
        let data = FigureData(
            fileName: "\(id).tsv", header: ["onset", "duration", "quality", "coverage", "reasons"],
            count: windows.count,
            chosen: { columns in
                Extremes.indices(
                    count: windows.count, columns: columns, lower: 0, upper: duration,
                    position: { windows[$0].onset }, value: { windows[$0].quality ?? 0 })
            }
        ) {
            let window = windows[$0]
            return [
                NumberText.fixed(window.onset, 3), NumberText.fixed(window.duration, 3),
                NumberText.fixed(window.quality ?? .nan, 4), NumberText.fixed(window.coverage, 4),
                window.reasons.isEmpty ? NumberText.missing : window.reasons.joined(separator: ","),
            ]
        }
        return Figure(
            id: id, title: "\(lane.stream): signal quality", caption: caption,
            pictures: [.wide, .narrow].map { ($0, picture($0)) }, data: data)
    }

    // MARK: Drawing

    private func picture(_ layout: Figure.Layout) -> Markup {
        let names = reasons.map { "\(Words.of($0.name)) \(NumberText.percent($0.share))" }
        let longest = names.map { Drawing.room(for: $0, size: Self.labelSize) }.max() ?? 0
        let left = layout == .wide ? min(max(190.0, longest + 14), 270) : 150
        let labels = names.map { Self.lines($0, within: left - 12) }
        let legend = Legend(entries: Grade.allCases.map { (sample: .area($0.fill), text: $0.label) })
        let top = legend.height(width: layout.width - 20) + 6
        let laneHeight = 46.0
        let rowHeight = 17.0
        let rows = Double(labels.reduce(0) { $0 + $1.count })
        let height = top + laneHeight + 6 + rows * rowHeight + 44
        var drawing = Drawing(id: "\(id)-\(layout.rawValue)", width: layout.width, height: height)
        legend.draw(on: &drawing, left: 10, top: 0, width: layout.width - 20)
        let axes = Axes(
            left: left, top: top, width: layout.width - left - 18, height: laneHeight, x: (0, duration), y: (0, 1))
        drawing.text("quality 0…1", left - 26, top + laneHeight / 2 + 4.5, anchor: .end)
        let columns = columns(Int(axes.width / 2))
        // Neighbouring blocks meet without a seam.
        drawing.hatching { drawing in
            drawing.group([("shape-rendering", "crispEdges")]) { drawQuality(columns, axes, on: &$0) }
        }
        drawing.hatching { drawing in
            for gap in lane.gaps { drawGap(gap, axes, on: &drawing) }
        }
        if lane.windows.isEmpty, lane.gaps.isEmpty {
            drawing.text(
                "no window was judged", axes.left + axes.width / 2, top + laneHeight / 2 + 4.5, anchor: .middle)
        }
        axes.drawFrame(on: &drawing)
        for (text, value) in [("1", 1.0), ("0", 0)] {
            drawing.text(text, left - 6, axes.y(value) + 4.5, anchor: .end, size: 11)
        }
        var y = top + laneHeight + 6
        for (place, lines) in labels.enumerated() {
            for (row, line) in lines.enumerated() {
                drawing.text(
                    line, left - 8, y + 12.5 + Double(row) * (rowHeight - 3), anchor: .end, size: Self.labelSize)
            }
            let height = Double(lines.count) * rowHeight
            drawReason(place, columns, axes, y, height, on: &drawing)
            y += height
        }
        let below = Axes(
            left: left, top: top, width: axes.width, height: y - top + 2, x: (0, duration), y: (0, 1))
        below.drawHorizontal(
            Ticks.time(0, duration, count: layout == .wide ? 10 : 4),
            label: "Time from start (\(Ticks.timeUnit(upTo: duration)))", on: &drawing)
        events.draw(on: &drawing, axes: below, isLabelled: false)
        below.drawFrame(on: &drawing)
        return drawing.svg(title: "Signal quality of \(lane.stream)", description: caption)
    }

    private static let labelSize = 11.5

    /// A text in two lines where it is too long for one, each cut in its middle where it is too long still.
    private static func lines(_ text: String, within width: Double) -> [String] {
        let most = Drawing.letters(within: width, size: labelSize)
        guard text.count > most else { return [text] }
        // The share at the end stays whole: its number and its unit go together.
        let words = text.split(separator: " ")
        let (head, tail) = (words.dropLast(2), words.suffix(2))
        var first = 0
        while first < head.count, head.prefix(first + 1).joined(separator: " ").count <= most { first += 1 }
        // A word that is too long by itself is cut.
        first = max(1, first)
        let lines = [head.prefix(first), head.dropFirst(first) + tail].map { $0.joined(separator: " ") }
        return lines.filter { !$0.isEmpty }.map {
            Words.shortened($0, to: most, keeping: most - tail.joined(separator: " ").count - 1)
        }
    }

    private enum Grade: CaseIterable {
        case clean, usable, unusable, unknown

        init(_ quality: Double?) {
            guard let quality, quality.isFinite else {
                self = .unknown
                return
            }
            self = quality >= LaneFigure.clean ? .clean : quality >= LaneFigure.usable ? .usable : .unusable
        }

        var fill: Fill {
            switch self {
            case .clean: Fill(color: Ink.green, pattern: .plain, opacity: 0.75)
            case .usable: Fill(color: Ink.orange, pattern: .upright)
            case .unusable: Fill(color: Ink.vermillion, pattern: .crossed)
            case .unknown: Fill.missing
            }
        }

        var label: String {
            switch self {
            case .clean: "clean (≥ \(LaneFigure.clean))"
            case .usable: "usable (≥ \(LaneFigure.usable))"
            case .unusable: "unusable (< \(LaneFigure.usable))"
            case .unknown: "no data or not judged"
            }
        }
    }

    /// One column of the picture: the worst window in it, and all reasons met.
    private struct Column: Equatable {
        var quality: Double?
        var isCovered = false
        var reasons: Set<Int> = []
    }

    private func columns(_ count: Int) -> [Column] {
        var columns = [Column](repeating: Column(), count: max(1, count))
        let places = Dictionary(uniqueKeysWithValues: reasons.enumerated().map { ($1.name, $0) })
        for (index, window) in lane.windows.enumerated() {
            let (from, to) = extent(index)
            let first = min(max(Int(from / duration * Double(columns.count)), 0), columns.count - 1)
            let last = min(max(Int((to / duration * Double(columns.count)).rounded(.up)) - 1, first), columns.count - 1)
            let quality = window.quality.flatMap { $0.isFinite ? min(max($0, 0), 1) : nil }
            let marks = Set(window.reasons.map { places[$0] ?? reasons.count - 1 })
            for place in first...last {
                if let quality {
                    columns[place].quality = min(columns[place].quality ?? 1, quality)
                }
                columns[place].isCovered = true
                columns[place].reasons.formUnion(marks)
            }
        }
        return columns
    }

    /// Windows that overlap are drawn around their middle, as wide as the step between them; a long gap around the middles
    /// of all windows that it stands for.
    private func extent(_ index: Int) -> (from: Double, to: Double) {
        let windows = lane.windows
        func middles(_ window: QualityLane.Window) -> (first: Double, last: Double) {
            let half = min(window.duration, places.usual) / 2
            return (window.onset + half, window.onset + window.duration - half)
        }
        let window = windows[index]
        let (first, last) = middles(window)
        var (from, to) = (window.onset, window.onset + window.duration)
        if index > 0 { from = max(from, (middles(windows[index - 1]).last + first) / 2) }
        if index + 1 < windows.count { to = min(to, (middles(windows[index + 1]).first + last) / 2) }
        return (from, to)
    }

    private func drawQuality(_ columns: [Column], _ axes: Axes, on drawing: inout Drawing) {
        let width = axes.width / Double(columns.count)
        for run in runs(columns, { $0.isCovered ? $0.quality.map { ($0 * 25).rounded() } ?? -1 : -2 }) {
            let column = columns[run.lowerBound]
            guard column.isCovered else { continue }
            let x = axes.left + Double(run.lowerBound) * width
            let grade = Grade(column.quality)
            let y = axes.y(column.quality.map { max($0, 0.06) } ?? 1)
            drawing.rectangle(
                x, y, Double(run.count) * width, axes.bottom - y, fill: grade.fill, title: title(columns, run))
        }
    }

    private func drawGap(_ gap: MissingSpan, _ axes: Axes, on drawing: inout Drawing) {
        guard gap.onset.isSoundTime, gap.duration.isSoundTime else { return }
        let first = axes.x.clamped(gap.onset)
        let last = axes.x.clamped(gap.onset + gap.duration)
        drawing.rectangle(
            first, axes.top, max(last - first, 1), axes.height, fill: Fill(color: "#ffffff", pattern: .plain))
        drawing.rectangle(
            first, axes.top, max(last - first, 1), axes.height, fill: .missing,
            title: "\(Words.of(gap.reason)), \(NumberText.clock(gap.onset)), \(NumberText.length(gap.duration))")
    }

    private func drawReason(
        _ place: Int, _ columns: [Column], _ axes: Axes, _ y: Double, _ height: Double, on drawing: inout Drawing
    ) {
        let width = axes.width / Double(columns.count)
        drawing.line(axes.left, y + height - 0.5, axes.right, y + height - 0.5, color: "#e6e6e6")
        for run in runs(columns, { $0.reasons.contains(place) ? 1 : 0 })
        where columns[run.lowerBound].reasons.contains(place) {
            drawing.rectangle(
                axes.left + Double(run.lowerBound) * width, y + 3, max(1.5, Double(run.count) * width), height - 6,
                fill: Fill(color: "#3a3a3a", pattern: .plain),
                title: "\(Words.of(reasons[place].name)), \(span(columns, run))")
        }
    }

    private func title(_ columns: [Column], _ run: Range<Int>) -> String {
        let lowest = columns[run].compactMap(\.quality).min()
        let names = Set(columns[run].flatMap(\.reasons)).sorted().map { Words.of(reasons[$0].name) }
        let quality = lowest.map { "quality \(NumberText.fixed($0, 2))" } ?? "not judged"
        return ([span(columns, run), quality] + names).joined(separator: " · ")
    }

    private func span(_ columns: [Column], _ run: Range<Int>) -> String {
        let width = duration / Double(columns.count)
        let from = NumberText.clock(Double(run.lowerBound) * width)
        return "\(from)–\(NumberText.clock(Double(run.upperBound) * width))"
    }

    /// Successive columns with the same key.
    private func runs(_ columns: [Column], _ key: (Column) -> Double) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start = 0
        for place in 1...columns.count where place == columns.count || key(columns[place]) != key(columns[start]) {
            runs.append(start..<place)
            start = place
        }
        return runs
    }

    private var caption: String {
        guard !lane.windows.isEmpty else { return "No window of this stream was judged." }
        let length = NumberText.length(places.usual)
        let coverage = places.mean(lane.windows.map(\.coverage))
        var text = "Quality 0…1 of windows of \(length), n = \(NumberText.count(lane.windows.count)) "
        text += "(\(NumberText.percent(lane.usableShare)) of the time usable), "
        text += "coverage \(NumberText.percent(coverage)). Where several windows share a place the worst is drawn. "
        text +=
            reasons.isEmpty
            ? "No reason was raised against the stream as a whole."
            : "Below: when each reason held, and in what share of the time."
        return text + events.caption()
    }
}
