import Acquisition
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

/// Whole sessions with simulated devices in this process, on a clock that runs fast.
@Suite(.timeLimit(.minutes(2))) struct LiveSessionTests {
    /// What a session left: its summary, its events, and the results it showed.
    struct Outcome {
        var summary: SessionSummary
        var events: [SessionEvent]
        var results: [CardiacResult]
        var file: URL
    }

    /// Records the simulated devices for so many seconds.
    private func record(
        _ kinds: [(name: String, model: String)], faults: DeviceFaults = DeviceFaults(), seconds: Double,
        in folder: URL, speed: Double = 60
    ) async throws -> Outcome {
        let clock = ScaledClock(speed: speed)
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
        let chosen = try devices.enumerated().map { index, device in
            SessionDevice(
                name: device.name, connector: GattConnector(central: central, address: "\(index)"),
                conversation: try device.model.conversation(DeviceOptions()))
        }
        let session = try await LiveSession(
            recorder: recorder, devices: chosen, parameters: Parameters(), clock: clock
        ) { event in
            events.withLock { $0.append(event) }
        }
        let runners = peripherals.map(\.runner)
        let summary = try await withThrowingTaskGroup(of: Void.self) { group in
            for runner in runners { group.addTask { await runner.run() } }
            let summary = await session.run(for: seconds)
            group.cancelAll()
            return summary
        }
        return Outcome(
            summary: summary, events: events.withLock { $0 }, results: await session.results, file: file)
    }

    @Test func whatIsShownLiveIsWhatTheFileGives() async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await record(
                [("strap", "heart-rate"), ("chest", "polar")], seconds: 90, in: folder)
            #expect(outcome.summary.problem == nil)
            let analysis = try RecordingAnalysis(
                try RecordingFile.open(outcome.file), parameters: Parameters(), file: "session.xdf")
            #expect(analysis.results.count == outcome.results.count)
            for live in outcome.results {
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

    @Test func anEmptyBatteryEndsTheStreamAndTheSessionGoesOn() async throws {
        try await withTemporaryFolder { folder in
            var faults = DeviceFaults()
            (faults.battery, faults.batteryLife) = (0.05, 4_000)
            let outcome = try await record([("strap", "heart-rate")], faults: faults, seconds: 260, in: folder)
            let lost = outcome.events.contains { event in
                if case .connection(_, .disconnected, _, _) = event { true } else { false }
            }
            #expect(lost)
            #expect(outcome.summary.duration >= 260)
            #expect(try RecordingFile.open(outcome.file).header.streams.isEmpty == false)
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
            _ = await session.run()
            let recording = try Recording(reading: try RecordingFile.open(file))
            #expect(recording.markers.map(\.label) == ["start", "end"])
            #expect(abs(recording.markers[0].onset - 1.25) < 1e-6)
            #expect(abs(recording.markers[1].onset - 2.000_001) < 1e-6)
        }
    }
}
