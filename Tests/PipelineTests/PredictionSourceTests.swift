import Formats
import Foundation
import Pipeline
import Signals
import Simulation
import Testing

/// Which stream predictions are told from, live and from the file, when devices come one after the other.
struct PredictionSourceTests {
    /// A wristband from the beginning; a belt that is announced after 5 s and whose ECG comes after 30 s; a sleeve that is
    /// announced with the belt and begins at 12 s.
    private static let recording: Recording = {
        var parameters = SimulationParameters()
        parameters.duration = 90
        let made = SimulatedSession(parameters).recording()
        func renamed(_ kind: StreamKind, _ name: String, from onset: Seconds) -> Signals.Stream {
            var stream = made.streams.first { $0.header.kind == kind } ?? Signals.Stream(header: made.streams[0].header)
            let rate = stream.header.sampleRate
            let block = stream.segments[0].block
            stream.header.name = name
            stream.segments = [
                Segment(
                    start: SegmentStart(onset: onset, sample: 0, sampleRate: rate),
                    block: block.frames(Int(onset * rate)..<block.frameCount))
            ]
            return stream
        }
        func acceleration(_ name: String, from onset: Seconds, turn: Float) -> Signals.Stream {
            let frames = Int((90 - onset) * 25)
            let axes = (0..<3).flatMap { axis in (0..<frames).map { _ in axis == 2 ? 1 : turn } }
            let header = StreamHeader(
                name: name, kind: .acceleration, channels: ["x", "y", "z"].map { Channel(label: $0, unit: .g) },
                sampleRate: 25)
            return Signals.Stream(
                header: header,
                segments: [
                    Segment(
                        start: SegmentStart(onset: onset, sample: 0, sampleRate: 25),
                        block: SampleBlock(channelCount: 3, samples: axes))
                ])
        }
        let streams = [
            renamed(.bvp, "wrist-bvp", from: 0), acceleration("sleeve-acceleration", from: 12, turn: 0.1),
            acceleration("belt-acceleration", from: 5, turn: 0.2), renamed(.ecg, "belt-ecg", from: 30),
        ]
        return Recording(
            header: RecordingHeader(duration: 90, streams: streams.map(\.header), format: "test"), streams: streams)
    }()

    private static let names = ["heartRate", "heartRateVariability", "sleep"]

    /// What is told live, with the stream that each value is from. Devices announce their streams when the first of them
    /// comes.
    private static func live(_ recording: Recording = recording, blocks: Double) throws -> [(
        stream: Int, value: PredictionValue
    )] {
        try liveWithLate(recording, blocks: blocks).told
    }

    /// - Returns: beside it how many moments came too late to be told in order.
    private static func liveWithLate(_ recording: Recording, blocks: Double) throws -> (
        told: [(stream: Int, value: PredictionValue)], late: Int
    ) {
        var analysis = try LiveAnalysis(parameters: Parameters(), predictions: PredictionRequest(names))
        var header = recording.header
        header.streams = [recording.header.streams[0]]
        analysis.declare(header)
        let events = RecordedEvents(recording, blockDuration: blocks)
        var updates: [LiveUpdate] = []
        while let event = events.next() {
            if case .segment(let stream, _) = event, stream > 0 { analysis.declare(recording.header) }
            analysis.take(event, into: &updates)
        }
        analysis.finish(into: &updates)
        let told = updates.compactMap { update -> (stream: Int, value: PredictionValue)? in
            if case .prediction(let stream, let value) = update { (stream, value) } else { nil }
        }
        return (told, analysis.latePredictions)
    }

    private static func bits(_ values: [PredictionValue]) -> [[UInt64]] {
        values.sorted { $0.time < $1.time }.map { [$0.time.bitPattern, $0.value.bitPattern] }
    }

    @Test(
        "what is told live is what the file gives, to the bit, when better streams come later", arguments: [0.2, 1, 3])
    func liveIsTheFile(blocks: Double) throws {
        let live = try Self.live(blocks: blocks).map(\.value)
        let parameters = Parameters()
        let analysis = try RecordingAnalysis(RecordedEvents(Self.recording), parameters: parameters, file: "test")
        let results = try PredictionReading.results(
            PredictionRequest(Self.names), of: analysis, parameters: parameters
        ) { RecordedEvents(Self.recording) }
        for series in results.series {
            #expect(series.values.count > 10)
            let shown = live.filter { $0.prediction == series.prediction }
            #expect(Self.bits(shown) == Self.bits(series.values), "\(series.prediction)")
        }
    }

    @Test(
        "a stream that is lost gives its say to the next best until it is there again, live as from the file",
        arguments: [0.2, 3])
    func lostStreamsGiveTheirSay(blocks: Double) throws {
        var recording = Self.recording
        let belt = recording.streams[3].segments[0]
        func piece(_ seconds: ClosedRange<Double>) -> Segment {
            let rate = recording.streams[3].header.sampleRate
            let frames = Int((seconds.lowerBound - 30) * rate)..<Int((seconds.upperBound - 30) * rate)
            return Segment(
                start: SegmentStart(onset: seconds.lowerBound, sample: frames.lowerBound, sampleRate: rate),
                block: belt.block.frames(frames))
        }
        recording.streams[3].segments = [piece(30...42), piece(74...90)]
        let (told, late) = try Self.liveWithLate(recording, blocks: blocks)
        let live = told.filter { $0.value.prediction == "heartRate" }
        let pulse = live.filter { $0.stream == 0 }.map(\.value.time)
        let ecg = live.filter { $0.stream == 3 }.map(\.value.time)
        #expect(pulse.contains { $0 > 60 && $0 < 64 } && pulse.allSatisfy { $0 < 34 || $0 > 62 && $0 < 85 })
        #expect(ecg.allSatisfy { $0 >= 34 && $0 < 43 || $0 > 84 } && ecg.contains { $0 > 86 })
        let analysis = try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
        let results = try PredictionReading.results(
            PredictionRequest(["heartRate"]), of: analysis, parameters: Parameters()
        ) { RecordedEvents(recording) }
        // The last beats before a loss are known when the stream is there again. Later ones were told by then, so only the
        // file has them.
        let shown = Set(Self.bits(live.map(\.value)))
        let file = Self.bits(results.series[0].values)
        #expect(zip(live, live.dropFirst()).allSatisfy { $0.value.time < $1.value.time })
        #expect(shown.count == live.count && shown.isSubset(of: file) && file.count - shown.count == late)
        let unshown = file.filter { !shown.contains($0) }.map { Seconds(bitPattern: $0[0]) }
        #expect(late <= 4 && unshown.allSatisfy { (38...42).contains($0) })
    }

    @Test("a better stream takes over when it has been there for some seconds, and none is silent until then")
    func betterStreamsTakeOver() throws {
        let live = try Self.live(blocks: 1)
        func times(_ prediction: String, of stream: Int) -> [Seconds] {
            live.filter { $0.stream == stream && $0.value.prediction == prediction }.map(\.value.time)
        }
        let (pulse, ecg) = (times("heartRate", of: 0), times("heartRate", of: 3))
        #expect(pulse.count > 20 && pulse.allSatisfy { $0 < 34 })
        #expect(ecg.count > 40 && ecg.allSatisfy { $0 >= 34 })
        // Told every five seconds from the recording's start; a limb's acceleration goes before that of the chest, whose
        // device measures the ECG.
        let (sleeve, belt) = (times("sleep", of: 1), times("sleep", of: 2))
        #expect(belt == [10, 15])
        #expect(sleeve.first == 20 && sleeve.count == 15)
    }
}
