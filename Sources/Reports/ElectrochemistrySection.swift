public import Electrochemistry
import Signals

/// What a potentiostat measured, at one of its channels where it has several, for the page of a recording.
public struct ElectrochemistrySection: Sendable {
    /// What it is called in figures and tables: `Potentiostat` where there is one alone.
    public var name: String
    /// The points of the measurement, in order of time.
    public var points: [ElectrochemicalPoint]
    /// The impedance spectra, one per measurement; empty where none was measured.
    public var spectra: [ImpedanceSpectrum]
    /// Sweeps of potential.
    public var sweeps: [LinearSweep]
    /// Steps of potential.
    public var steps: [PotentialStep]

    /// What is told of a measurement.
    public init(
        name: String = "Potentiostat", points: [ElectrochemicalPoint] = [], spectra: [ImpedanceSpectrum] = [],
        sweeps: [LinearSweep] = [], steps: [PotentialStep] = []
    ) {
        self.name = name
        (self.points, self.spectra, self.sweeps, self.steps) = (points, spectra, sweeps, steps)
    }

    private static let mostRows = 200
    private static let mostSpectra = 8

    /// Its figures and tables.
    /// - Parameter place: which of the page's it is, from 0 on: ids are the page's own.
    func write(to markup: inout Markup, place: Int) {
        let own = place == 0 ? "" : "potentiostat-\(place + 1)-"
        let drawn = spectra.prefix(Self.mostSpectra).enumerated().compactMap { number, spectrum -> Figure? in
            let title = spectra.count > 1 ? "\(name), spectrum \(number + 1)" : name
            let id = own + (number == 0 ? "nyquist" : "nyquist-\(number + 1)")
            return NyquistFigure(spectrum, name: title, id: id)?.figure()
        }
        let isSwept = steps.isEmpty && !sweeps.isEmpty
        let currents = [
            CurrentFigure(sweeps, name: name, id: own + "voltammogram")?.figure(),
            isSwept ? nil : CurrentFigure(points, name: name, id: own + "current")?.figure(),
        ].compactMap(\.self)
        let figures = drawn + currents
        if figures.isEmpty { markup.element("p", text: "\(name): no values that can be drawn.") }
        markup.element("div", [("class", "figures")]) { box in for figure in figures { figure.write(to: &box) } }
        if spectra.count > Self.mostSpectra {
            markup.element("p", text: "\(name): the first \(Self.mostSpectra) of \(spectra.count) spectra are drawn.")
        }
        let peaks = sweeps.flatMap(\.peaks)
        if !peaks.isEmpty { Self.write(SweepPeak.table(peaks), told("Peaks of the sweeps"), to: &markup) }
        if !sweeps.isEmpty, peaks.isEmpty { markup.element("p", text: "\(name): no peak of current in any sweep.") }
        if !steps.isEmpty { Self.write(PotentialStep.table(steps), told("Steps of potential"), to: &markup) }
    }

    /// A caption that tells whose table it is, where another's is on the page.
    private func told(_ caption: String) -> String { name == "Potentiostat" ? caption : "\(caption), \(name)" }

    private static func write(_ table: Table, _ caption: String, to markup: inout Markup) {
        let shown = table.rows.prefix(mostRows)
        let rest = table.rows.count - shown.count
        HTMLTable(
            caption: rest > 0 ? "\(caption), the first \(mostRows) of \(NumberText.count(table.rows.count))" : caption,
            columns: table.columns.map { .number(heading($0)) }, rows: shown.map { $0.map(text) }
        ).write(to: &markup)
    }

    private static func heading(_ column: Column) -> String {
        let unit = Headline.symbol(column.unit)
        let word = Words.of(column.name)
        return unit.isEmpty ? word : "\(word) (\(unit))"
    }

    private static func text(_ cell: Cell) -> String {
        switch cell {
        case .number(let value), .onset(let value): NumberText.significant(value, 4)
        case .integer(let value): NumberText.count(value)
        case .text(let text): text
        case .missing: NumberText.missing
        }
    }
}

extension RecordingReport {
    /// What potentiostats measured, one after the other.
    func writeElectrochemistry(to markup: inout Markup) {
        for (place, one) in electrochemistry.enumerated() { one.write(to: &markup, place: place) }
    }
}
