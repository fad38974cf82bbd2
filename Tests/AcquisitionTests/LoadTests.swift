import Acquisition
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

/// How much a session can take, and for how long; asked for by MAREY_LOAD=seconds and MAREY_DAY=hours.
@Suite(.serialized) struct LoadTests {
    private static func asked(_ name: String) -> Double? {
        ProcessInfo.processInfo.environment[name].flatMap(Double.init)
    }

    /// Megabytes of memory in use.
    private static var memory: Double {
        let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
        return text.split(separator: " ").dropFirst().first.flatMap { Double($0) }.map { $0 * 4_096 / 1e6 } ?? .nan
    }

    private static var cpu: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6
    }

    /// Memory by the session's seconds, as pulses come.
    private final class Watch: Sendable {
        let memories = Mutex<[(moment: Seconds, megabytes: Double)]>([])
        private let counts = Mutex<[Int: Int]>([:])

        func take(_ event: SessionEvent) {
            switch event {
            case .pulse(let pulse): memories.withLock { $0.append((pulse.moment, LoadTests.memory)) }
            case .update(.interval(let stream, _)): counts.withLock { $0[stream, default: 0] += 1 }
            default: break
            }
        }

        /// Intervals told of each source.
        var intervals: [Int] { counts.withLock { $0.sorted { $0.key < $1.key }.map(\.value) } }

        func memory(at moment: Seconds) -> Double {
            memories.withLock { $0.first { $0.moment >= moment }?.megabytes ?? .nan }
        }

        var last: Double { memories.withLock { $0.last?.megabytes ?? .nan } }
    }

    @Test(.enabled(if: asked("MAREY_LOAD") != nil, "MAREY_LOAD=seconds asks for it"))
    func sixtyFourStreamsOfThirtyTwoChannelsAtAKilohertz() async throws {
        let seconds = try #require(Self.asked("MAREY_LOAD"))
        try await withTemporaryFolder { folder in
            let clock = SystemClock()
            let source = FrameSource(channels: 32, rate: 1_000, framesPerMessage: 50)
            let file = folder.appendingPathComponent("load.xdf")
            let recorder = try Recorder(Recorder.Session(url: file, software: "test"), clock: clock)
            // Spread over the 50 ms of a message, as devices are that know nothing of each other.
            let links = (0..<64).map {
                FrameLink(source, seconds: seconds, clock: clock, begin: clock.now + 0.1 + Double($0) * 0.05 / 64)
            }
            let devices = links.enumerated().map { index, link in
                SessionDevice(
                    name: "amplifier\(index)", connector: link, conversation: FrameConversation(source),
                    reconnection: Reconnection(attempts: 1))
            }
            let watch = Watch()
            let cpu = Self.cpu
            let session = try await LiveSession(
                recorder: recorder, devices: devices, parameters: Parameters(), clock: clock, keepsResults: false,
                show: watch.take)
            let summary = await session.run()
            let (used, late) = (Self.cpu - cpu, links.map(\.latest).max() ?? .nan)
            let (early, end) = (watch.memory(at: seconds / 3), watch.last)
            print(
                "load: \(summary.streams.count) streams, \(Int(seconds)) s, CPU \(used / seconds) of a core,",
                "latest \(late) s, p99 \(summary.latency ?? .nan) s, memory \(early) MB, \(end) MB at the end")
            #expect(summary.problem == nil)
            #expect(summary.streams.count == 64)
            let expected = Int(seconds * 1_000)
            #expect(summary.streams.allSatisfy { $0.count == expected && $0.lost == 0 })
            #expect(end - early < 30)
            #expect(watch.intervals.count == 64 && watch.intervals.allSatisfy { $0 > Int(seconds / 2) })
            try Self.expectWhole(file, frames: expected, source)
        }
    }

    /// Every frame is in the file, none is missing.
    private static func expectWhole(_ file: URL, frames: Int, _ source: FrameSource) throws {
        let reader = try RecordingFile.open(file)
        var counts = [Int](repeating: 0, count: reader.header.streams.count)
        var segments = 0
        var missing = 0
        while let event = try reader.next() {
            switch event {
            case .segment: segments += 1
            case .samples(let stream, let block):
                counts[stream] += block.frameCount
                missing += block.samples.count { $0.isNaN }
            case .values, .marker: break
            }
        }
        #expect(counts == [Int](repeating: frames, count: 64))
        #expect(segments == 64 && missing == 0)
    }

    @Test(.enabled(if: asked("MAREY_DAY") != nil, "MAREY_DAY=hours asks for it"))
    func aDayNeedsNoMoreMemoryThanItsResults() async throws {
        let hours = try #require(Self.asked("MAREY_DAY"))
        try await withTemporaryFolder { folder in
            let clock = ScaledClock(speed: 400)
            let models = ["heart-rate", "polar"].compactMap { DeviceModel.named($0) }
            let runners = try models.map { model in
                let make = try #require(model.simulator)
                return SimulatorRunner(make(SimulationParameters(), DeviceFaults()), clock: clock)
            }
            let central = SimulatedCentral(
                runners.enumerated().map { (Advertisement(address: "\($0)", name: models[$0].id), $1) }, clock: clock)
            let recorder = try Recorder(
                Recorder.Session(url: folder.appendingPathComponent("day.xdf"), software: "test"), clock: clock)
            let devices = try models.enumerated().map { index, model in
                SessionDevice(
                    name: model.id, connector: GattConnector(central: central, address: "\(index)"),
                    conversation: try model.conversation(DeviceOptions()))
            }
            let watch = Watch()
            let session = try await LiveSession(
                recorder: recorder, devices: devices, parameters: Parameters(), clock: clock, keepsResults: false,
                show: watch.take)
            let summary = await withTaskGroup { group in
                for runner in runners { group.addTask { await runner.run() } }
                let summary = await session.run(for: hours * 3_600)
                group.cancelAll()
                return summary
            }
            let (early, end) = (watch.memory(at: hours * 900), watch.last)
            let beats = watch.intervals
            print("day: \(hours) h, \(beats) intervals, memory \(early) MB after a quarter, \(end) MB at the end")
            #expect(summary.problem == nil)
            #expect(beats.count == 3 && beats.allSatisfy { Double($0) > hours * 3_600 * 0.9 })
            // Of sources that have intervals alone these are kept, 56 bytes a beat, in arrays that grow by doubling.
            #expect(end - early < hours)
        }
    }
}
