import Brain
import Cardiac
import Electrodermal
import Foundation
import Pipeline
import Reports
import Signals
import Simulation
import TestSupport
import Testing

/// The paragraph for a paper and the page around it, by what was recorded and what was asked for.
struct MethodsOfStreamsTests {
    private static let seconds = 60

    private static func stream(
        _ name: String, _ kind: StreamKind, _ labels: [String], _ unit: Signals.Unit, _ rate: Double, _ samples: [Float]
    ) -> Signals.Stream {
        let header = StreamHeader(
            name: name, kind: kind, channels: labels.map { Channel(label: $0, unit: unit) }, sampleRate: rate)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: rate)
        let block = SampleBlock(channelCount: labels.count, samples: samples)
        return Signals.Stream(header: header, segments: [Segment(start: start, block: block)])
    }

    private static let hearts: [Signals.Stream] = {
        var parameters = SimulationParameters()
        parameters.duration = Double(seconds)
        return SimulatedSession(parameters).recording().streams
    }()

    private static var ecg: [Signals.Stream] { hearts.filter { $0.header.kind == .ecg } }

    /// The same ECG, drowned in noise for the twenty seconds in its middle.
    private static let noisy: [Signals.Stream] = ecg.map { stream in
        var (random, noisy) = (SplitMix64(seed: 8), stream)
        let rate = stream.header.sampleRate
        noisy.segments = stream.segments.map { segment in
            let samples = segment.block.channel(0).enumerated().map { place, value -> Float in
                let noise = (0..<12).reduce(Float(-6)) { sum, _ in sum + Float.random(in: 0...1, using: &random) }
                return (20.0..<40).contains(Double(place) / rate) ? value + 2 * noise : value
            }
            return Segment(start: segment.start, block: SampleBlock(samples))
        }
        noisy.header.channels = [stream.header.channels[0]]
        return noisy
    }

    private static let eeg: Signals.Stream = {
        var signal = EEGSignal(EEGParameters(), seed: 4)
        let samples = signal.render(0..<256 * seconds).flatMap { $0.map { Float($0) } }
        return stream("eeg", .eeg, EEGParameters().labels, .microvolts, 256, samples)
    }()

    private static func acceleration(_ name: String, moving: Float = 0.3) -> Signals.Stream {
        var random = SplitMix64(seed: 3)
        let count = 32 * seconds
        let sway = (0..<2 * count).map { _ in Float.random(in: -moving...moving, using: &random) }
        return stream(name, .acceleration, ["x", "y", "z"], .g, 32, sway + (0..<count).map { _ in 1 })
    }

    private static let skin = stream(
        "eda", .eda, ["EDA"], .microsiemens, 4,
        (0..<4 * seconds).map { 4 + 0.3 * Float(exp(-Double($0 % 80) / 12)) })

    /// A potentiostat whose potential is `potential` of the number of a point, ten points a second.
    private static func potentiostat(_ name: String, _ potential: (Int) -> Double) -> [Signals.Stream] {
        func values(_ label: String, _ kind: StreamKind, _ unit: String, _ value: (Int) -> Double) -> Signals.Stream {
            let header = StreamHeader(
                name: "\(name)-\(label)", kind: kind, channels: [Channel(label: label, unit: Signals.Unit(unit))],
                sampleRate: 0)
            return Signals.Stream(
                header: header,
                values: (0..<100).map { TimedValue(onset: Double($0) / 10, values: [value($0)]) })
        }
        return [
            values("appliedPotential", .potential, "V", potential), values("current", .current, "A") { _ in 1e-6 },
        ]
    }

    private static func report(
        of streams: [Signals.Stream], markers: [Marker] = [], _ change: (inout Parameters) -> Void = { _ in }
    ) throws -> (report: RecordingReport, analysis: RecordingAnalysis) {
        let header = RecordingHeader(duration: Double(seconds), format: "test")
        let recording = Recording(header: header, streams: streams, markers: markers)
        var parameters = Parameters()
        parameters.eda.separation = .highPass
        change(&parameters)
        let analysis = try RecordingAnalysis(RecordedEvents(recording), parameters: parameters, file: "test")
        let provenance = try Provenance(inputs: [], parameters: parameters)
        let report = try RecordingReport(analysis, provenance: provenance, title: "test") { RecordedEvents(recording) }
        return (report, analysis)
    }

    @Test(arguments: [AnalysisOutput.eda, .eeg, .quality])
    func whatNobodyAskedForWasNotDone(output: AnalysisOutput) throws {
        let (report, _) = try Self.report(of: Self.ecg) { $0.outputs = [output] }
        let text = report.methods.paragraph
        #expect(text.contains("R peaks were detected"))
        for none in ["Heart-rate variability", "Ectopic", "Lomb-Scargle", "No interval was taken", "Nonlinear"] {
            #expect(!text.contains(none), "\(none)")
        }
        let page = expectSound(report.html())
        #expect(page.text.contains("they were not computed, because the parameter outputs leaves hrv out"))
        #expect(!page.text.contains("no two beats follow one another"))
        #expect(report.series.map(\.coverage) == [nil])
        #expect(!page.values(of: "id").contains("s0-tachogram"))
    }

    @Test func intervalsThatOtherOutputsNeedAreToldWithoutVariability() throws {
        let (report, _) = try Self.report(of: Self.ecg) { $0.outputs = [.respiration] }
        let text = report.methods.paragraph
        #expect(text.contains("Ectopic") && text.contains("Respiration rate"))
        #expect(!text.contains("Heart-rate variability") && !text.contains("Lomb-Scargle"))
        let series = try #require(report.series.first)
        #expect(!series.intervals.isEmpty && series.indices.isEmpty && series.spectra.isEmpty)
    }

    @Test(arguments: [AnalysisOutput.allCases, [.hrv]])
    func intervalsThatQualityLeftOutAreCounted(outputs: [AnalysisOutput]) throws {
        let (report, analysis) = try Self.report(of: Self.noisy) { $0.outputs = outputs }
        let result = try #require(analysis.results.first)
        try #require(result.droppedIntervals > 5)
        let text = report.methods.paragraph
        #expect(text.contains("in windows of 10 s every 1 s"))
        #expect(text.contains("quality below 0.5 were left out (\(result.droppedIntervals) of "))
        let (clean, _) = try Self.report(of: Self.ecg) { $0.outputs = outputs }
        #expect(clean.methods.paragraph.contains("were left out (0 of "))
    }

    @Test func spectraThatNoIndexRestsOnWereDrawnAlone() throws {
        let (report, _) = try Self.report(of: Self.ecg) { $0.hrv.indexes = ["rmssd", "sampEn"] }
        let text = report.methods.paragraph
        #expect(!text.contains("Spectra were estimated by") && text.contains("For figures alone, the spectrum"))
        #expect(text.contains("(sampEn)") && text.contains("(Richman & Moorman 2000)"))
        #expect(!report.series.flatMap(\.spectra).isEmpty)
        let (time, _) = try Self.report(of: Self.ecg) { $0.hrv.domains = [.time] }
        #expect(!time.methods.paragraph.contains("For figures") && time.series.flatMap(\.spectra).isEmpty)
    }

    @Test func estimatorsAreListedWithOneAnd() throws {
        let text = try Self.report(of: Self.ecg).report.methods.paragraph
        #expect(text.contains("intervals at the times of their beats and an autoregressive model"))
        #expect(!text.contains("and by"))
    }

    @Test func connectivityAndEyesAreToldWhereTheyWereLookedAt() throws {
        let (all, _) = try Self.report(of: [Self.eeg])
        #expect(all.methods.paragraph.contains("phase lag index (Vinck et al. 2011)"))
        #expect(all.methods.paragraph.contains("Blinks and sideways saccades"))
        #expect(all.methods.references.contains { $0.text.contains("imaginary part of coherency") })
        let (less, _) = try Self.report(of: [Self.eeg]) {
            $0.eeg.features.connectivityWindow = nil
            $0.outputs.removeAll { $0 == .eyes }
        }
        #expect(!less.methods.paragraph.contains("Vinck") && !less.methods.paragraph.contains("saccades"))
    }

    @Test func sleepOfAnEEGIsToldWhereNobodySlept() throws {
        let (awake, analysis) = try Self.report(of: [Self.eeg]) { $0.outputs = [.sleep] }
        let told = try #require(analysis.brains.first).sleep.filter { $0.asleep != nil }
        let text = awake.methods.paragraph
        try #require(!told.isEmpty && told.allSatisfy { $0.asleep == 0 })
        #expect(text.contains("Lendner et al. 2020"))
        #expect(!text.contains("with a limit set within the recording") && !text.contains("Spectra of epochs"))
    }

    @Test func sleepOfAccelerationIsToldWhereItWasRecorded() throws {
        let (worn, _) = try Self.report(of: [Self.acceleration("wrist-acc")])
        #expect(worn.methods.paragraph.contains("sustained inactivity"))
        #expect(worn.methods.paragraph.contains("not scored as sleep"))
        #expect(!worn.methods.paragraph.contains("Sleep and wake"))
        let always = try Parameters(yaml: "motion: { sleepScoring: always }", file: "study.yaml")
        let (scored, _) = try Self.report(of: [Self.acceleration("wrist-acc")]) { $0 = always }
        #expect(scored.methods.paragraph.contains("Sleep and wake were classified in epochs of 30 s"))
        #expect(!scored.methods.paragraph.contains("not scored as sleep"))
        #expect(worn.methods.references.contains { $0.doi == "10.1371/journal.pone.0142533" })
        let (none, _) = try Self.report(of: Self.ecg)
        #expect(!none.methods.paragraph.contains("sustained inactivity"))
    }

    @Test func motionIsTakenOutOfThePulseOfItsOwnDevice() throws {
        let pulse = Self.hearts.filter { $0.header.kind == .bvp }.map { stream in
            var stream = stream
            stream.header.name = "wrist-bvp"
            return stream
        }
        let (own, _) = try Self.report(of: pulse + [Self.acceleration("wrist-acc")])
        #expect(own.methods.paragraph.contains("recursive least squares (Widrow et al. 1975)"))
        let (other, _) = try Self.report(of: pulse + [Self.acceleration("chest-acc")])
        #expect(!other.methods.paragraph.contains("Widrow"))
    }

    @Test func responsesToEventsAreToldWhereThereWereEvents() throws {
        let (with, _) = try Self.report(of: [Self.skin], markers: [Marker(onset: 20, label: "tone")]) {
            $0.eda.responseLatency = 1.5...4
        }
        #expect(with.methods.paragraph.contains("the first that began 1.5 to 4 s after it"))
        let (without, _) = try Self.report(of: [Self.skin])
        #expect(!without.methods.paragraph.contains("The response to an event"))
        #expect(without.methods.paragraph.contains("windows of 60 s") && !without.methods.paragraph.contains("60.0"))
    }

    @Test func whatAPotentiostatDidIsToldByItsTechnique() throws {
        let held = try Self.report(of: Self.potentiostat("a") { _ in 0.5 }).report.methods.paragraph
        #expect(held.contains("Chronoamperometry") && !held.contains("Voltammetry") && !held.contains("Impedance"))
        let swept = try Self.report(of: Self.potentiostat("a") { Double($0) / 100 }).report.methods.paragraph
        #expect(swept.contains("Voltammetry") && !swept.contains("Chronoamperometry"))
    }
}
