import Acquisition
import Decoding
import DeviceTestSupport
import Devices
import Formats
import Foundation
import Pipeline
import Recorder
import Signals
import Simulation
import Synchronization
import TestSupport
import Testing

/// Predictions told live, beside those computed from the recording.
@Suite(.timeLimit(.minutes(2))) struct LivePredictionTests {
    private static let both = ["visualAttention", "auditoryAttention", "focus"]

    private func request() throws -> PredictionRequest {
        PredictionRequest(
            Self.both,
            models: [
                "visualAttention": try CalibratedHeadband.model(.visualAttention),
                "auditoryAttention": try CalibratedHeadband.model(.auditoryAttention, seed: 6),
            ])
    }

    private func live(
        _ recording: Recording, _ request: PredictionRequest, blocks: Double, parameters: Parameters = Parameters()
    ) throws -> [LiveUpdate] {
        var analysis = try LiveAnalysis(parameters: parameters, predictions: request)
        analysis.declare(recording.header)
        var updates: [LiveUpdate] = []
        let events = RecordedEvents(recording, blockDuration: blocks)
        while let event = events.next() { analysis.take(event, into: &updates) }
        analysis.finish(into: &updates)
        return updates
    }

    private func values(_ updates: [LiveUpdate]) -> [PredictionValue] {
        updates.compactMap { if case .prediction(_, let value) = $0 { value } else { nil } }
    }

    @Test("a model's values are of EEG cleaned as in its calibration, whatever the study's parameters have become")
    func cleanedAsInTheCalibration() throws {
        let (recording, request) = (CalibratedHeadband.recording(blocks: 2, seed: 9), try request())
        let changed = try Parameters(
            yaml: "{eeg: {cleaning: {lowest: 4}, epochs: {length: 4}}}", file: "study.yaml")
        let before = values(try live(recording, request, blocks: 1))
        let after = values(try live(recording, request, blocks: 1, parameters: changed))
        #expect(before.contains { !$0.value.isNaN })
        for name in Self.both {
            #expect(CalibratedHeadband.bits(after, of: name) == CalibratedHeadband.bits(before, of: name))
        }
    }

    @Test(
        "live values do not depend on how samples come, and are those of the model on the recording",
        arguments: [0.11, 2.3])
    func cuts(blocks: Double) throws {
        let (recording, request) = (CalibratedHeadband.recording(blocks: 4, seed: 9), try request())
        let live = values(try live(recording, request, blocks: blocks))
        let read = try CalibratedHeadband.epochs(recording)
        for name in ["visualAttention", "auditoryAttention"] {
            var decoder = ModelDecoder(try #require(request.models[name]))
            let offline = read.epochs.map { decoder.value($0) }
            #expect(!offline.isEmpty)
            let bits = offline.map { [$0.time.bitPattern, $0.value.bitPattern] }
            #expect(CalibratedHeadband.bits(live, of: name) == bits)
        }
        let focus = live.filter { $0.prediction == "focus" }.map(\.value)
        let parts = ["visualAttention", "auditoryAttention"].map { name in
            live.filter { $0.prediction == name }.map(\.value)
        }
        let means = zip(parts[0], parts[1]).map { ($0 + $1) / 2 }
        #expect(means.map(\.bitPattern) == focus.map(\.bitPattern))
    }

    @Test("where electrodes are off, nothing is told")
    func offHead() throws {
        var recording = CalibratedHeadband.recording(blocks: 4, seed: 9)
        var samples = (0..<4).flatMap { Array(recording.streams[0].segments[0].block.channel($0)) }
        let frames = samples.count / 4
        for frame in 256 * 20..<256 * 30 { samples[frame] = 1_000 }
        let block = SampleBlock(channelCount: 4, samples: samples)
        #expect(block.frameCount == frames)
        recording.streams[0].segments[0] = Segment(
            start: recording.streams[0].segments[0].start, block: block)
        let told = values(try live(recording, try request(), blocks: 1)).filter { $0.prediction == "visualAttention" }
        let within = told.filter { $0.time > 23 && $0.time < 29 }.map(\.value)
        #expect(within.count >= 5 && within.allSatisfy { $0.isNaN })
        #expect(told.contains { $0.value.isFinite })
    }

    @Test("a model made for other electrodes is refused in words")
    func otherElectrodes() throws {
        var request = try request()
        request.models["visualAttention"]?.layout.labels = ["Fp1", "Fp2", "O1", "O2"]
        let updates = try live(CalibratedHeadband.recording(blocks: 1), request, blocks: 1)
        let refusals = updates.compactMap { if case .predictionRefused(_, let why) = $0 { why } else { nil } }
        #expect(refusals.count == 1 && refusals[0].contains("channels"))
        #expect(values(updates).isEmpty)
    }

    @Test("what a session with a simulated headband tells is what its recording gives, to the bit")
    func session() async throws {
        let request = try request()
        try await withTemporaryFolder { folder in
            let clock = ScaledClock(speed: 10)
            let model = try #require(DeviceModel.named("muse"))
            let make = try #require(model.simulator)
            let runner = SimulatorRunner(make(SimulationParameters(), DeviceFaults()), clock: clock)
            let central = SimulatedCentral([(Advertisement(address: "0", name: "muse"), runner)], clock: clock)
            let file = folder.appendingPathComponent("session.xdf")
            let told = Mutex<[PredictionValue]>([])
            let (done, isOver) = AsyncStream.makeStream(of: Void.self)
            let session = try await LiveSession(
                recorder: try Recorder(Recorder.Session(url: file, software: "test"), clock: clock),
                devices: [
                    SessionDevice(
                        name: "muse", connector: GattConnector(central: central, address: "0"),
                        conversation: try model.conversation(DeviceOptions()))
                ], parameters: Parameters(), predictions: request, clock: clock
            ) { event in
                guard case .update(let update) = event, case .prediction(_, let value) = update else { return }
                // Where the computer was too busy for the headband's pace, values are missing.
                let count = told.withLock { told in
                    told.append(value)
                    return told.count { $0.prediction == "focus" && $0.value.isFinite }
                }
                if count == 15 { isOver.finish() }
            }
            _ = await withTaskGroup(of: Void.self) { group in
                group.addTask { await runner.run() }
                group.addTask {
                    for await _ in done {}
                    await session.stop()
                }
                let summary = await session.run()
                group.cancelAll()
                return summary
            }
            let live = told.withLock { $0 }
            for name in ["visualAttention", "auditoryAttention"] {
                let model = try #require(request.models[name])
                let read = try DecodingReading.epochs(of: file, layout: model.layout)
                var decoder = ModelDecoder(model)
                let offline = read.epochs.map { decoder.value($0) }
                #expect(offline.count { $0.value.isFinite } >= 10)
                let bits = offline.map { [$0.time.bitPattern, $0.value.bitPattern] }
                #expect(CalibratedHeadband.bits(live, of: name) == bits)
            }
        }
    }
}
