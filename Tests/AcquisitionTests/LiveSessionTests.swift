import Acquisition
import Brain
import DeviceTestSupport
import Devices
import Formats
import Foundation
import Motion
import Pipeline
import Recorder
import Signals
import Simulation
import Synchronization
import TestSupport
import Testing

/// Whole sessions with simulated devices in this process, on a clock that runs fast.
@Suite(.timeLimit(.minutes(2))) struct LiveSessionTests {
    /// What a session left: its summary, its events, and the results it showed.
    struct Outcome {
        var summary: SessionSummary
        var events: [SessionEvent]
        var results: StreamResults
        var file: URL
    }

    /// Records the simulated devices until `isDone` says so of what was shown so far. Time begins when every device is
    /// connected and subscribed to, so that nothing depends on how soon a busy machine comes to that.
    private func record(
        _ kinds: [(name: String, model: String)], faults: DeviceFaults = DeviceFaults(), speed: Double = 30,
        in folder: URL,
        until isDone: @escaping @Sendable ([SessionEvent]) -> Bool
    ) async throws -> Outcome {
        let clock = HeldClock(speed: speed)
        let devices = try kinds.map { (name: $0.name, model: try #require(DeviceModel.named($0.model))) }
        var peripherals: [(advertisement: Advertisement, runner: SimulatorRunner)] = []
        for (index, device) in devices.enumerated() {
            let make = try #require(device.model.simulator)
            let runner = SimulatorRunner(make(SimulationParameters(), faults), clock: clock)
            peripherals.append((Advertisement(address: "\(index)", name: device.name), runner))
        }
        let central = SimulatedCentral(peripherals, clock: clock)
        let file = folder.appendingPathComponent("session.xdf")
        let recorder = try Recorder(Recorder.Session(url: file, software: "test"), clock: clock)
        let events = Mutex<[SessionEvent]>([])
        let (done, isOver) = AsyncStream.makeStream(of: Void.self)
        let chosen = try devices.enumerated().map { index, device in
            SessionDevice(
                name: device.name, connector: GattConnector(central: central, address: "\(index)"),
                conversation: try device.model.conversation(DeviceOptions()))
        }
        let count = chosen.count
        let session = try await LiveSession(
            recorder: recorder, devices: chosen, parameters: Parameters(), clock: clock
        ) { event in
            let (isReady, isDone) = events.withLock { events in
                events.append(event)
                return (Self.identified(events).count == count, isDone(events))
            }
            if isReady { clock.release() }
            if isDone { isOver.finish() }
        }
        let runners = peripherals.map(\.runner)
        let summary = await withTaskGroup(of: Void.self) { group in
            for runner in runners { group.addTask { await runner.run() } }
            group.addTask {
                for await _ in done {}
                await session.tag("over")
                await session.stop()
            }
            let summary = await session.run()
            group.cancelAll()
            return summary
        }
        return Outcome(
            summary: summary, events: events.withLock { $0 }, results: await session.results, file: file)
    }

    /// The devices that answered questions, which come after the subscriptions.
    private static func identified(_ events: [SessionEvent]) -> Set<String> {
        Set(events.compactMap { if case .identity(let device, _, _) = $0 { device } else { nil } })
    }

    @Test func whatIsShownLiveIsWhatTheFileGives() async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await record([("strap", "heart-rate"), ("chest", "polar")], in: folder) { events in
                let streams = events.compactMap { event -> Int? in
                    if case .update(.interval(let stream, _)) = event { stream } else { nil }
                }
                let counts = Dictionary(grouping: streams) { $0 }.mapValues(\.count)
                return counts.count >= 2 && counts.values.allSatisfy { $0 >= 90 }
            }
            #expect(outcome.summary.problem == nil)
            let analysis = try RecordingAnalysis(
                try RecordingFile.open(outcome.file), parameters: Parameters(), file: "session.xdf")
            #expect(analysis.results.count == outcome.results.hearts.count)
            for live in outcome.results.hearts {
                let offline = try #require(analysis.results.first { $0.source == live.source })
                #expect(offline.beats == live.beats)
                #expect(offline.intervals == live.intervals)
                #expect(offline.quality == live.quality)
                #expect(offline.windows == live.windows)
                #expect(offline.rhythm == live.rhythm)
                #expect(!live.intervals.isEmpty)
            }
        }
    }

    @Test func allThatIsComputedOfAStreamIsComparedWithTheFile() async throws {
        try await withTemporaryFolder { folder in
            // A pulse waits for acceleration for 5 s: at 15 times the speed a busy machine must not be late by a third.
            let outcome = try await record([("chest", "polar"), ("head", "muse")], speed: 15, in: folder) { events in
                let epochs = events.filter { if case .update(.eeg) = $0 { true } else { false } }
                let beats = events.filter { if case .update(.beat) = $0 { true } else { false } }
                return epochs.count >= 45 && beats.count >= 60
            }
            let check = try LiveCheck(outcome.results, recording: outcome.file, parameters: Parameters())
            #expect(check.sources.filter { !$0.differing.isEmpty }.isEmpty, "\(check.sources)")
            let compared = Dictionary(check.sources.map { ($0.name, $0.compared) }, uniquingKeysWith: +)
            for name in ["chest-ecg", "chest-acceleration", "head-eeg", "head-acceleration"] {
                #expect(compared[name] ?? 0 > 10, "\(name)")
            }
            // What was computed otherwise does not pass, nor what was not shown at all.
            var parameters = Parameters()
            parameters.eeg.features.spectralEdge = 0.9
            parameters.motion.epoch *= 2
            let other = try LiveCheck(outcome.results, recording: outcome.file, parameters: parameters)
            let differing = Dictionary(other.sources.map { ($0.name, $0.differing) }, uniquingKeysWith: +)
            #expect(differing["head-eeg"] == ["epochs"])
            #expect(differing["head-acceleration"]?.contains("motion") ?? false)
            #expect(differing["chest-ecg"] == [])
            var less = outcome.results
            less.brains = []
            let missing = try LiveCheck(less, recording: outcome.file, parameters: Parameters())
            #expect(missing.sources.first { $0.name == "head-eeg" }?.differing == ["all: nothing was shown"])
        }
    }

    @Test func anEmptyBatteryEndsTheStreamAndTheSessionGoesOn() async throws {
        try await withTemporaryFolder { folder in
            var faults = DeviceFaults()
            (faults.battery, faults.batteryLife) = (0.05, 4_000)
            let outcome = try await record([("strap", "heart-rate")], faults: faults, in: folder) { events in
                guard case .retrying = events.last else { return false }
                return true
            }
            let recording = try Recording(reading: try RecordingFile.open(outcome.file))
            #expect(recording.markers.map(\.label) == ["over"])
            // One heart rate a second from the second beat on, until the battery is empty after 200 s.
            let rates = try #require(recording.streams.first { $0.header.kind == .heartRate })
            #expect((195...200).contains(outcome.summary.streams.first { $0.name == rates.header.name }?.count ?? 0))
            let ends = outcome.events.compactMap { event -> Double? in
                if case .connection(_, .disconnected, _, _, let moment) = event { moment } else { nil }
            }
            #expect(ends.first ?? 0 >= 200)
        }
    }

    @Test func tagsAreInTheRecordingAtTheirMoment() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("tags.xdf")
            let clock = ScaledClock(speed: 20)
            let recorder = try Recorder(Recorder.Session(url: file, software: "test"), clock: clock)
            let session = try await LiveSession(
                recorder: recorder, devices: [], parameters: Parameters(), clock: clock
            ) { _ in }
            await session.tag("start", at: recorder.startMoment + 1.25)
            await session.tag("end", at: recorder.startMoment + 2.000_001)
            await session.tag("a\0b\n", at: recorder.startMoment + 2.5)
            _ = await session.run()
            let recording = try Recording(reading: try RecordingFile.open(file))
            #expect(recording.markers.map(\.label) == ["start", "end", "a\\0b\\n"])
            #expect(abs(recording.markers[0].onset - 1.25) < 1e-6)
            #expect(abs(recording.markers[1].onset - 2.000_001) < 1e-6)
        }
    }
}
