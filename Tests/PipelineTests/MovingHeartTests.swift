import Cardiac
import Formats
import Foundation
import Pipeline
import Signals
import Testing

/// The heart rate of a moving wrist in results and predictions, live and from the file.
@Suite struct MovingHeartTests {
    /// A pulse at 95 per minute on a wrist that swings 2.4 times a second from 40 s on.
    private static func recording(unit: Signals.Unit, device: String = "band-") -> Recording {
        func swing(_ time: Seconds, _ phase: Double) -> Double {
            guard time > 40 else { return 0 }
            return sin(2 * .pi * 2.4 * time + phase) + 0.5 * sin(2 * .pi * 1.2 * time + 2 * phase)
        }
        let pulse = (0..<64 * 120).map { index in
            let time = Double(index) / 64
            let turns = 2 * .pi * 95 / 60 * time
            return Float(50 * (cos(turns) + 0.4 * cos(2 * turns - 0.8) + 2.5 * swing(time - 0.06, 0.9)))
        }
        let axes = [0.3, 1.1, 2.4].flatMap { phase in
            (0..<32 * 120).map { Float(0.3 + 0.4 * swing(Double($0) / 32, phase)) }
        }
        func stream(_ header: StreamHeader, _ block: SampleBlock) -> Signals.Stream {
            Signals.Stream(
                header: header,
                segments: [
                    Segment(start: SegmentStart(onset: 0, sample: 0, sampleRate: header.sampleRate), block: block)
                ])
        }
        let streams = [
            stream(
                StreamHeader(
                    name: "\(device)bvp", kind: .bvp, channels: [Channel(label: "BVP", unit: .dimensionless)],
                    sampleRate: 64), SampleBlock(pulse)),
            stream(
                StreamHeader(
                    name: "\(device)acceleration", kind: .acceleration,
                    channels: ["x", "y", "z"].map { Channel(label: $0, unit: unit) }, sampleRate: 32),
                SampleBlock(channelCount: 3, samples: axes)),
        ]
        return Recording(
            header: RecordingHeader(duration: 120, streams: streams.map(\.header), format: "test"), streams: streams)
    }

    private static func live(_ recording: Recording, blocks: Double) throws -> (
        updates: [LiveUpdate], result: CardiacResult
    ) {
        var analysis = try LiveAnalysis(parameters: Parameters(), predictions: PredictionRequest(["heartRate"]))
        analysis.declare(recording.header)
        let events = RecordedEvents(recording, blockDuration: blocks)
        var updates: [LiveUpdate] = []
        while let event = events.next() { analysis.take(event, into: &updates) }
        analysis.finish(into: &updates)
        return (updates, try #require(analysis.results.first))
    }

    @Test(arguments: [Signals.Unit.g, .unknown], [0.05, 0.7, 13]) func liveWindows_areThoseOfTheFile(
        unit: Signals.Unit, blocks: Double
    ) throws {
        let recording = Self.recording(unit: unit)
        let file = try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
        let windows = try #require(file.results.first).pulseRates
        let (updates, result) = try Self.live(recording, blocks: blocks)
        #expect(windows.count == 57)
        #expect(windows == result.pulseRates)
        let told = updates.compactMap { if case .pulseRate(_, let window) = $0 { window } else { nil } }
        #expect(told == windows)
        let off = windows.compactMap { $0.rate.map { abs($0 - 95) } }
        #expect(off.count >= 54 && off.allSatisfy { $0 < 5 })
        #expect(windows.allSatisfy { $0.movement != nil })
    }

    @Test(arguments: [Signals.Unit.g, .unknown], [0.2, 5]) func predictions_comeFromWindowsWhileMoving(
        unit: Signals.Unit, blocks: Double
    ) throws {
        let recording = Self.recording(unit: unit)
        let file = try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
        let values = try PredictionReading.results(
            PredictionRequest(["heartRate"]), of: file, parameters: Parameters()
        ) { RecordedEvents(recording) }.series[0].values
        let told = try Self.live(recording, blocks: blocks).updates.compactMap { update -> PredictionValue? in
            if case .prediction(_, let value) = update { value } else { nil }
        }
        func bits(_ values: [PredictionValue]) -> [[UInt64]] {
            values.sorted { $0.time < $1.time }.map { [$0.time.bitPattern, $0.value.bitPattern] }
        }
        #expect(bits(told) == bits(values))
        let moving = values.filter { $0.time > 50 }
        #expect(moving.count > 30)
        #expect(moving.allSatisfy { abs($0.value - 95) < 5 })
    }

    @Test func accelerationOfAnotherDevice_isNotUsed() throws {
        var recording = Self.recording(unit: .g)
        recording.streams[1].header.name = "chest-acceleration"
        recording.header.streams[1].name = "chest-acceleration"
        let file = try RecordingAnalysis(RecordedEvents(recording), parameters: Parameters(), file: "test")
        #expect(try #require(file.results.first).pulseRates.allSatisfy { $0.movement == nil })
    }

    @Test func outputsWithoutHeartRate_haveNoWindows() throws {
        var parameters = Parameters()
        parameters.outputs.removeAll { $0 == .heartRate }
        let recording = Self.recording(unit: .g)
        let file = try RecordingAnalysis(RecordedEvents(recording), parameters: parameters, file: "test")
        #expect(try #require(file.results.first).pulseRates.isEmpty)
    }
}
