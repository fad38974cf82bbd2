public import Electrochemistry
import Signals

/// What a potentiostat measured, for the page of a recording.
public struct ElectrochemistrySection: Sendable {
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
        points: [ElectrochemicalPoint] = [], spectra: [ImpedanceSpectrum] = [], sweeps: [LinearSweep] = [],
        steps: [PotentialStep] = []
    ) {
        (self.points, self.spectra, self.sweeps, self.steps) = (points, spectra, sweeps, steps)
    }

    private static let name = "Potentiostat"
    private static let mostRows = 200
    private static let mostSpectra = 8

    /// Its figures and tables.
    func write(to markup: inout Markup) {
        let drawn = spectra.prefix(Self.mostSpectra).enumerated().compactMap { place, spectrum -> Figure? in
            let name = spectra.count > 1 ? "\(Self.name), spectrum \(place + 1)" : Self.name
            return NyquistFigure(spectrum, name: name, id: place == 0 ? "nyquist" : "nyquist-\(place + 1)")?.figure()
        }
        let currents = [
            CurrentFigure(sweeps, name: Self.name, id: "voltammogram")?.figure(),
            steps.isEmpty && !sweeps.isEmpty ? nil : CurrentFigure(points, name: Self.name, id: "current")?.figure(),
        ].compactMap(\.self)
        let figures = drawn + currents
        if figures.isEmpty { markup.element("p", text: "The potentiostat gave no values that can be drawn.") }
        markup.element("div", [("class", "figures")]) { box in for figure in figures { figure.write(to: &box) } }
        if spectra.count > Self.mostSpectra {
            markup.element("p", text: "The first \(Self.mostSpectra) of \(spectra.count) spectra are drawn.")
        }
        let peaks = sweeps.flatMap(\.peaks)
        if !peaks.isEmpty { Self.write(SweepPeak.table(peaks), "Peaks of the sweeps", to: &markup) }
        if !sweeps.isEmpty, peaks.isEmpty { markup.element("p", text: "The current has no peak in any sweep.") }
        if !steps.isEmpty { Self.write(PotentialStep.table(steps), "Steps of potential", to: &markup) }
    }

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
