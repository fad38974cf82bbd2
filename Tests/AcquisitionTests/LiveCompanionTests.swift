import Acquisition
import Formats
import Foundation
import Pipeline
import Signals
import Simulation
import TestSupport
import Testing

/// Streams whose companions begin before them: what is shown is what the file gives all the same, and as soon.
@Suite struct LiveCompanionTests {
    /// A wristband's skin conductance and a headband's EEG, each with an acceleration that moves now and then.
    private static let streams = [
        StreamHeader(
            name: "band-acceleration", kind: .acceleration,
            channels: ["x", "y", "z"].map { Channel(label: $0, unit: .g) }, sampleRate: 32),
        StreamHeader(
            name: "band-eda", kind: .eda, channels: [Channel(label: "EDA", unit: .microsiemens)], sampleRate: 4),
        StreamHeader(
            name: "head-acceleration", kind: .acceleration,
            channels: ["x", "y", "z"].map { Channel(label: $0, unit: .g) }, sampleRate: 52),
        StreamHeader(
            name: "head-eeg", kind: .eeg,
            channels: ["TP9", "AF7", "AF8", "TP10"].map { Channel(label: $0, unit: .microvolts) }, sampleRate: 256),
    ]

    private static func pieces(_ seconds: Int) -> [[SampleBlock]] {
        var form = EEGParameters()
        (form.labels, form.sampleRate) = (["TP9", "AF7", "AF8", "TP10"], 256)
        var eeg = EEGSignal(form, seed: 3)
        var random = SplitMix64(seed: 6)
        func motion(_ second: Int, _ rate: Int) -> SampleBlock {
            let size = second % 20 < 6 ? 0.5 : 0.005
            let samples = (0..<3 * rate).map {
                Float(($0 < rate ? 1 : 0) + size * Double.random(in: -1.5...1.5, using: &random))
            }
            return SampleBlock(channelCount: 3, samples: samples)
        }
        return (0..<seconds).map { second in
            let skin = (0..<4).map { place -> Float in
                let time = Double(second) + Double(place) / 4
                let steps = second % 20 < 6 ? 0.3 * Double.random(in: -1.5...1.5, using: &random) : 0
                return Float(5 + 0.3 * sin(time / 7) + steps)
            }
            let rows = eeg.render(second * 256..<(second + 1) * 256)
            return [
                motion(second, 32), SampleBlock(skin), motion(second, 52),
                SampleBlock(channelCount: 4, samples: rows.flatMap { $0.map(Float.init) }),
            ]
        }
    }

    /// What happens in a session, and the second by whose end it did.
    /// - Parameter late: how many seconds after its acceleration each signal begins.
    private static func events(_ pieces: [[SampleBlock]], late: Int) -> [(event: RecordingEvent, second: Int)] {
        var events: [(event: RecordingEvent, second: Int)] = [(.marker(Marker(onset: 0.1, label: "baseline")), 0)]
        for (second, blocks) in pieces.enumerated() {
            for stream in [0, 2, 1, 3] {
                let first = stream % 2 == 1 ? late : 0
                guard second >= first else { continue }
                if second == first {
                    let start = SegmentStart(onset: Double(second), sample: 0, sampleRate: streams[stream].sampleRate)
                    events.append((.segment(stream: stream, start: start), second))
                }
                events.append((.samples(stream: stream, blocks[stream]), second))
            }
            if second == 50 { events.append((.marker(Marker(onset: 50.5, label: "go")), second)) }
        }
        return events
    }

    @Test(arguments: [0, 3, 40]) func whatBeginsAfterItsAccelerationIsComputedWithIt(late: Int) throws {
        try withTemporaryFolder { folder in
            let events = Self.events(Self.pieces(120), late: late)
            var analysis = try LiveAnalysis(parameters: Parameters())
            analysis.declare(RecordingHeader(streams: Self.streams, format: "XDF"))
            var firstEpoch: Int?
            for (event, second) in events {
                var updates: [LiveUpdate] = []
                analysis.take(event, into: &updates)
                let isShown = updates.contains { if case .eeg = $0 { true } else { false } }
                if isShown, firstEpoch == nil { firstEpoch = second }
            }
            var rest: [LiveUpdate] = []
            analysis.finish(into: &rest)

            var iterator = events.map(\.event).makeIterator()
            let collected = Recording.collect(Self.streams) { iterator.next() }
            let recording = Recording(
                header: RecordingHeader(streams: Self.streams, format: "XDF"), streams: collected.streams,
                markers: collected.markers)
            let file = folder.appendingPathComponent("session.xdf")
            try XDFWriter.write(recording, to: file)
            let check = try LiveCheck(analysis.streams, recording: file, parameters: Parameters())
            #expect(check.sources.filter { !$0.differing.isEmpty }.isEmpty, "\(check.sources)")
            #expect(check.sources.first { $0.name == "head-eeg" }?.compared ?? 0 > 100)
            #expect(check.sources.first { $0.name == "band-eda" }?.compared ?? 0 > 100)
            // Nothing waits for an acceleration that came.
            #expect(try #require(firstEpoch) <= late + 15)
        }
    }
}
