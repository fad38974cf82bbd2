import Brain
import Signals

/// How an EEG's spectrum changes over time, all usable channels together, with features and the eyes' blinks below.
struct SpectrogramFigure: TimeFigure {
    var events = EventMarks.none
    private let series: BrainSeries
    private let overview: SpectrumOverview
    private let slices: [SpectrumOverview.Slice]
    private let lanes: MetricLanes
    private let id: String
    private let duration: Seconds
    /// log10 of the densities at the two ends of the colours.
    private let range: (lower: Double, upper: Double)

    /// The highest frequency that is drawn, in hertz.
    private static let highest = 45.0

    /// nil where no epoch was usable.
    init?(_ series: BrainSeries, id: String, duration: Seconds) {
        guard let overview = series.overview, let last = overview.spectrogram.last else { return nil }
        self.series = series
        self.overview = overview
        lanes = MetricLanes(series)
        self.id = id
        slices = overview.spectrogram
        self.duration = max(duration.isSoundTime ? duration : 0, last.onset + overview.sliceLength)
        let bins = Self.bins(overview)
        let all = slices.flatMap { $0.density[bins] }.sorted()
        guard !all.isEmpty else { return nil }
        range = (Double(all[all.count * 2 / 100]), Double(all[all.count * 98 / 100]))
    }

    private static func bins(_ overview: SpectrumOverview) -> Range<Int> {
        let end = overview.frequencies.firstIndex { $0 > highest } ?? overview.frequencies.count
        return min(1, end)..<end
    }

    func figure() -> Figure {
        let (slices, bins, frequencies) = (slices, Self.bins(overview), overview.frequencies)
        return Figure(
            id: id, title: "\(series.name): spectrogram", caption: caption,
            pictures: [.wide, .narrow].map { ($0, picture($0)) },
            data: FigureData(
                fileName: "\(id).tsv",
                header: ["onset"] + bins.map { "log10_\(NumberText.significant(frequencies[$0], 4))_Hz" },
                count: slices.count
            ) { row in
                [NumberText.fixed(slices[row].onset, 3)]
                    + slices[row].density[bins].map { NumberText.fixed(Double($0), 2) }
            })
    }

    private func picture(_ layout: Figure.Layout) -> Markup {
        let (left, top, height, lane) = (56.0, 8.0, layout == .wide ? 210.0 : 170, 22.0)
        let width = layout.width - left - 84
        var drawing = Drawing(
            id: "\(id)-\(layout.rawValue)", width: layout.width, height: top + height + lanes.height + lane + 56)
        let bins = Self.bins(overview)
        let axes = Axes(
            left: left, top: top, width: width, height: height, x: (0, duration),
            y: (0, overview.frequencies[bins.upperBound - 1]))
        drawing.rectangle(left, top, width, height, fill: .missing)
        drawing.image(raster(bins).address(palette: Raster.evenPalette), axes.rectangle)
        let ticks = Ticks.time(0, duration, count: layout == .wide ? 10 : 4)
        axes.drawVertical(
            Ticks.linear(0, axes.y.upper, count: 5), label: "frequency (Hz)", on: &drawing, hasGrid: false)
        axes.drawFrame(on: &drawing)
        drawColours(right: axes.right, top: top, height: height, on: &drawing)
        lanes.draw(left: left, top: top + height, width: width, duration: duration, on: &drawing)
        let below = Axes(
            left: left, top: top + height + lanes.height + 4, width: width, height: lane, x: (0, duration), y: (0, 1))
        drawBlinks(below, on: &drawing)
        below.drawHorizontal(ticks, label: "Time from start (\(Ticks.timeUnit(upTo: duration)))", on: &drawing)
        let all = Axes(
            left: left, top: top, width: width, height: below.bottom - top, x: (0, duration), y: (0, 1))
        events.draw(on: &drawing, axes: all, isLabelled: true)
        return drawing.svg(title: "\(series.name): spectrogram", description: caption)
    }

    /// A column per stretch of the recording, the highest frequency at the top; of several stretches, where much without a
    /// usable epoch follows, their mean.
    private func raster(_ bins: Range<Int>) -> Raster {
        let stretches = (duration / overview.sliceLength).rounded(.up)
        let joined = max(1, (stretches / Double(2 * SpectrumOverview.mostSlices)).rounded(.up))
        var raster = Raster(width: Int((stretches / joined).rounded(.up)), height: bins.count)
        let columns = Dictionary(grouping: slices) { Int((($0.onset / overview.sliceLength).rounded() / joined)) }
        for (column, slices) in columns where column < raster.width {
            for (place, bin) in bins.enumerated() {
                let density = slices.reduce(0) { $0 + Double($1.density[bin]) } / Double(slices.count)
                let share = (density - range.lower) / max(range.upper - range.lower, 1e-9)
                let row = bins.count - 1 - place
                raster.cells[row * raster.width + column] = UInt8(1 + min(max(share, 0), 1) * 254)
            }
        }
        return raster
    }

    private func drawColours(right: Double, top: Double, height: Double, on drawing: inout Drawing) {
        var ramp = Raster(width: 1, height: 255)
        for row in 0..<255 { ramp.cells[row] = UInt8(255 - row) }
        drawing.image(ramp.address(palette: Raster.evenPalette), (right + 14, top, 12, height))
        for (value, y) in [(range.upper, top + 10), (range.lower, top + height)] {
            drawing.text(Self.signed(10 * value), right + 30, y)
        }
        drawing.text("dB re 1 µV²/Hz", right + 48, top + height / 2, anchor: .middle, color: "#444444", isUpright: true)
    }

    private static func signed(_ value: Double) -> String {
        let text = NumberText.fixed(value, 0)
        return text.hasPrefix("-") ? "\u{2212}" + text.dropFirst() : text
    }

    private func drawBlinks(_ axes: Axes, on drawing: inout Drawing) {
        var path = PathText()
        for event in series.eyes where event.kind == .blink && event.onset.isSoundTime {
            path.move(axes.x.clamped(event.onset), axes.top + 3)
            path.line(axes.x.clamped(event.onset), axes.bottom - 2)
        }
        drawing.path(
            path,
            [("class", "lane-blinks"), ("stroke", Ink.vermillion), ("stroke-width", "0.8"), ("fill", "none")])
        drawing.text("blinks", axes.left - 6, axes.top + 15, anchor: .end, size: 11)
        axes.drawFrame(on: &drawing)
    }

    private var caption: String {
        let blinks = series.eyes.count { $0.kind == .blink }
        var text = "Power density of the usable epochs, the mean of all channels' logarithms over "
        text += "\(NumberText.length(overview.sliceLength)); hatched: no usable epoch. n = "
        text += Words.count(slices.count, "stretch", "stretches")
        if let usable = series.usable { text += ", \(NumberText.percent(usable)) of channels and epochs usable" }
        text += "; \(Words.count(blinks, "blink"))."
        return text + (lanes.words.map { " Below: \($0)." } ?? "") + events.caption()
    }
}
