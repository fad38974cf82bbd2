import Pipeline
import Quality
import Reports
import Signals
import Simulation
import Testing

/// What a page says of the quality of signals: the sentence, and the windows that it shows.
struct WorstWindowsTests {
    /// Two minutes of an ECG and a pulse.
    private static func made(
        _ change: (inout SimulationParameters) -> Void = { _ in }
    ) throws -> (analysis: RecordingAnalysis, report: RecordingReport) {
        var parameters = SimulationParameters()
        parameters.duration = 120
        change(&parameters)
        let recording = SimulatedSession(parameters).recording()
        let analysis = try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
        let provenance = try Provenance(inputs: [], parameters: Parameters())
        let report = try RecordingReport(analysis, provenance: provenance, title: "test") { RecordedEvents(recording) }
        return (analysis, report)
    }

    @Test func ofSignalsWithoutFaultsNoWindowIsShownAndThatIsSaid() throws {
        let (_, report) = try Self.made()
        #expect(report.worstStrips.isEmpty)
        let text = expectSound(report.html()).text
        #expect(text.contains("s signals has a quality of at least 0.75"))
        #expect(!text.contains("Worst windows") && !text.contains("no reason given"))
    }

    @Test("a page shows a clean window of each signal with its beats")
    func cleanWindowIsDrawn() throws {
        let (analysis, report) = try Self.made()
        for (series, result) in zip(report.series, analysis.results) {
            let strip = try #require(series.typicalStrip)
            let span = strip.onset..<strip.onset + Double(strip.samples.count) / strip.sampleRate
            #expect((strip.quality ?? 0) >= 0.75 && strip.beats.count > 5)
            #expect(strip.beats == result.beats.map(\.onset).filter { span.contains($0) })
        }
        let noisy = try Self.made { $0.ecgNoise = [NoiseLevel(.motion, snr: -8)] }
        #expect(noisy.report.series[0].typicalStrip == nil)
    }

    @Test func onlyWindowsThatSomethingIsToBeSaidAgainstAreShown() throws {
        let (_, report) = try Self.made {
            $0.faults = [Fault(.flat, stream: .ecg, onset: 60, duration: 6)]
        }
        #expect(!report.worstStrips.isEmpty && report.worstStrips.allSatisfy { $0.stream == "ecg" })
        #expect(report.worstStrips.allSatisfy { !$0.reasons.isEmpty || ($0.quality ?? 0) < 0.75 })
        let text = expectSound(report.html()).text
        #expect(text.contains("Worst windows") && !text.contains("s signals has a quality of at least"))
    }

    @Test func theSentenceHasTheSharesOfTheCardsAndCallsReasonsByWords() throws {
        let (analysis, report) = try Self.made { $0.ecgNoise = [NoiseLevel(.motion, snr: -8)] }
        #expect(analysis.verdict.line.contains("(lowTemplateCorrelation"))
        let verdict = try #require(report.verdict)
        #expect(verdict.contains("(low template correlation"))
        #expect(verdict.firstMatch(of: /[a-z][A-Z]/) == nil, "\(verdict)")
        let text = expectSound(report.html()).text
        for stream in analysis.verdict.streams {
            let share = Percentage(stream.good)
            #expect(verdict.contains("\(stream.name) \(share) usable"))
            #expect(text.contains("(\(share) of the time usable)"))
        }
    }
}
