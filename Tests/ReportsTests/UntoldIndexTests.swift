import Pipeline
import Reports
import Signals
import Simulation
import Testing

/// What the table of indices does not tell, no figure does.
struct UntoldIndexTests {
    private static func page(sd1: Double?, isDeclared: Bool = true, power: Double?) -> String {
        let intervals = (0..<60).map {
            TachogramInterval(onset: 0.8 * Double($0 + 1), duration: 0.8 + 0.01 * Double($0 * 7 % 5))
        }
        func index(_ name: String, _ unit: Signals.Unit, _ value: Double?) -> IndexValue {
            IndexValue(Column(name, unit: unit, "A definition."), value)
        }
        let frequencies = (0...50).map { Double($0) / 100 }
        let spectrum = Spectrum(
            method: "Welch", frequencies: frequencies, density: frequencies.map { 1_000 * $0 },
            bands: [Spectrum.Band(name: "LF", lower: 0.04, upper: 0.15, power: power)])
        let series = BeatSeries(
            name: "ECG", coverage: 0.9, intervals: intervals,
            indices: isDeclared ? [index("sd1", .milliseconds, sd1), index("sd2", .milliseconds, 40)] : [],
            spectra: [spectrum])
        return RecordingReport(
            title: "test", duration: 60, source: RecordingSource(fileName: "a.csv", format: "test"), software: "Marey",
            series: [series]
        ).html()
    }

    @Test func theEllipseIsThatOfTheTableOrThereIsNone() {
        let told = Self.page(sd1: 21.5, power: 312)
        #expect(told.contains("SD1 21.5, SD2 40 ms") && told.contains("The ellipse has half-axes SD1"))
        let untold = Self.page(sd1: nil, power: 312)
        #expect(!untold.contains("SD2 40 ms") && untold.contains("no ellipse is drawn"))
        // Whoever asks for other indices alone still sees the spread.
        #expect(Self.page(sd1: nil, isDeclared: false, power: 312).contains("The ellipse has half-axes SD1"))
    }

    @Test func aBandWithoutPowerInTheTableHasNoneInTheFigure() throws {
        #expect(Self.page(sd1: 20, power: 312).contains("LF 0.04–0.15 Hz: 312 ms²"))
        #expect(Self.page(sd1: 20, power: nil).contains("LF 0.04–0.15 Hz: n/a"))
    }

    @Test(arguments: [90.0, 300])
    func bandsOfARecordingAreToldAsInItsTable(duration: Seconds) throws {
        var parameters = SimulationParameters()
        parameters.duration = duration
        let recording = SimulatedSession(parameters).recording()
        let analysis = try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
        let provenance = try Provenance(inputs: [], parameters: Parameters())
        let report = try RecordingReport(analysis, provenance: provenance, title: "test") { RecordedEvents(recording) }
        let series = try #require(report.series.first)
        let spectrum = try #require(series.spectra.first)
        for band in spectrum.bands {
            let index = try #require(series.indices.first { $0.column.name == band.name.lowercased() })
            #expect(band.power == index.value, "\(band.name)")
        }
        // Segments of 120 s are too short for VLF.
        let others = spectrum.bands.filter { $0.name != "VLF" }
        #expect(!others.isEmpty && others.contains { $0.power == nil } == (duration < 120))
        #expect(spectrum.bands.allSatisfy { $0.name != "VLF" || $0.power == nil })
    }
}
