import Brain
import Cardiac
import Pipeline
import Reports
import Signals
import Simulation
import TestSupport
import Testing

/// The paragraph for a paper says what was done with these parameters, and nothing else.
struct MethodsTests {
    private static func paragraph(_ change: (inout Parameters) -> Void) throws -> String {
        var simulated = SimulationParameters()
        (simulated.duration, simulated.bvp) = (60, nil)
        var streams = SimulatedSession(simulated).recording().streams.filter { $0.header.kind == .ecg }
        var signal = EEGSignal(EEGParameters(), seed: 4)
        let block = SampleBlock(channelCount: 4, samples: signal.render(0..<256 * 60).flatMap { $0.map { Float($0) } })
        let header = StreamHeader(
            name: "eeg", kind: .eeg, channels: EEGParameters().labels.map { Channel(label: $0, unit: .microvolts) },
            sampleRate: 256)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 256)
        streams.append(Signals.Stream(header: header, segments: [Segment(start: start, block: block)]))
        let recording = Recording(header: RecordingHeader(duration: 60, format: "test"), streams: streams)
        var parameters = Parameters()
        change(&parameters)
        let analysis = try RecordingAnalysis(RecordedEvents(recording), parameters: parameters, file: "test")
        let provenance = try Provenance(inputs: [], parameters: parameters)
        return try RecordingReport(analysis, provenance: provenance, title: "test") { RecordedEvents(recording) }
            .methods.paragraph
    }

    @Test func spectraOfIntervalsAreToldByTheMethodsThatWereUsed() throws {
        let all = try Self.paragraph { _ in }
        #expect(
            all.contains("Welch") && all.contains("Lomb-Scargle") && all.contains("Burg")
                && all.contains("less their mean"))
        let lomb = try Self.paragraph { $0.hrv.spectralMethods = [.lomb] }
        #expect(lomb.contains("Lomb-Scargle") && !lomb.contains("Welch's method on intervals"))
        let time = try Self.paragraph { $0.hrv.domains = [.time] }
        #expect(!time.contains("Lomb") && !time.contains("VLF"))
    }

    @Test func theBackgroundAndHumOfEEGAreToldWhereTheyWereDealtWith() throws {
        let all = try Self.paragraph { _ in }
        #expect(all.contains("Donoghue") && all.contains("hum at 50 and 60 Hz") && all.contains("cut into epochs"))
        let power = try Self.paragraph {
            $0.eeg.features.families = [.power]
            $0.eeg.cleaning.mains = []
        }
        #expect(!power.contains("Donoghue") && !power.contains("hum at") && power.contains("cut into epochs"))
        let named = try Self.paragraph { $0.eeg.features.indexes = ["alphaPower", "thetaBeta"] }
        #expect(!named.contains("Donoghue") && named.contains("cut into epochs"))
        let none = try Self.paragraph { $0.outputs = [.quality, .hrv] }
        #expect(!none.contains("cut into epochs"))
    }
}
