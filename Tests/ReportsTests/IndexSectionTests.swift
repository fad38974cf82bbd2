import Foundation
import Pipeline
import Reports
import Signals
import Simulation
import Testing

/// The list of all indices, and what stands in its place.
struct IndexSectionTests {
    private static func report(_ series: [BeatSeries]) -> RecordingReport {
        RecordingReport(
            title: "test", duration: 60, source: RecordingSource(fileName: "a.csv", format: "test"), software: "Marey",
            series: series)
    }

    @Test(arguments: [
        ("ms^2", "ms²"), ("ln(ms^2)", "ln(ms²)"), ("s^-1", "s⁻¹"), ("m/s^2", "m/s²"), ("x^0.5", "x^0.5"),
        ("10^12 cells", "10¹² cells"), ("a^b", "a^b"),
    ])
    func powersAreRaisedInUnitsAndDefinitions(unit: String, shown: String) {
        let column = Column("power", unit: Signals.Unit(rawValue: unit), "A value in \(unit), squared.")
        let text = Self.report([BeatSeries(name: "ECG", coverage: 1, indices: [IndexValue(column, 2.5)])]).html()
        _ = expectSound(text)
        #expect(text.contains("A value in \(shown), squared."))
        // As a definition, and in a cell of its own.
        #expect(text.components(separatedBy: shown).count > 2)
        #expect(unit == shown || !text.contains(unit))
    }

    @Test func whereNoBeatsWereAnalysedButAnEEGTheSectionIsLeftOut() throws {
        var signal = EEGSignal(EEGParameters(), seed: 9)
        let samples = signal.render(0..<256).flatMap { $0.map { Float($0) } }
        let header = StreamHeader(
            name: "eeg", kind: .eeg, channels: EEGParameters().labels.map { Channel(label: $0, unit: .microvolts) },
            sampleRate: 256)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 256)
        let block = SampleBlock(channelCount: 4, samples: samples)
        let recording = Recording(
            header: RecordingHeader(duration: 1, format: "test"),
            streams: [Signals.Stream(header: header, segments: [Segment(start: start, block: block)])])
        let analysis = try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
        let provenance = try Provenance(inputs: [], parameters: Parameters())
        let report = try RecordingReport(analysis, provenance: provenance, title: "test") { RecordedEvents(recording) }
        let page = expectSound(report.html())
        #expect(!page.values(of: "id").contains("indices") && !page.values(of: "href").contains("#indices"))
        #expect(page.values(of: "id").contains("not-computed"))
        // A second is no epoch.
        #expect(page.text.contains("eeg: no epoch was usable: it is shorter than an epoch of 2 s."))
        #expect(!page.text.contains("Nothing that was asked for was left out"))
    }

    @Test func whereNothingWasAnalysedTheSectionSaysSo() {
        let page = expectSound(Self.report([]).html())
        #expect(page.values(of: "id").contains("indices") && page.text.contains("No index was computed."))
    }
}
