import Pipeline
import Reports
import Signals
import Simulation
import TestSupport
import Testing

/// What a report draws of the streams of a recording.
struct DrawnStreamsTests {
    /// A minute of several ECGs, pulses and EEGs, each with something of its own.
    private static let streams: [Signals.Stream] = (0..<3).flatMap { number -> [Signals.Stream] in
        var parameters = SimulationParameters()
        parameters.duration = 60
        parameters.seed = UInt64(number + 1)
        parameters.faults = [
            Fault(.motion, stream: .bvp, onset: 10 + Double(number) * 7, duration: 8),
            Fault(.gap, stream: .ecg, onset: 30 + Double(number) * 5, duration: 3),
        ]
        let hearts = SimulatedSession(parameters).recording().streams.filter { [.ecg, .bvp].contains($0.header.kind) }
        var signal = EEGSignal(EEGParameters(), seed: UInt64(number + 4))
        let block = SampleBlock(channelCount: 4, samples: signal.render(0..<256 * 60).flatMap { $0.map { Float($0) } })
        let header = StreamHeader(
            name: "eeg", kind: .eeg, channels: EEGParameters().labels.map { Channel(label: $0, unit: .microvolts) },
            sampleRate: 256)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 256)
        let eeg = Signals.Stream(header: header, segments: [Segment(start: start, block: block)])
        return (hearts + [eeg]).map { stream in
            var stream = stream
            stream.header.name += String(number)
            return stream
        }
    }

    private static func report(of streams: [Signals.Stream]) throws -> (report: RecordingReport, openings: Int) {
        let recording = Recording(header: RecordingHeader(duration: 60, format: "test"), streams: streams)
        let analysis = try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
        let provenance = try Provenance(inputs: [], parameters: Parameters())
        var openings = 0
        let report = try RecordingReport(analysis, provenance: provenance, title: "test") {
            openings += 1
            return RecordedEvents(recording)
        }
        return (report, openings)
    }

    @Test func aRecordingIsReadOnceHoweverManyOfItsStreamsAreDrawn() throws {
        let (together, openings) = try Self.report(of: Self.streams)
        #expect(openings == 1)
        #expect(together.series.count == 6 && together.brains.count == 3)
        for stream in Self.streams {
            let name = stream.header.name
            let alone = try Self.report(of: [stream])
            #expect(alone.openings == 1)
            // As text, in which missing samples are alike.
            for series in alone.report.series {
                let same = try #require(together.series.first { $0.name == series.name })
                #expect(series.overlay != nil && "\(series.overlay as Any)" == "\(same.overlay as Any)")
            }
            for brain in alone.report.brains {
                let same = try #require(together.brains.first { $0.name == brain.name })
                #expect(!brain.traces.isEmpty && "\(brain.traces)" == "\(same.traces)")
            }
            let strips = alone.report.worstStrips
            #expect(strips.isEmpty == (stream.header.kind == .eeg))
            #expect("\(strips)" == "\(together.worstStrips.filter { $0.stream == name })")
        }
    }

    @Test(arguments: [1e5, 1e8, 9e8], [true, false])
    func anEEGThatGoesOnYearsLaterMakesAPageOfUsualSize(onset: Seconds, isSignal: Bool) throws {
        var stream = try #require(Self.streams.first { $0.header.kind == .eeg })
        var later = try #require(stream.segments.first)
        let gap = Gap(onset: 60, duration: onset - 60, reason: .deviceLost)
        later.start = SegmentStart(onset: onset, sample: 256 * 60, sampleRate: 256, gap: gap)
        if !isSignal { later.block = SampleBlock(channelCount: 4, samples: .init(repeating: 0, count: 4 * 256 * 60)) }
        let (before, _) = try Self.report(of: [stream])
        stream.segments.append(later)
        let (report, _) = try Self.report(of: [stream])
        let (usual, far) = (before.html().utf8.count, report.html().utf8.count)
        // As many columns of the spectrogram as hours have.
        #expect(far < usual + 700_000, "\(far) bytes, \(usual) without the stamp")
    }

    @Test func aRecordingOfIntervalsIsNotReadAgain() throws {
        let header = StreamHeader(
            name: "ibi", kind: .ibi, channels: [Channel(label: "IBI", unit: .seconds)], sampleRate: 0)
        let values = (1...300).map { TimedValue(onset: Double($0) * 0.8, values: [0.8]) }
        let (report, openings) = try Self.report(of: [Signals.Stream(header: header, values: values)])
        #expect(openings == 0 && report.series.count == 1 && report.worstStrips.isEmpty)
    }
}
