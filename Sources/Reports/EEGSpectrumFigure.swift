import Brain
import Foundation
import Signals

/// The usual spectrum of each EEG channel with its 1/f fit, a panel each.
struct EEGSpectrumFigure {
    private let series: BrainSeries
    private let id: String
    private let frequencies: [Double]
    /// Channels that have a spectrum, with log10 of it.
    private let spectra: [(channel: Int, density: [Double])]

    /// The most channels that are drawn.
    private static let mostPanels = 32
    private static let band = (lower: 1.0, upper: 45.0)

    /// nil where no channel has a spectrum.
    init?(_ series: BrainSeries, id: String) {
        guard let overview = series.overview else { return nil }
        let first = overview.frequencies.firstIndex { $0 >= Self.band.lower - 0.01 } ?? 0
        let end = overview.frequencies.firstIndex { $0 > Self.band.upper + 0.01 } ?? overview.frequencies.count
        guard end - first > 4 else { return nil }
        frequencies = Array(overview.frequencies[first..<end])
        spectra = series.labels.indices.compactMap { channel in
            overview.density(ofChannel: channel).map { (channel, Array($0[first..<end])) }
        }
        if spectra.isEmpty { return nil }
        self.series = series
        self.id = id
    }

    func figure() -> Figure {
        let (frequencies, spectra, labels) = (frequencies, spectra, series.labels)
        return Figure(
            id: id, title: "\(series.name): power spectra with 1/f fit", caption: caption,
            pictures: [.wide, .narrow].flatMap { layout in
                parts(layout).enumerated().map { (layout, picture(layout, $0, $1)) }
            },
            data: FigureData(
                fileName: "\(id).tsv",
                header: ["frequency_Hz"] + spectra.map { "log10_\(labels[$0.channel])" }, count: frequencies.count
            ) { bin in
                [NumberText.fixed(frequencies[bin], 4)] + spectra.map { NumberText.fixed($0.density[bin], 4) }
            })
    }

    /// How many panels one picture has at most: four rows on paper, as no page holds more.
    private func most(_ layout: Figure.Layout) -> Int { layout == .wide ? 16 : Self.mostPanels }

    private func parts(_ layout: Figure.Layout) -> [ArraySlice<(channel: Int, density: [Double])>] {
        let drawn = spectra.prefix(Self.mostPanels)
        return stride(from: 0, to: drawn.count, by: most(layout)).map {
            drawn[$0..<min($0 + most(layout), drawn.count)]
        }
    }

    private func picture(
        _ layout: Figure.Layout, _ part: Int, _ panels: ArraySlice<(channel: Int, density: [Double])>
    ) -> Markup {
        let perRow = min(spectra.count, layout == .wide ? 4 : 2)
        let rows = (panels.count + perRow - 1) / perRow
        // Above each panel is its title, which the curve would cross within.
        let (left, gap, top, panelHeight) = (56.0, 14.0, 20.0, layout == .wide ? 150.0 : 120)
        let panelWidth = min(420, (layout.width - left - 18 - gap * Double(perRow - 1)) / Double(perRow))
        let rowHeight = panelHeight + 46
        let name = part == 0 ? layout.rawValue : "\(layout.rawValue)-\(part + 1)"
        var drawing = Drawing(
            id: "\(id)-\(name)", width: layout.width, height: top + Double(rows) * rowHeight - 2)
        // All parts have one scale.
        let values = spectra.prefix(Self.mostPanels).flatMap(\.density)
        let range = ((values.min() ?? -2) - 0.1, (values.max() ?? 2) + 0.25)
        for (place, one) in panels.enumerated() {
            let (row, column) = (place / perRow, place % perRow)
            let axes = Axes(
                left: left + Double(column) * (panelWidth + gap), top: top + Double(row) * rowHeight,
                width: panelWidth, height: panelHeight,
                x: (Self.logarithm(Self.band.lower), Self.logarithm(Self.band.upper)), y: range)
            draw(one, axes, isFirst: column == 0, size: layout == .wide ? 12 : 11, on: &drawing)
        }
        drawing.text(
            "frequency (Hz)", left + (layout.width - left - 18) / 2, drawing.height - 6, anchor: .middle,
            color: "#444444")
        return drawing.svg(title: "\(series.name): power spectra", description: caption)
    }

    private static func logarithm(_ value: Double) -> Double { log10(value) }

    private func draw(
        _ one: (channel: Int, density: [Double]), _ axes: Axes, isFirst: Bool, size: Double, on drawing: inout Drawing
    ) {
        let labels = Ticks.logarithmic(axes.y.lower, axes.y.upper).labels.map {
            (value: $0.value, text: isFirst ? $0.text : "")
        }
        axes.drawVertical(Ticks(labels: labels), label: isFirst ? "µV²/Hz" : "", on: &drawing)
        axes.drawHorizontal(
            Ticks(labels: [1.0, 2, 5, 10, 20].map { (Self.logarithm($0), "\(Int($0))") }), label: "", on: &drawing)
        let fit = series.fits.indices.contains(one.channel) ? series.fits[one.channel] : nil
        drawing.clipped(to: axes.rectangle) { drawing in
            var line = PathText()
            for (frequency, value) in zip(frequencies, one.density) {
                line.next(axes.x(Self.logarithm(frequency)), axes.y(value))
            }
            drawing.path(line, [("stroke", Ink.black), ("stroke-width", "1.2"), ("fill", "none")])
            if let fit {
                let (low, high) = (Self.logarithm(series.fitted.lower), Self.logarithm(series.fitted.upper))
                drawing.line(
                    axes.x(low), axes.y(fit.offset - fit.exponent * low), axes.x(high),
                    axes.y(fit.offset - fit.exponent * high), color: Ink.vermillion, width: 1.3, dash: "5 3")
            }
        }
        axes.drawFrame(on: &drawing)
        var text = BrainSeries.short(series.labels[one.channel])
        if let fit { text += " · 1/f \(NumberText.fixed(fit.exponent, 2))" }
        if let peak = fit?.peaks.max(by: { $0.power < $1.power }) {
            text += " · \(NumberText.fixed(peak.frequency, 1)) Hz"
        }
        drawing.text(text, axes.left, axes.top - 6, size: size)
    }

    private var caption: String {
        let epochs = series.overview?.epochs ?? []
        let most = epochs.max() ?? 0
        var text =
            "Mean log power density of the usable epochs (solid), on logarithmic axes, and the 1/f background of "
        text += "its fit (dashed; Donoghue et al. 2020) with exponent and highest peak; n ≤ "
        text += "\(Words.count(most, "epoch")) per channel."
        if spectra.count > Self.mostPanels {
            text += " \(NumberText.count(Self.mostPanels)) of \(NumberText.count(spectra.count)) channels are drawn."
        }
        return text
    }
}
