import Signals

/// Intervals over time: kept, corrected and removed ones in three marks, gaps as hatched bands.
struct TachogramFigure: TimeFigure {
    var events = EventMarks.none
    let series: BeatSeries
    let id: String
    /// Kept and corrected intervals that can be drawn, in order.
    private let used: [TachogramInterval]
    private let removed: [TachogramInterval]
    /// The run each used interval belongs to; a line joins those of one run.
    private let runs: [Int]
    private let time: (lower: Double, upper: Double)
    private let range: (lower: Double, upper: Double)

    init(_ series: BeatSeries, id: String, duration: Seconds) {
        self.series = series
        self.id = id
        let sound = series.intervals.filter { Self.isDrawable($0) }
        used = sound.filter { $0.status != .removed }
        removed = sound.filter { $0.status == .removed }
        var runs: [Int] = []
        var run = 0
        var followsRemoved = false
        for interval in sound {
            if interval.status == .removed {
                followsRemoved = true
                continue
            }
            if !interval.isContiguous || followsRemoved { run += 1 }
            followsRemoved = false
            runs.append(run)
        }
        self.runs = runs
        let end = max(sound.last?.onset ?? 0, duration.isSoundTime ? duration : 0)
        time = (min(0, sound.first?.onset ?? 0), end > 0 ? end : 1)
        range = Self.range(used: used, removed: removed)
    }

    func figure() -> Figure {
        Figure(
            id: id, title: "\(series.name): tachogram", caption: caption,
            pictures: [.wide, .narrow].map { ($0, picture($0)) }, data: data, live: used.isEmpty ? nil : live)
    }

    private static func isDrawable(_ interval: TachogramInterval) -> Bool {
        interval.onset.isSoundTime && interval.duration > 0 && interval.duration < 1e5
    }

    /// The used intervals and, where they are not far off, the removed ones, in ms.
    private static func range(
        used: [TachogramInterval], removed: [TachogramInterval]
    ) -> (lower: Double, upper: Double) {
        let values = (used.isEmpty ? removed : used).map { $0.duration * 1_000 }
        guard let low = values.min(), let high = values.max() else { return (400, 1_400) }
        let reach = max((high - low) * 0.5, 50)
        let near = removed.map { $0.duration * 1_000 }.filter { $0 > low - reach && $0 < high + reach }
        let lower = min(low, near.min() ?? low)
        let upper = max(high, near.max() ?? high)
        let margin = max((upper - lower) * 0.06, 5)
        return (max(0, lower - margin), upper + margin)
    }

    // MARK: Drawing

    private func picture(_ layout: Figure.Layout) -> Markup {
        let legend = legend
        let legendHeight = legend.height(width: layout.width - 66)
        let height = (layout == .wide ? 250.0 : 230) + legendHeight
        var drawing = Drawing(id: "\(id)-\(layout.rawValue)", width: layout.width, height: height)
        let axes = Axes(
            left: 60, top: legendHeight + 8, width: layout.width - 60 - 18, height: height - legendHeight - 8 - 44,
            x: time, y: range)
        legend.draw(on: &drawing, left: 60, top: 0, width: layout.width - 66)
        axes.drawVertical(
            Ticks.linear(range.lower, range.upper, count: 5), label: "IBI (ms)", on: &drawing, labelOffset: 46)
        axes.drawHorizontal(
            Ticks.time(time.lower, time.upper, count: layout == .wide ? 12 : 6),
            label: "Time from start (\(Ticks.timeUnit(upTo: time.upper)))", on: &drawing,
            attributes: [("class", "x-ticks")])
        drawing.clipped(to: axes.rectangle) { drawing in
            axes.drawMissing(series.gaps, on: &drawing)
            drawUsed(axes, on: &drawing)
        }
        drawing.group([]) { drawMarked(axes, on: &$0) }
        events.draw(on: &drawing, axes: axes, isLabelled: true)
        axes.drawFrame(on: &drawing)
        if used.isEmpty, removed.isEmpty {
            drawing.text(
                "no intervals to show", axes.left + axes.width / 2, axes.top + axes.height / 2, anchor: .middle,
                color: "#444444")
        } else {
            drawing.attributes = liveAttributes(axes)
        }
        return drawing.svg(title: "Tachogram of \(series.name)", description: caption)
    }

    private func drawUsed(_ axes: Axes, on drawing: inout Drawing) {
        let indices = drawn(columns: Int(axes.width), lower: axes.x.lower, upper: axes.x.upper)
        var path = PathText()
        var previous = -1
        for index in indices {
            if previous >= 0, runs[index] != runs[previous] { path.lift() }
            path.next(axes.x(used[index].onset), axes.y(used[index].duration * 1_000))
            previous = index
        }
        path.lift()
        drawing.path(
            path,
            [
                ("class", "line"), ("stroke", Ink.blue), ("stroke-width", "1.1"), ("stroke-linejoin", "round"),
                ("stroke-linecap", "round"), ("fill", "none"),
            ])
        var dots = PathText()
        if Double(used.count) < axes.width / 2 {
            for interval in used where interval.status == .kept {
                Mark.dot.append(
                    to: &dots, x: axes.x(interval.onset), y: axes.y(interval.duration * 1_000), r: 1.6)
            }
        }
        drawing.path(dots, [("class", "kept")] + Mark.dot.attributes(color: Ink.blue, r: 1.6))
    }

    private func drawMarked(_ axes: Axes, on drawing: inout Drawing) {
        func draw(_ intervals: [TachogramInterval], _ mark: Mark, _ color: String, _ name: String) {
            // Many marks are drawn small, so that they do not hide the line.
            let r = Double(intervals.count) > axes.width / 8 ? 2.0 : 4
            let indices = Extremes.indices(
                count: intervals.count, columns: Int(axes.width / r), lower: axes.x.lower, upper: axes.x.upper,
                position: { intervals[$0].onset }, value: { intervals[$0].duration })
            var path = PathText()
            for index in indices {
                let y = axes.y.clamped(intervals[index].duration * 1_000)
                mark.append(to: &path, x: axes.x(intervals[index].onset), y: y, r: r)
            }
            drawing.path(path, [("class", name)] + mark.attributes(color: color, r: r))
        }
        draw(used.filter { $0.status == .corrected }, .triangle, Ink.vermillion, "corrected")
        draw(removed, .cross, Ink.black, "removed")
    }

    private func drawn(columns: Int, lower: Double, upper: Double) -> [Int] {
        Extremes.indices(
            count: used.count, columns: columns, lower: lower, upper: upper, position: { used[$0].onset },
            value: { used[$0].duration })
    }

    private var legend: Legend {
        var entries: [(Legend.Sample, String)] = [
            (.mark(.dot, Ink.blue, 3), "kept (\(NumberText.count(count(.kept))))"),
            (.mark(.triangle, Ink.vermillion, 4.5), "corrected (\(NumberText.count(count(.corrected))))"),
            (.mark(.cross, Ink.black, 4), "removed (\(NumberText.count(removed.count)))"),
        ]
        let missing = series.gaps.reduce(0) { $0 + ($1.duration.isFinite ? $1.duration : 0) }
        if !series.gaps.isEmpty {
            let count = Words.count(series.gaps.count, "gap")
            entries.append((.area(.missing), "\(count), \(NumberText.length(missing))"))
        }
        return Legend(entries: entries.map { (sample: $0.0, text: $0.1) })
    }

    private func count(_ status: TachogramInterval.Status) -> Int {
        used.count { $0.status == status }
    }

    private var caption: String {
        let total = used.count + removed.count
        guard total > 0 else { return "No intervals: \(series.absence)." }
        var text = "Inter-beat intervals in ms, each at the time of its later beat; n = \(NumberText.count(total)) "
        text += "(\(NumberText.percent(share(.corrected))) corrected, \(NumberText.percent(share(.removed))) removed), "
        text += "coverage \(NumberText.percent(series.coverage)). A line joins intervals that follow one another."
        if !series.gaps.isEmpty {
            text += " Hatched: \(Self.distinct(series.gaps.map { Words.of($0.reason) }))."
        }
        if series.droppedIntervals > 0 {
            text += " \(Words.count(series.droppedIntervals, "interval")) where the signal is not good enough"
            text += series.droppedIntervals == 1 ? " does not count and is" : " do not count and are"
            text += " not drawn."
        }
        let beyond = removed.filter { $0.duration * 1_000 > range.upper || $0.duration * 1_000 < range.lower }
        if let longest = beyond.map(\.duration).max() {
            text += " \(Words.count(beyond.count, "removed interval")) beyond the scale"
            text += beyond.count == 1 ? " is" : " are"
            text += " drawn at its edge (longest \(NumberText.fixed(longest, 2)) s)."
        }
        return text + events.caption()
    }

    private func share(_ status: TachogramInterval.Status) -> Double {
        let n = status == .removed ? removed.count : count(status)
        return Double(n) / Double(max(1, used.count + removed.count))
    }

    /// The words, each once, in order of first appearance.
    static func distinct(_ words: [String]) -> String {
        var seen: [String] = []
        for word in words where !seen.contains(word) { seen.append(word) }
        return seen.joined(separator: ", ")
    }

    // MARK: Data

    private var data: FigureData {
        let all = series.intervals
        return FigureData(
            fileName: "\(id).tsv", header: ["onset", "ibi", "status", "contiguous"], count: all.count,
            chosen: { columns in
                Extremes.indices(
                    count: all.count, columns: columns, lower: time.lower, upper: time.upper,
                    position: { all[$0].onset }, value: { all[$0].duration })
            }
        ) { index in
            let interval = all[index]
            return [
                NumberText.fixed(interval.onset, 4), NumberText.fixed(interval.duration, 4),
                interval.status.rawValue, interval.isContiguous ? "1" : "0",
            ]
        }
    }

    private func liveAttributes(_ axes: Axes) -> [(String, String)] {
        let frame = [axes.left, axes.top, axes.width, axes.height].map { NumberText.fixed($0, 2) }
        let domain = [axes.x.lower, axes.x.upper, axes.y.lower, axes.y.upper].map { NumberText.fixed($0, 6) }
        return [
            ("class", "live"), ("data-live", "\(id)-live"), ("data-frame", frame.joined(separator: " ")),
            ("data-domain", domain.joined(separator: " ")),
        ]
    }

    /// Used intervals in steps of 0.1 ms: `d` onset after the one before, packed; `j` place and step of those too long
    /// to pack; `v` place and length of those that are not `d` long, negative where they follow on nevertheless, or,
    /// where these are many, `w` all lengths, packed; `c` places of corrected ones; `r` onset and length of removed ones.
    private var live: String {
        let indices =
            used.count <= Self.liveLimit
            ? Array(used.indices) : drawn(columns: Self.liveLimit / 4, lower: time.lower, upper: time.upper)
        var d: [Int] = []
        var j: [Int] = []
        var v: [Int] = []
        var corrected: [Int] = []
        var last = 0
        for (place, index) in indices.enumerated() {
            let onset = Self.ticks(used[index].onset)
            let length = Self.ticks(used[index].duration)
            let follows = place > 0 && runs[index] == runs[indices[place - 1]]
            d.append(onset - last)
            if !(0..<Packed.none).contains(onset - last) { j += [place, onset - last] }
            if !follows { v += [place, length] } else if (length - d[place]).magnitude > 1 { v += [place, -length] }
            if used[index].status == .corrected { corrected.append(place) }
            last = onset
        }
        let removed = removed.prefix(Self.liveLimit / 4).flatMap { [Self.ticks($0.onset), Self.ticks($0.duration)] }
        func list(_ numbers: [Int]) -> String { "[" + numbers.map(String.init).joined(separator: ",") + "]" }
        let whole = indices.count == used.count ? 1 : 0
        var w = ""
        if v.count > indices.count / 2 {
            w = Packed.text(indices.map { Self.ticks(used[$0].duration) })
            v = stride(from: 0, to: v.count, by: 2).filter { v[$0 + 1] > 0 }.flatMap { [v[$0], v[$0 + 1]] }
        }
        return
            "{\"kind\":\"ibi\",\"whole\":\(whole),\"d\":\"\(Packed.text(d))\",\"j\":\(list(j)),\"v\":\(list(v)),"
            + "\"w\":\"\(w)\",\"c\":\(list(corrected)),\"r\":\(list(removed))}"
    }

    private static func ticks(_ seconds: Seconds) -> Int {
        Int((seconds * 10_000).rounded())
    }

    /// The most intervals the page carries for zooming: a day and a half at 75 bpm.
    private static let liveLimit = 160_000
}
