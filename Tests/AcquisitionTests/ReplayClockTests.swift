import Acquisition
import Devices
import Formats
import Foundation
import Pipeline
import Recorder
import Signals
import Simulation
import TestSupport
import Testing

/// Logs that are replayed by a clock that follows them.
@Suite(.timeLimit(.minutes(3))) struct ReplayClockTests {
    /// A simulated device and the conversation with it in virtual time, as a raw log has them.
    private struct Logged {
        var entries: [ByteLogEntry] = []
        var events: [DeviceEvent] = []
        private var conversation: any Conversation
        private var simulator: any DeviceSimulator
        private var now: Seconds = 0
        private var wakesAt: Seconds?

        init(_ name: String, for duration: Seconds, pausing pause: Range<Seconds>? = nil) throws {
            let model = try #require(DeviceModel.named(name))
            let make = try #require(model.simulator)
            simulator = make(SimulationParameters(), DeviceFaults())
            conversation = try model.conversation(DeviceOptions())
            var requests: [(moment: Seconds, request: DeviceRequest)] = []
            if let pause { requests = [(pause.lowerBound, .pause), (pause.upperBound, .resume)] }
            note(.opened)
            var answers: [SimulatorAction] = []
            simulator.connect(at: 0, into: &answers)
            var said: [ConversationAction] = []
            conversation.open(at: 0, into: &said)
            obey(said)
            hear(answers)
            while let due = [wakesAt, simulator.due, requests.first?.moment].compactMap({ $0 }).min(), due <= duration {
                now = max(now, due)
                said = []
                answers = []
                if let next = requests.first, next.moment <= now {
                    requests.removeFirst()
                    conversation.perform(next.request, at: now, into: &said)
                } else if let moment = wakesAt, moment <= now {
                    wakesAt = nil
                    conversation.wake(at: now, into: &said)
                } else {
                    simulator.advance(to: now, into: &answers)
                }
                obey(said)
                hear(answers)
            }
            now = duration
            note(.closed(nil))
        }

        private mutating func note(_ content: ByteLogEntry.Content) {
            entries.append(ByteLogEntry(content, at: now))
        }

        private mutating func hear(_ sent: [SimulatorAction]) {
            for case .send(let bytes, let endpoint) in sent {
                note(.received(bytes, from: endpoint))
                var said: [ConversationAction] = []
                conversation.receive(bytes, from: endpoint, at: now, into: &said)
                obey(said)
            }
        }

        private mutating func obey(_ said: [ConversationAction]) {
            for action in said {
                var answers: [SimulatorAction] = []
                switch action {
                case .emit(let event): events.append(event)
                case .wake(let moment): wakesAt = moment
                case .send(let bytes, let endpoint, _):
                    note(.sent(bytes, to: endpoint))
                    simulator.receive(bytes, at: endpoint, at: now, into: &answers)
                case .subscribe(let uuid, _):
                    note(.subscribed(uuid))
                    simulator.subscribe(uuid, at: now, into: &answers)
                case .read(let uuid):
                    note(.asked(uuid))
                    simulator.read(uuid, at: now, into: &answers)
                case .close: break
                }
                hear(answers)
            }
        }

        /// How many frames of each regular stream came.
        var frames: [String: Int] {
            events.reduce(into: [:]) { frames, event in
                if case .samples(let samples) = event { frames[samples.stream, default: 0] += samples.block.frameCount }
            }
        }

        func write(_ device: String, to url: URL) throws {
            let writer = try ByteLogWriter(
                url, header: ByteLogHeader(device: device, place: "A0:9E:1A:00:11:22", clock: SystemClock()))
            for entry in entries { try writer.append(entry) }
            try writer.close()
        }
    }

    /// Asked to stop, says goodbye and waits for an answer.
    private struct PoliteConversation: Conversation {
        mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {}

        mutating func receive(
            _ bytes: [UInt8], from endpoint: Endpoint, at moment: Seconds, into actions: inout [ConversationAction]
        ) {}

        mutating func wake(at moment: Seconds, into actions: inout [ConversationAction]) {}

        mutating func perform(_ request: DeviceRequest, at moment: Seconds, into actions: inout [ConversationAction]) {
            actions.append(.send(Array("bye".utf8), to: .stream, acknowledged: true))
        }

        mutating func close(at moment: Seconds, into actions: inout [ConversationAction]) {}
    }

    private func write(_ entries: [(ByteLogEntry.Content, Seconds)], to log: URL) throws {
        let header = ByteLogHeader(device: "kardia", place: "x", clock: SystemClock())
        let writer = try ByteLogWriter(log, header: header)
        for (content, moment) in entries { try writer.append(ByteLogEntry(content, at: moment)) }
        try writer.close()
    }

    private func replay(_ log: URL, _ clock: ReplayClock, as file: URL) async throws -> (Recording, SessionSummary) {
        let recorder = try Recorder(Recorder.Session(url: file, software: "test"), clock: clock)
        let device = try DeviceAddress("replay@\(log.path)").device(
            clock: clock, central: { throw DeviceFailure(description: "there is no Bluetooth") })
        let session = try await LiveSession(
            recorder: recorder, devices: [device], parameters: Parameters(), clock: clock
        ) { _ in }
        let summary = await session.run()
        return (try Recording(reading: try RecordingFile.open(file)), summary)
    }

    @Test(
        "a log is replayed whole, as fast as it is taken or at a speed",
        arguments: ["muse-athena", "muse", "polar", "empatica-e4"])
    func aLogIsReplayedWhole(device: String) async throws {
        try await withTemporaryFolder { folder in
            let log = folder.appendingPathComponent("device.bytes")
            let logged = try Logged(device, for: 30)
            #expect(logged.frames.values.reduce(0, +) > 1_000)
            try logged.write(device, to: log)
            var runs: [Recording] = []
            for (number, speed) in ([nil, 300] as [Double?]).enumerated() {
                let file = folder.appendingPathComponent("\(number).xdf")
                let (recording, summary) = try await replay(log, ReplayClock(speed: speed), as: file)
                #expect(summary.reconnections.isEmpty && abs(summary.duration - 30) < 2)
                for (id, count) in logged.frames {
                    let stream = try #require(recording.streams.first { $0.header.name == "\(device)-\(id)" })
                    #expect(stream.segments.reduce(0) { $0 + $1.block.frameCount } == count, "\(id)")
                }
                runs.append(recording)
            }
            for (one, other) in zip(runs[0].streams, runs[1].streams) {
                #expect(one.header.name == other.header.name && one.values.count == other.values.count)
                let samples = [one, other].map { stream in
                    stream.segments.map { $0.block.samples.map(\.bitPattern) }
                }
                #expect(samples[0] == samples[1], "\(one.header.name)")
                for (first, second) in zip(one.segments, other.segments) {
                    #expect(abs(first.start.onset - second.start.onset) < 1e-6)
                }
            }
        }
    }

    @Test func aPauseThatNobodyAsksForAgainIsAPauseAllTheSame() async throws {
        try await withTemporaryFolder { folder in
            let log = folder.appendingPathComponent("device.bytes")
            let logged = try Logged("empatica-e4", for: 20, pausing: 8..<12)
            try logged.write("empatica-e4", to: log)
            let (recording, summary) = try await replay(
                log, ReplayClock(speed: 60), as: folder.appendingPathComponent("s.xdf"))
            // Waiting for a question that does not come costs the session no time.
            #expect(abs(summary.duration - 20) < 2)
            let pulse = try #require(recording.streams.first { $0.header.name == "empatica-e4-bvp" })
            let gaps = pulse.segments.compactMap(\.start.gap)
            #expect(gaps.map(\.reason) == [.fileGap])
            #expect(abs((gaps.first?.duration ?? 0) - 4) < 0.2)
        }
    }

    @Test func timeStandsWhileAMessageIsBeingTaken() async throws {
        try await withTemporaryFolder { folder in
            let log = folder.appendingPathComponent("device.bytes")
            try write(
                [(.opened, 0), (.received([1], from: .stream), 1), (.received([2], from: .stream), 1_000)], to: log)
            let clock = ReplayClock()
            let begun = clock.now
            let sleeping = Task { try await clock.sleep(until: begun + 500) }
            let link = try await ReplayConnector(log, clock: clock).connect()
            _ = await link.next()
            #expect(abs(clock.now - begun - 1) < 1e-6)
            _ = await link.next()
            #expect(abs(clock.now - begun - 1_000) < 1e-6)
            try await sleeping.value
        }
    }

    @Test func aLinkThatIsClosedEndsAtOnceAndTimeGoesOn() async throws {
        try await withTemporaryFolder { folder in
            let log = folder.appendingPathComponent("device.bytes")
            try write([(.opened, 0), (.received([1], from: .stream), 3_600)], to: log)
            let clock = ReplayClock(speed: 1)
            let link = try await ReplayConnector(log, clock: clock).connect()
            async let end = link.next()
            // The clock goes on when the log waits for its message.
            try await clock.sleep(until: clock.now + 0.01)
            await link.close()
            #expect(await end == .closed(nil, at: 0))
            try await clock.sleep(until: clock.now + 0.01)
        }
    }

    @Test func aReplayThatIsStoppedDoesNotWaitForAnAnswer() async throws {
        try await withTemporaryFolder { folder in
            let log = folder.appendingPathComponent("device.bytes")
            try write([(.opened, 0), (.received([1], from: .stream), 3_600)], to: log)
            let (connected, teller) = AsyncStream.makeStream(of: Void.self)
            let connection = DeviceConnection(
                name: "log", connector: try ReplayConnector(log), conversation: PoliteConversation(),
                clock: SystemClock(), reconnection: .replay
            ) { report in
                if case .connection(_, .connected, _) = report.content { teller.yield() }
            }
            async let running: Void = connection.run()
            for await _ in connected { break }
            await connection.stop(patience: 3_600)
            await running
        }
    }
}
