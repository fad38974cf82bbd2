import Kernels
public import Signals

/// Blinks over time: a line for each, and their rate below.
struct BlinkFigure: TimeFigure {
    private let onsets: [Seconds]
    /// Blinks a minute, at the middle of each window; nil where too little of it could show a blink.
    private let rates: [(onset: Seconds, value: Double?)]
    private let window: Seconds
    private let id: String
    private let duration: Seconds
    private let unseen: [MissingSpan]
    var events = EventMarks.none

    /// Seconds of a window of the rate, and from one to the next.
    static let (longestWindow, step) = (60.0, 10.0)
    /// The share of a window in which a blink could be seen, from which on it has a rate.
    static let leastSeen = 0.5

    /// The figure of these blinks.
    /// - Parameter seconds: second by second whether the eyes blinked, 1 or 0; nil where no electrode could show it.
    init?(_ onsets: [Seconds], seconds: [(onset: Seconds, blink: Int?)], id: String, duration: Seconds) {
        guard !seconds.isEmpty else { return nil }
        self.onsets = onsets.filter(\.isSoundTime).sorted()
        self.id = id
        let end = seconds.map { $0.onset + 1 }.max() ?? 0
        self.duration = max(duration.isSoundTime ? duration : 0, end, 1)
        let length = min(Self.longestWindow, max(1, self.duration.rounded(.down)))
        window = length
        rates = Self.rates(self.onsets, seconds, window: length, duration: self.duration)
        // After the last second of EEG no blink could be seen either.
        let rest = stride(from: end, to: self.duration.rounded(.down), by: 1).map { (onset: $0, blink: Int?.none) }
        unseen = Self.unseen(seconds + rest)
    }

    /// The rate over windows, of the time in which a blink could be seen.
    static func rates(
        _ onsets: [Seconds], _ seconds: [(onset: Seconds, blink: Int?)], window: Seconds, duration: Seconds
    ) -> [(onset: Seconds, value: Double?)] {
        let seen = Set(seconds.filter { $0.blink != nil }.map { Int($0.onset) })
        return stride(from: 0, through: max(0, duration - window), by: step).map { onset in
            let range = Int(onset)..<Int(onset + window)
            let usable = range.count(where: seen.contains)
            guard Double(usable) >= leastSeen * Double(range.count), usable > 0 else { return (onset, nil) }
            let count = onsets.count { range.contains(Int($0)) && seen.contains(Int($0)) }
            return (onset, Double(count) * 60 / Double(usable))
        }
    }

    private static func unseen(_ seconds: [(onset: Seconds, blink: Int?)]) -> [MissingSpan] {
        var spans: [MissingSpan] = []
        for second in seconds where second.blink == nil {
            if let last = spans.last, abs(last.onset + last.duration - second.onset) < 1e-6 {
                spans[spans.count - 1].duration += 1
            } else {
                spans.append(MissingSpan(onset: second.onset, duration: 1, reason: "no usable electrode"))
            }
        }
        return spans
    }

    func figure() -> Figure {
        let rates = rates
        let length = window
        return Figure(
            id: id, title: "Blinks", caption: caption, pictures: [.wide, .narrow].map { ($0, picture($0)) },
            data: FigureData(fileName: "\(id).tsv", header: ["onset", "duration", "blinkRate"], count: rates.count) {
                [
                    NumberText.fixed(rates[$0].onset, 3), NumberText.fixed(length, 3),
                    rates[$0].value.map { NumberText.fixed($0, 2) } ?? NumberText.missing,
                ]
            })
    }

    private func picture(_ layout: Figure.Layout) -> Markup {
        let (lane, space, height) = (34.0, 30.0, 92.0)
        var drawing = Drawing(
            id: "\(id)-\(layout.rawValue)", width: layout.width, height: 22 + lane + space + height + 46)
        let width = layout.width - 56 - 18
        let blinks = Axes(left: 56, top: 20, width: width, height: lane, x: (0, duration), y: (0, 1))
        drawing.text("Blinks, a line each", 56, 13, isBold: true)
        blinks.drawMissing(unseen, on: &drawing, isLabelled: false)
        var path = PathText()
        for onset in onsets {
            path.move(blinks.x.clamped(onset), blinks.top + 4)
            path.line(blinks.x.clamped(onset), blinks.bottom)
        }
        drawing.path(
            path, [("class", "lane-blinks"), ("stroke", Ink.vermillion), ("stroke-width", "1.1"), ("fill", "none")])
        blinks.drawFrame(on: &drawing)
        let highest = max(rates.compactMap(\.value).max() ?? 0, 10)
        let rate = Axes(
            left: 56, top: 20 + lane + space, width: width, height: height, x: (0, duration), y: (0, highest * 1.1))
        drawing.text("Blink rate (1/min)", 56, rate.top - 7, isBold: true)
        rate.drawVertical(Ticks.atLeastTwo(0, rate.y.upper, count: 3), label: "", on: &drawing)
        rate.drawHorizontal(
            Ticks.time(0, duration, count: layout == .wide ? 12 : 5),
            label: "Time from start (\(Ticks.timeUnit(upTo: duration))); a rate at the middle of its window",
            on: &drawing)
        rate.drawMissing(unseen, on: &drawing, isLabelled: false)
        drawRate(rate, on: &drawing)
        rate.drawFrame(on: &drawing)
        events.draw(on: &drawing, axes: blinks, isLabelled: false)
        events.draw(on: &drawing, axes: rate, isLabelled: true)
        return drawing.svg(title: "Blinks", description: caption)
    }

    private func drawRate(_ axes: Axes, on drawing: inout Drawing) {
        var (line, dots) = (PathText(), PathText())
        for rate in rates {
            guard let value = rate.value else {
                line.lift()
                continue
            }
            line.next(axes.x.clamped(rate.onset + window / 2), axes.y(value))
            if rates.count < Int(axes.width / 6) {
                Mark.dot.append(to: &dots, x: axes.x.clamped(rate.onset + window / 2), y: axes.y(value), r: 2.4)
            }
        }
        line.lift()
        drawing.path(
            line, [("stroke", Ink.blue), ("stroke-width", "1.4"), ("stroke-linecap", "round"), ("fill", "none")])
        drawing.path(dots, Mark.dot.attributes(color: Ink.blue, r: 2.4))
    }

    private var caption: String {
        let missing = unseen.reduce(0) { $0 + $1.duration }
        return
            "\(Words.count(onsets.count, "blink")), and blinks per minute over windows of \(NumberText.length(window))"
            + ", of the time in which an electrode could show them."
            + (missing > 0 ? " Hatched: no electrode could show a blink." : "") + events.caption()
    }
}
