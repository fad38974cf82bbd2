import Acquisition
import DeviceTestSupport
import Devices
import Formats
import Foundation
import Pipeline
import Recorder
import Signals
import Simulation
import TestSupport
import Testing

/// What programs and people ask of a running session.
@Suite(.timeLimit(.minutes(3))) struct SessionCommandTests {
    @Test(
        arguments: [
            (#"{"tag":"go \u2192"}"#, .tag("go →")), (#"{"command":"pause"}"#, .pause(device: nil)),
            (#"{"device":"wrist","command":"resume"}"#, .resume(device: "wrist")),
            (#"{"command":"abort","device":"cell"}"#, .abort(device: "cell")),
            (#"{"command":"resetEnergy","device":"strap"}"#, .resetEnergy(device: "strap")),
            (#"{"command":"finish"}"#, .finish),
            (#"{"command":"disconnect","device":"wrist"}"#, .disconnect(device: "wrist")),
            (#"{"command":"connect"}"#, .connect(device: nil)),
        ] as [(String, SessionCommand)])
    func linesOfJSONAreCommands(line: String, command: SessionCommand) throws {
        #expect(try SessionCommand(json: line) == command)
    }

    @Test(arguments: [
        ("pause", "command"), ("{}", "command"),
        (#"{"command":"halt"}"#, "abort, connect, disconnect, pause, resetEnergy, resume, finish"),
        (#"{"tag":"a","command":"pause"}"#, "tag"), (#"{"command":"pause","devise":"x"}"#, "device"),
        (#"{"tag":1}"#, "tag"), (#"{"command":"finish","device":"ghost"}"#, "without a device"),
    ])
    func whatIsNoCommandNamesWhatWouldBe(line: String, hint: String) {
        #expect {
            _ = try SessionCommand(json: line)
        } throws: { error in
            "\(error)".contains(hint)
        }
    }

    /// Runs a session; `play` is told everything and asks the session what it likes.
    private func record(
        _ devices: SessionDevice..., clock: any HostClock, in folder: URL,
        _ play: (SessionEvent, LiveSession) async -> Void
    ) async throws -> Recording {
        let file = folder.appendingPathComponent("s.xdf")
        let recorder = try Recorder(Recorder.Session(url: file, software: "test"), clock: clock)
        let (events, shown) = AsyncStream.makeStream(of: SessionEvent.self)
        let session = try await LiveSession(
            recorder: recorder, devices: devices, parameters: Parameters(), clock: clock
        ) { shown.yield($0) }
        let running = Task { await session.run() }
        for await event in events {
            await play(event, session)
            if case .finished = event { break }
        }
        await session.stop()
        _ = await running.value
        return try Recording(reading: try RecordingFile.open(file))
    }

    /// A wristband behind its server, five times as fast. A busy computer is not taken for a server that does not answer.
    private func withWristband(
        _ name: String = "wrist", _ clock: ScaledClock = ScaledClock(speed: 5),
        _ body: (SessionDevice, any HostClock) async throws -> Void
    ) async throws {
        let model = try #require(DeviceModel.named("empatica-e4"))
        let make = try #require(model.simulator)
        let host = try StreamSimulatorHost(
            tcp: SimulatorRunner(make(SimulationParameters(), DeviceFaults()), clock: clock))
        let serving = Task { try await host.run() }
        defer { serving.cancel() }
        var settings = EmpaticaServerSettings()
        settings.replyTimeout = 300
        let connector = TCPConnector(host: "127.0.0.1", port: try #require(host.port), clock: clock)
        try await body(
            SessionDevice(name: name, connector: connector, conversation: EmpaticaServerConversation(settings)),
            clock)
    }

    @Test func aWristbandIsPausedAndGoesOnAndThePauseIsAGap() async throws {
        try await withTemporaryFolder { folder in
            try await withWristband { device, clock in
                var (paused, resumed): (Seconds?, Seconds?)
                var wasResumed = false
                let recording = try await record(device, clock: clock, in: folder) { event, session in
                    switch event {
                    case .status(_, .paused(true), let moment): paused = moment
                    case .status(_, .paused(false), let moment): resumed = moment
                    case .pulse where paused == nil:
                        // Before it streams it cannot be paused.
                        await session.obey(json: #"{"command":"pause","device":"wrist"}"#)
                    case .pulse(let pulse):
                        if let paused, pulse.moment > paused + 4, !wasResumed {
                            wasResumed = true
                            await session.togglePause()
                        }
                        if let resumed, pulse.moment > resumed + 3 {
                            await session.obey(json: #"{"command":"finish"}"#)
                        }
                    default: break
                    }
                }
                let (from, to) = (try #require(paused), try #require(resumed))
                let pulse = try #require(recording.streams.first { $0.header.name == "wrist-bvp" })
                let gap = try #require(pulse.segments.compactMap(\.start.gap).first { $0.duration > 2 })
                #expect(gap.reason == .fileGap)
                // A message lies up to an eighth of a second back, a busy computer's longer.
                #expect(gap.onset > from - 5 && gap.onset < from + 0.5 && gap.onset + gap.duration > to - 0.5)
            }
        }
    }

    @Test("a device is disconnected and connected again; that is a gap of its own kind, and others go on")
    func disconnection() async throws {
        try await withTemporaryFolder { folder in
            let clock = ScaledClock(speed: 5)
            try await withWristband("left", clock) { left, _ in
                try await withWristband("right", clock) { right, _ in
                    var (gone, wanted, back, retries) = (Seconds?.none, Seconds?.none, Seconds?.none, 0)
                    var (wasAsked, refusals) = (false, [String]())
                    var summary: SessionSummary?
                    let recording = try await record(left, right, clock: clock, in: folder) { event, session in
                        switch event {
                        case .connection("left", .disconnectedUponRequest, _, _, let moment): gone = gone ?? moment
                        case .connection("left", .connected, _, _, let moment): if wanted != nil { back = moment }
                        case .retrying("left", _, _): if wanted == nil { retries += 1 }
                        case .remark("command", let text, true, _): refusals.append(text)
                        case .finished(let found): summary = found
                        case .pulse(let pulse) where !wasAsked:
                            guard pulse.streams.filter({ $0.name.hasSuffix("bvp") && $0.count > 200 }).count == 2 else {
                                break
                            }
                            wasAsked = true
                            await session.obey(json: #"{"command":"connect","device":"ankle"}"#)
                            await session.obey(json: #"{"command":"disconnect","device":"left"}"#)
                        case .pulse(let pulse):
                            if let gone, wanted == nil, pulse.moment > gone + 8 {
                                wanted = pulse.moment
                                await session.obey(json: #"{"command":"connect","device":"left"}"#)
                            }
                            if let back, pulse.moment > back + 5 { await session.stop() }
                        default: break
                        }
                    }
                    let (from, to) = (try #require(gone), try #require(back))
                    #expect(retries == 0 && to - from >= 8)
                    #expect(refusals.count == 1 && refusals[0].contains("left, right"), "\(refusals)")
                    #expect(try #require(summary).reconnections.isEmpty)
                    func segments(_ name: String) throws -> [Segment] {
                        let found = recording.streams.filter { $0.header.name == name }
                        #expect(found.count == 1)
                        return try #require(found.first).segments
                    }
                    for stream in ["left-bvp", "left-acceleration"] {
                        let gaps = try segments(stream).compactMap(\.start.gap)
                        let gap = try #require(gaps.first { $0.reason == .disconnectedUponRequest })
                        // A message holds what was measured up to an eighth of a second before; a busy computer's is late.
                        #expect(gap.onset > from - 2 && gap.onset < from + 0.5, "\(gap) \(from)")
                        #expect(
                            gap.onset + gap.duration > to - 0.5 && gap.onset + gap.duration < to + 4, "\(gap) \(to)")
                    }
                    let gaps = try segments("right-bvp").compactMap(\.start.gap)
                    #expect(!gaps.contains { $0.reason == .disconnectedUponRequest || $0.duration > 4 }, "\(gaps)")
                }
            }
        }
    }

    @Test func aScriptIsHaltedGoesOnAndIsAborted() async throws {
        try await withTemporaryFolder { folder in
            let clock = ScaledClock(speed: 2)
            let host = try StreamSimulatorHost(terminal: SimulatorRunner(MethodSCRIPTSimulator(), clock: clock))
            let serving = Task { try await host.run() }
            defer { serving.cancel() }
            // A current every 0.1 s, for longer than anybody waits.
            let script = """
                var p
                var c
                set_pgstat_chan 0
                set_pgstat_mode 2
                set_max_bandwidth 80
                cell_on
                meas_loop_ca p c 500m 100m 3600
                    pck_start
                    pck_add p
                    pck_add c
                    pck_end
                endloop
                on_finished:
                cell_off

                """
            var settings = MethodSCRIPTSettings(.serial, script: try MethodSCRIPTScript(text: script))
            settings.replyTimeout = 20
            let device = SessionDevice(
                name: "cell", connector: SerialConnector(path: host.place, baudRate: 230_400, clock: clock),
                conversation: MethodSCRIPTConversation(settings))
            var said: [String] = []
            let recording = try await record(device, clock: clock, in: folder) { event, session in
                switch event {
                case .pulse(let pulse) where said.isEmpty && pulse.streams.contains { $0.count > 3 }:
                    said.append("asked")
                    await session.toggleHalt()
                case .status(_, .paused(true), _):
                    said.append("halted")
                    await session.toggleHalt()
                case .status(_, .paused(false), _):
                    said.append("goes on")
                    await session.obey(json: #"{"command":"abort"}"#)
                case .script(_, .end, _):
                    said.append("ended")
                    await session.obey(json: #"{"command":"abort","device":"wrist"}"#)
                case .remark("command", let text, true, _):
                    said.append(text)
                    await session.stop()
                default: break
                }
            }
            #expect(said.prefix(4) == ["asked", "halted", "goes on", "ended"])
            #expect(said.last?.contains("cell") == true, "\(said)")
            #expect(recording.markers.contains { $0.label == "measurement ends" })
        }
    }

    /// A simulated strap in this process.
    private func withStrap(
        _ model: String, _ clock: any HostClock, _ body: (SessionDevice) async throws -> Void
    ) async throws {
        let known = try #require(DeviceModel.named(model))
        let make = try #require(known.simulator)
        let runner = SimulatorRunner(make(SimulationParameters(), DeviceFaults()), clock: clock)
        let central = SimulatedCentral([(Advertisement(address: "0"), runner)], clock: clock)
        let running = Task { await runner.run() }
        defer { running.cancel() }
        try await body(
            SessionDevice(
                name: "strap", connector: GattConnector(central: central, address: "0"),
                conversation: try known.conversation(DeviceOptions())))
    }

    @Test func aStrapCountsEnergyFromZeroAgain() async throws {
        try await withTemporaryFolder { folder in
            let clock = ScaledClock(speed: 60)
            try await withStrap("heart-rate", clock) { device in
                var hasAsked = false
                var told: [String] = []
                let recording = try await record(device, clock: clock, in: folder) { event, session in
                    switch event {
                    case .pulse(let pulse):
                        let energy = pulse.streams.first { $0.name == "strap-energy" }?.last.first ?? nil
                        if let energy, energy >= 8, !hasAsked {
                            hasAsked = true
                            await session.obey(json: #"{"command":"resetEnergy"}"#)
                        } else if let energy, energy <= 4, hasAsked {
                            await session.stop()
                        }
                    case .remark(_, let text, isFailure: true, _): told.append(text)
                    default: break
                    }
                }
                let energy = try #require(recording.streams.first { $0.header.name == "strap-energy" }).values
                let most = try #require(energy.firstIndex { $0.values[0] >= 8 })
                #expect(energy[most...].contains { $0.values[0] <= 4 })
                #expect(told.isEmpty)
            }
        }
    }

    @Test func whatCountsNoEnergySaysSo() async throws {
        try await withTemporaryFolder { folder in
            // In real time: a busy computer is not taken for a strap that does not answer.
            try await withStrap("polar", SystemClock()) { device in
                var told: [String] = []
                _ = try await record(device, clock: SystemClock(), in: folder) { event, session in
                    switch event {
                    case .identity: await session.obey(json: #"{"command":"resetEnergy","device":"strap"}"#)
                    case .remark(_, let text, isFailure: true, _):
                        told.append(text)
                        await session.stop()
                    default: break
                    }
                }
                #expect(told.first?.contains("counts no energy") == true, "\(told)")
            }
            let recorder = try Recorder(
                Recorder.Session(url: folder.appendingPathComponent("t.xdf"), software: "test"))
            let parrot = SessionDevice(
                name: "parrot", connector: ScriptedConnector([]), conversation: ParrotConversation())
            let session = try await LiveSession(
                recorder: recorder, devices: [parrot], parameters: Parameters(), show: { _ in })
            for device in ["parrot", nil] {
                await #expect {
                    try await session.obey(.resetEnergy(device: device))
                } throws: { error in
                    (error as? DeviceFailure)?.code == "unsupported"
                }
            }
        }
    }
}
