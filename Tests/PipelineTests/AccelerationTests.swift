import Cardiac
import Formats
import Foundation
import Pipeline
import Signals
import Simulation
import TestSupport
import Testing

/// A pulse and the acceleration that belongs to it, through the pipeline.
struct AccelerationTests {
    private static let duration = 240.0

    /// A wrist that swings from second 60 to 180, with the artefact this makes in the pulse.
    private static let simulation: SimulationParameters = {
        var parameters = SimulationParameters()
        parameters.duration = duration
        parameters.ecg = nil
        return parameters
    }()

    private static let recording: Recording = {
        var recording = SimulatedSession(simulation).recording()
        func swing(_ time: Seconds, _ phase: Double) -> Double {
            let envelope = min(1, max(0, min(time - 60, 180 - time)))
            return envelope * (sin(2 * .pi * 1.9 * time + phase) + 0.4 * sin(2 * .pi * 3.8 * time + 2 * phase))
        }
        let frames = Int(duration * 32)
        let axes = [0.3, 1.1, 2.4].flatMap { phase in
            (0..<frames).map { Float(0.35 * swing(Double($0) / 32, phase)) }
        }
        let header = StreamHeader(
            name: "acceleration", kind: .acceleration,
            channels: ["x", "y", "z"].map { Channel(label: $0, unit: .g) }, sampleRate: 32, frameCount: frames)
        let start = SegmentStart(onset: 0, sample: 0, sampleRate: 32)
        recording.header.streams.append(header)
        recording.streams.append(
            Stream(
                header: header,
                segments: [Segment(start: start, block: SampleBlock(channelCount: 3, samples: axes))]))
        var samples = recording.streams[0].segments[0].block.samples
        for k in samples.indices { samples[k] += Float(90 * swing(Double(k) / 64 - 0.05, 0.8)) }
        recording.streams[0].segments[0].block = SampleBlock(samples)
        return recording
    }()

    private func source() throws -> CardiacSource {
        try SourceRequest(stream: "bvp").source(in: Self.recording.header, file: "test")
    }

    /// The result when the streams come in blocks of so many seconds, the one in front first.
    private func result(_ source: CardiacSource, block: (bvp: Seconds, acceleration: Seconds)) throws -> CardiacResult {
        var track = try CardiacTrack(source, parameters: Parameters())
        let segments = Self.recording.streams.map { $0.segments[0] }
        for (stream, segment) in segments.enumerated() { track.take(.segment(stream: stream, start: segment.start)) }
        var done = [0, 0]
        let sizes = [Int(block.bvp * 64), Int(block.acceleration * 32)].map { max(1, $0) }
        while done[0] < segments[0].block.frameCount || done[1] < segments[1].block.frameCount {
            let times = [Double(done[0]) / 64, Double(done[1]) / 32]
            let stream = times[0] <= times[1] && done[0] < segments[0].block.frameCount ? 0 : 1
            let end = min(done[stream] + sizes[stream], segments[stream].block.frameCount)
            track.take(.samples(stream: stream, segments[stream].block.frames(done[stream]..<end)))
            done[stream] = end
        }
        track.finish()
        return track.result
    }

    @Test func aPulseIsHeardWithTheAccelerationBesideIt() throws {
        let source = try source()
        #expect(source.acceleration?.name == "acceleration")
        var deaf = source
        deaf.acceleration = nil
        func confident(_ result: CardiacResult) -> [Seconds] {
            result.beats.filter { (70.0..<170).contains($0.onset) && $0.confidence > 0.5 }.map(\.onset)
        }
        let truth = (SimulatedSession(Self.simulation).truth().beats["bvp"] ?? []).map(\.onset)
            .filter { (70.0..<170).contains($0) }
        func errors(_ found: [Seconds]) -> Int {
            let hits = truth.filter { time in found.contains { abs($0 - time) < 0.1 } }.count
            return truth.count - hits + max(0, found.count - hits)
        }
        let informed = errors(confident(try result(source, block: (1, 1))))
        let uninformed = errors(confident(try result(deaf, block: (1, 1))))
        #expect(uninformed > 30)
        #expect(informed < 10)
    }

    /// An accelerometer measures gravity in any unit.
    @Test(arguments: [1.0, 64, 0.001, 8192]) func anAccelerationWithoutAUnitIsHeard(scale: Float) throws {
        var recording = Self.recording
        let index = recording.streams.count - 1
        var block = recording.streams[index].segments[0].block
        for (axis, gravity) in [Float(0.3), -0.2, 0.93].enumerated() {
            for k in block.range(ofChannel: axis) { block.samples[k] = scale * (block.samples[k] + gravity) }
        }
        recording.streams[index].segments[0].block = block
        recording.streams[index].header.channels = ["x", "y", "z"].map { Channel(label: $0, unit: .unknown) }
        recording.header.streams[index] = recording.streams[index].header
        let truth = (SimulatedSession(Self.simulation).truth().beats["bvp"] ?? []).map(\.onset)
            .filter { (70.0..<170).contains($0) }
        func errors(_ recording: Recording) throws -> Int {
            let analysis = try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
            let beats = try #require(analysis.results.first { $0.source.kind == .bvp }).beats
            let found = beats.filter { (70.0..<170).contains($0.onset) && $0.confidence > 0.5 }.map(\.onset)
            let hits = truth.filter { time in found.contains { abs($0 - time) < 0.1 } }.count
            return truth.count - hits + max(0, found.count - hits)
        }
        #expect(try errors(recording) < 10)
        // Without gravity the scale is unknown.
        var linear = recording
        for axis in 0..<3 {
            let range = block.range(ofChannel: axis)
            let mean = block.samples[range].reduce(0, +) / Float(range.count)
            for k in range { linear.streams[index].segments[0].block.samples[k] -= mean }
        }
        #expect(try errors(linear) > 30)
    }

    @Test func beatsInMotionDoNotDependOnHowTheStreamsAreCutUp() throws {
        let source = try source()
        let expected = try result(source, block: (1, 1))
        #expect(expected.beats.count > 200 && expected.beats.allSatisfy { $0.foot != nil })
        for block in [(60.0, 60.0), (0.02, 0.3), (0.7, 13), (20, 0.1)] {
            let found = try result(source, block: (block.0, block.1))
            #expect(found.beats == expected.beats)
            #expect(found.quality == expected.quality)
            #expect(found.respiration == expected.respiration)
            #expect(found.runs == expected.runs)
        }
    }

    @Test func aPulseDoesNotWaitForEverForItsAcceleration() throws {
        let source = try source()
        let segment = Self.recording.streams[0].segments[0]
        var track = try CardiacTrack(source, parameters: Parameters(), computing: [], patience: 4)
        track.take(.segment(stream: source.stream, start: segment.start))
        for second in 0..<50 {
            track.take(.samples(stream: source.stream, segment.block.frames(second * 64..<(second + 1) * 64)))
        }
        let latest = try #require(track.result.beats.last)
        #expect(latest.onset > 50 - 4 - 3 - 1.5)
        track.finish()
        #expect(try #require(track.result.beats.last).onset > 48.5)
    }

    @Test(.enabled(if: RealData.has("e4_stress_predict/S01/BVP.csv")))
    func aWristbandSessionIsReadAlikeInBlocksOfAnyLength() throws {
        let url = RealData.url("e4_stress_predict/S01")
        func beats(_ block: Seconds) throws -> [Beat] {
            try CardiacReading.result(
                of: url, SourceRequest(stream: "bvp"), computing: [],
                opening: { try EmpaticaSession($0, blockDuration: block) }
            ).beats
        }
        let expected = try beats(60)
        #expect(expected.count > 2_800)
        #expect(try beats(5) == expected)
    }
}
