import Decoding
public import Signals

/// Tags and device markers of a recording, drawn into every figure over time.
public struct EventMarks: Sendable {
    /// The events that are drawn, in order of time. Those of calibration tasks are not: there are hundreds.
    let drawn: [Marker]
    /// The number of markers of calibration tasks, which the table of events has.
    let taskCount: Int
    /// The number of annotated beats of the file, which are not drawn.
    let beatCount: Int

    /// No events.
    public static let none = EventMarks([])

    /// The marks of a recording's events.
    public init(_ markers: [Marker]) {
        let sound = markers.filter { $0.onset.isSoundTime && $0.duration.isSoundTime }
        drawn = sound.filter { !$0.isOfCalibration && $0.role == .event }.sorted { $0.onset < $1.onset }
        taskCount = sound.count(where: \.isOfCalibration)
        beatCount = sound.count { $0.role == .beat }
    }

    /// The sentence for the caption of a figure from `lower` to `upper` seconds; empty without an event in between.
    func caption(from lower: Seconds = -.infinity, to upper: Seconds = .infinity) -> String {
        let count = drawn.count { $0.onset + $0.duration >= lower && $0.onset <= upper }
        let marks = isCrowded ? "Short lines at the top" : "Dashed vertical lines"
        return count == 0 ? "" : " \(marks): \(Words.count(count, "tag or marker", "tags and markers"))."
    }

    /// True where lines across the whole figure would hide what is below them.
    private var isCrowded: Bool { drawn.count > Self.mostLines }
    private static let mostLines = 100

    /// Draws the events from the top of the axes to their bottom; of many events short lines at the top.
    /// - Parameter isLabelled: whether labels are next to the lines, where they fit.
    func draw(on drawing: inout Drawing, axes: Axes, isLabelled: Bool) {
        var columns: Set<Int> = []
        var free = -Double.infinity
        for event in drawn where event.onset + event.duration >= axes.x.lower && event.onset <= axes.x.upper {
            let place = axes.x.clamped(event.onset)
            let end = axes.x.clamped(event.onset + event.duration)
            // Of events within a column one is drawn.
            guard columns.insert(Int(place)).inserted || end - place > 1 else { continue }
            let hasLabel = isLabelled && place > free && !isCrowded
            let bottom = isCrowded ? min(axes.bottom, axes.top + 6) : axes.bottom
            drawing.group([
                ("class", "event"), ("data-a", NumberText.fixed(event.onset, 3)),
                ("data-x", NumberText.coordinate(place)),
            ]) { drawing in
                if end - place > 1, !isCrowded {
                    drawing.rectangle(
                        place, axes.top, end - place, axes.height,
                        fill: Fill(color: Self.color, pattern: .plain, opacity: 0.1))
                }
                drawing.line(
                    place, axes.top, place, bottom, color: Self.color, width: 1, dash: isCrowded ? nil : "4 3",
                    title: Self.words(event))
                guard hasLabel else { return }
                drawing.text(
                    Words.shortened(event.label, to: Int(axes.height / 7)), place - 3, axes.top + 3, anchor: .end,
                    size: Self.labelSize, color: Self.color, isUpright: true,
                    extra: [
                        ("paint-order", "stroke"), ("stroke", "#ffffff"), ("stroke-width", "3"),
                        ("stroke-linejoin", "round"),
                    ])
            }
            if hasLabel { free = place + Self.labelSize + 4 }
        }
    }

    private static func words(_ event: Marker) -> String {
        let end = event.duration > 0 ? "–" + NumberText.clock(event.onset + event.duration) : ""
        return "\(event.label), \(NumberText.clock(event.onset))\(end)"
    }

    /// A dark purple, which no series has.
    private static let color = "#7a3e8e"
    private static let labelSize = 11.0

    /// The rows that a page shows.
    private static let mostRows = 50

    /// Writes the section of events: a table, and where the rest is.
    func write(to markup: inout Markup) {
        if !drawn.isEmpty {
            let rows = drawn.prefix(Self.mostRows).map { event in
                [
                    NumberText.clock(event.onset), NumberText.fixed(event.onset, 3),
                    event.duration > 0 ? NumberText.fixed(event.duration, 3) : "0", event.label,
                    event.stream ?? NumberText.missing,
                ]
            }
            HTMLTable(
                caption: "Tags and device markers, in order of time",
                columns: [
                    .name("time"), .number("onset (s)"), .number("duration (s)"), .long("label"), .name("stream"),
                ],
                rows: Array(rows)
            ).write(to: &markup)
        }
        if drawn.count > Self.mostRows {
            markup.element(
                "p",
                text: "The first \(NumberText.count(Self.mostRows)) of \(NumberText.count(drawn.count)) are shown; the "
                    + "table of events (…_events.tsv) has all of them.")
        }
        if beatCount > 0 {
            markup.element(
                "p",
                text:
                    "\(Words.count(beatCount, "annotated beat")) of the file: neither drawn nor in the table of events. "
                    + "marey validate compares detected beats with them.")
        }
        if taskCount > 0 {
            markup.element(
                "p",
                text:
                    "\(Words.count(taskCount, "marker")) of calibration tasks: in the table of events (…_events.tsv), not drawn."
            )
        }
    }

    /// True without any event or annotated beat.
    var isEmpty: Bool { drawn.isEmpty && taskCount == 0 && beatCount == 0 }
}

/// A figure whose horizontal axis is the recording's time.
protocol TimeFigure {
    /// The events that are drawn into it.
    var events: EventMarks { get set }
    /// The figure.
    func figure() -> Figure
}

extension TimeFigure {
    /// The same with these events in it.
    func marked(_ events: EventMarks) -> Figure {
        var marked = self
        marked.events = events
        return marked.figure()
    }
}
