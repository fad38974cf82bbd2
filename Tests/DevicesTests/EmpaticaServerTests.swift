import Devices
import Signals
import TestSupport
import Testing

@Suite struct EmpaticaServerLineTests {
    @Test(arguments: [
        (
            "E4_Acc 123345627891.123 51 -2 -10", EmpaticaSignal.acceleration, 123345627891.123,
            [0.796875, -0.03125, -0.15625]
        ),
        ("E4_Acc 1 127 -128 0", .acceleration, 1, [1.984375, -2, 0]),
        ("E4_Bvp 123345627891.123 3.212", .bvp, 123345627891.123, [3.212]),
        ("E4_Gsr 123345627891.123 3.129", .eda, 123345627891.123, [3.129]),
        ("G 123345627891.123 3.129", .eda, 123345627891.123, [3.129]),
        ("E4_Ibi 1700000000.250000 0.828125", .ibi, 1700000000.25, [0.828125]),
        ("E4_Hr 1700000000.250000 72.4528", .heartRate, 1700000000.25, [72.4528]),
        ("E4_Tag 1700000001.5", .tag, 1700000001.5, []),
        ("E4_Tag 1700000001.5 0", .tag, 1700000001.5, []),
        ("E4_Temperature 1700000001.25 33,51", .temperature, 1700000001.25, [33.51]),
        ("E4_Temp 1700000001,25 33,51", .temperature, 1700000001.25, [33.51]),
        ("E4_Battery 1700000001 0.5", .battery, 1700000001, [0.5]),
    ])
    func readsValues(line: String, signal: EmpaticaSignal, time: Double, values: [Double]) throws {
        #expect(try EmpaticaServerLine(Array(line.utf8)) == .value(signal, time: time, values))
    }

    @Test func readsLists() throws {
        let line = try EmpaticaServerLine(Array("R device_list 2 | 9ff167 Empatica_E4 | 740163 Empatica_E4".utf8))
        guard case .reply(let reply) = line, case .devices(let devices) = reply.outcome else {
            Issue.record("no list: \(line)")
            return
        }
        #expect(devices.map(\.id) == ["9ff167", "740163"] && devices.allSatisfy(\.isAllowed))
        let discovered = try EmpaticaServerLine(
            Array("R device_discover_list 2 | 9ff167 Empatica_E4 allowed | 740163 Empatica_E4 not_allowed".utf8))
        guard case .reply(let second) = discovered, case .devices(let found) = second.outcome else {
            Issue.record("no list: \(discovered)")
            return
        }
        #expect(found.map(\.isAllowed) == [true, false])
        #expect(try EmpaticaServerLine(Array("R device_list 0".utf8)) != .empty)
    }

    @Test(arguments: [
        (
            "R device_connect_btle ERR The device has not been discovered yet", "device_connect_btle",
            "The device has not been discovered yet"
        ),
        ("R device_subscribe gsr ERR No connected device.", "device_subscribe gsr", "No connected device."),
        ("R pause ERR You are not connected to any device", "pause", "You are not connected to any device"),
    ])
    func readsRefusals(line: String, request: String, reason: String) throws {
        guard case .reply(let reply) = try EmpaticaServerLine(Array(line.utf8)) else {
            Issue.record("no reply")
            return
        }
        #expect(reply.request == request && reply.outcome == .refused(reason))
    }

    @Test(arguments: [
        ("R connection lost to device 9ff167", EmpaticaNotice.lost(device: "9ff167")),
        ("R connection re-established to device 9ff167", .reestablished(device: "9ff167")),
        ("R device 9ff167 turned off via button", .turnedOff(device: "9ff167")),
    ])
    func readsNotices(line: String, notice: EmpaticaNotice) throws {
        #expect(try EmpaticaServerLine(Array(line.utf8)) == .notice(notice))
    }

    @Test(arguments: [
        "E4_Acc 1 128 0 0", "E4_Acc 1 0.5 0 0", "E4_Acc 1 0 0", "E4_Bvp x 1", "E4_Bvp 1", "E4_Bvp 1 1,000.5",
        "E4_Bvp -1 2",
        "E4_Bvp inf 2", "E4_Bvp 1 inf", "E4_Ibi 1 0", "E4_Battery 1 1.5", "R", "R device_list x",
        "R device_list 2 | a b",
        "R device_subscribe", "R unheard of", "HTTP/1.1 400 Bad Request",
    ])
    func refusesWhatBreaksTheProtocol(line: String) {
        #expect(throws: MalformedMessage.self) { try EmpaticaServerLine(Array(line.utf8)) }
    }
}

@Suite struct EmpaticaServerConversationTests {
    @Test func findsConnectsSubscribesAndStreams() {
        var dialogue = Dialogue(EmpaticaServerConversation(), EmpaticaServerSimulator())
        dialogue.run(until: 5)
        dialogue.end()
        let requests = dialogue.sent.map { String(decoding: $0, as: UTF8.self) }
        #expect(
            requests == [
                "device_list\r\n", "device_connect 9ff167\r\n", "device_subscribe acc ON\r\n",
                "device_subscribe bvp ON\r\n", "device_subscribe gsr ON\r\n", "device_subscribe ibi ON\r\n",
                "device_subscribe tmp ON\r\n", "device_subscribe bat ON\r\n", "device_subscribe tag ON\r\n",
            ])
        let states = dialogue.events.statuses.compactMap {
            if case .servedDevice(let state) = $0 { state } else { nil }
        }
        #expect(states == [.connecting, .connected, .disconnected])
        let radio = dialogue.events.statuses.compactMap { if case .radio(let state) = $0 { state } else { nil } }
        #expect(radio == [.scanning, .ready])
        #expect(
            Set(dialogue.events.streams.map(\.id)) == [
                "acceleration", "bvp", "eda", "ibi", "heartRate", "temperature", "battery",
            ])
        #expect(dialogue.events.malformed.isEmpty && dialogue.events.failures.isEmpty)
        #expect(dialogue.events.contains(.ready))
    }

    @Test(arguments: [("\r\n", false), ("\n", false), ("\r\n", true)])
    func everySampleArrivesAsMeasured(lineEnd: String, comma: Bool) throws {
        var simulation = EmpaticaSimulation()
        simulation.lineEnd = lineEnd
        simulation.hasDecimalComma = comma
        simulation.tags = [3.21, 17.5]
        simulation.drift = 40
        var dialogue = Dialogue(EmpaticaServerConversation(), EmpaticaServerSimulator(simulation))
        var generator = SplitMix64(seed: 3)
        dialogue.cut = { pieces(of: $0, using: &generator, upTo: 300) }
        dialogue.run(until: 60)
        for stream in ["acceleration", "bvp", "eda", "temperature"] {
            let got = dialogue.events.samples(stream)
            let truth = dialogue.measured.filter { $0.stream == stream }
            let channels = try #require(truth.first).block.channelCount
            for channel in 0..<channels {
                #expect(got.flatMap { $0.block.channel(channel) } == truth.flatMap { $0.block.channel(channel) })
            }
            var next = 0
            for samples in got {
                #expect(samples.index == next && samples.deviceTime != nil)
                next += samples.block.frameCount
            }
            #expect(got.dropFirst().allSatisfy { !$0.restarted })
        }
        let intervals = dialogue.measured.filter { $0.stream == "ibi" }
        #expect(dialogue.events.values("ibi").map { Float($0.values[0]) } == intervals.map { $0.block.samples[0] })
        #expect(try #require(intervals.first).time >= 20)
        for (ibi, rate) in zip(dialogue.events.values("ibi"), dialogue.events.values("heartRate")) {
            #expect(abs(rate.values[0] - 60 / ibi.values[0]) < 1e-3)
        }
        let tags = dialogue.events.compactMap { if case .marker("tag", let time, _) = $0 { time } else { nil } }
        // By the device's own clock, to the microsecond.
        #expect(tags == [1_700_000_003.210_128, 1_700_000_017.500_7])
        #expect(dialogue.events.malformed.isEmpty)
    }

    @Test func aLostDeviceIsToldAndItsFramesCountAnew() {
        var simulation = EmpaticaSimulation()
        simulation.losses = [10..<15]
        var dialogue = Dialogue(EmpaticaServerConversation(), EmpaticaServerSimulator(simulation))
        dialogue.run(until: 20)
        let behind = dialogue.events.statuses.compactMap {
            if case .deviceBehindServer(let connected) = $0 { connected } else { nil }
        }
        #expect(behind == [true, false, true])
        let pulse = dialogue.events.samples("bvp")
        #expect(pulse.filter(\.restarted).count == 1)
        let after = pulse.first { $0.restarted }
        #expect(after?.index == 0 && (after?.deviceTime ?? 0) >= 1_700_000_014.8)
    }

    @Test func aCutConnectionIsMadeAnew() {
        var simulation = EmpaticaSimulation()
        simulation.cuts = [5]
        var dialogue = Dialogue(EmpaticaServerConversation(), EmpaticaServerSimulator(simulation))
        dialogue.reconnectsAfter = 1
        dialogue.run(until: 10)
        #expect(dialogue.connections == 2)
        #expect(Set(dialogue.events.streams.map(\.id)).count == dialogue.events.streams.count)
        #expect(dialogue.events.samples("bvp").contains { $0.restarted })
        #expect(dialogue.events.count { $0 == .ready } == 2)
    }

    @Test func pausesResumesAndLeaves() {
        var dialogue = Dialogue(EmpaticaServerConversation(), EmpaticaServerSimulator())
        dialogue.run(until: 2)
        dialogue.ask(.pause)
        let before = dialogue.events.samples("bvp").count
        dialogue.run(until: 4)
        #expect(dialogue.events.samples("bvp").count == before)
        dialogue.ask(.resume)
        dialogue.run(until: 5)
        #expect(dialogue.events.samples("bvp").count > before)
        // Two seconds are missing between two indices.
        let pulse = dialogue.events.samples("bvp")
        #expect(pulse[before].index - pulse[before - 1].index - pulse[before - 1].block.frameCount == 128)
        #expect(dialogue.events.statuses.contains(.paused(true)) && dialogue.events.statuses.contains(.paused(false)))
        dialogue.ask(.stop)
        #expect(dialogue.sent.last.map { String(decoding: $0, as: UTF8.self) } == "device_disconnect\r\n")
        #expect(dialogue.events.contains(.finished))
        #expect(dialogue.conversation.device == .disconnected)
    }

    @Test func aPauseThatSomebodyElseAskedForIsToldAsOne() {
        let said = events(
            EmpaticaServerConversation(),
            [streaming(["E4_Bvp 1700000000.0 3.212", "R pause ON", "R pause OFF", "R pause OK"])])
        #expect(said.statuses.suffix(3) == [.paused(true), .paused(false), .servedDevice(.disconnected)])
        #expect(said.logs.contains { $0.contains("unasked") } && said.malformed.isEmpty)
    }

    @Test func waitsForADeviceThatIsNotThere() {
        var simulation = EmpaticaSimulation()
        simulation.devices = []
        var dialogue = Dialogue(EmpaticaServerConversation(), EmpaticaServerSimulator(simulation))
        dialogue.run(until: 10)
        #expect(dialogue.sent.count == 6)
        #expect(dialogue.events.logs.count == 1)
        #expect(dialogue.events.statuses.contains(.found([])))
    }

    @Test func asksWhichOfSeveral() {
        var simulation = EmpaticaSimulation()
        simulation.devices.append(FoundDevice(id: "740163", model: "Empatica_E4"))
        var dialogue = Dialogue(EmpaticaServerConversation(), EmpaticaServerSimulator(simulation))
        dialogue.run(until: 1)
        #expect(dialogue.events.failures.first?.description.contains("9ff167, 740163") == true)
        #expect(dialogue.hasClosed)
        var chosen = Dialogue(
            EmpaticaServerConversation(EmpaticaServerSettings(device: "740163")), EmpaticaServerSimulator(simulation))
        chosen.run(until: 1)
        #expect(chosen.events.contains(.ready) && chosen.conversation.deviceID == "740163")
    }

    @Test func connectsBluetoothInManualMode() {
        var settings = EmpaticaServerSettings()
        settings.connectsBluetooth = true
        settings.bluetoothTimeout = 3
        var dialogue = Dialogue(EmpaticaServerConversation(settings), EmpaticaServerSimulator())
        dialogue.run(until: 1)
        let requests = dialogue.sent.prefix(3).map { String(decoding: $0, as: UTF8.self) }
        #expect(
            requests == ["device_discover_list\r\n", "device_connect_btle 9ff167 3\r\n", "device_connect 9ff167\r\n"])
    }

    @Test func aServerThatDoesNotAnswerIsGivenUp() {
        var conversation = EmpaticaServerConversation()
        var actions: [ConversationAction] = []
        conversation.open(at: 0, into: &actions)
        guard case .wake(let due) = actions.last else {
            Issue.record("no time-out asked for")
            return
        }
        conversation.wake(at: due, into: &actions)
        #expect(actions.last == .close)
    }

    @Test func refusalToConnectIsTold() {
        let bytes = Array(
            "R device_list 1 | a Empatica_E4\r\nR device_connect ERR the requested device is not available\r\n".utf8)
        let failures = events(EmpaticaServerConversation(), [bytes]).failures
        #expect(failures.first?.description.contains("the requested device is not available") == true)
    }

    @Test func stampsThatRepeatGoBackOrJumpAreSurvived() {
        func bvp(_ stamps: [Double]) -> [String] { stamps.enumerated().map { "E4_Bvp \($1) \($0)" } }
        let period = 1.0 / 64
        let jump = 1_700_000_000.0
        let said = events(
            EmpaticaServerConversation(),
            [
                streaming(
                    bvp([
                        jump, jump + period, jump + period, jump + 0.5 * period, jump + 10 * period, jump + 200_000,
                        jump + 200_000 + period, jump - 200_000,
                    ]))
            ])
        let samples = said.samples("bvp")
        // Ten periods after the first, whatever came between.
        #expect(samples.map(\.index) == [0, 10, 0, 0])
        #expect(samples.map(\.restarted) == [false, false, true, true])
        #expect(samples.map(\.block.frameCount).reduce(0, +) == 8)
        // The stamp that repeats and the one that goes back a little; a clock that is set breaks no protocol.
        #expect(said.malformed.count == 2)
        let jumps = said.statuses.compactMap { if case .clockJump("bvp", let jump) = $0 { jump } else { nil } }
        #expect(jumps.count == 2 && zip(jumps, [200_000, -400_000]).allSatisfy { abs($0 - $1) < 1 })
    }

    @Test func cuttingTheBytesChangesNothing() {
        let lines = (0..<200).flatMap { index -> [String] in
            let time = 1_700_000_000 + Double(index) / 64
            return [
                "E4_Bvp \(time) \(index)", index % 2 == 0 ? "E4_Acc \(time) \(index % 128) 0 -1" : "", "junk \(index)",
            ]
        }
        let bytes = streaming(lines, end: "\n")
        func joined(_ said: [DeviceEvent]) -> [[Float]] {
            ["bvp", "acceleration"].map { stream in said.samples(stream).flatMap { $0.block.channel(0) } }
        }
        let whole = events(EmpaticaServerConversation(), [bytes])
        var generator = SplitMix64(seed: 1)
        for _ in 0..<20 {
            let cut = events(EmpaticaServerConversation(), pieces(of: bytes, using: &generator))
            #expect(joined(cut) == joined(whole))
            #expect(cut.malformed == whole.malformed)
            #expect(cut.streams == whole.streams)
        }
    }

    @Test func mutatedBytesNeitherCrashNorGrow() {
        let bytes = streaming([
            "E4_Acc 1700000000.0 51 -2 -10", "E4_Bvp 1700000000.0 3.212", "E4_Ibi 1700000000.25 0.828125",
            "E4_Hr 1700000000.25 72.4", "E4_Tag 1700000000.5", "E4_Battery 1700000000.5 0.5",
            "R connection lost to device 9ff167", "R connection re-established to device 9ff167",
        ])
        var generator = SplitMix64(seed: 5)
        for _ in 0..<mutants(20_000) {
            let said = events(EmpaticaServerConversation(), [mutated(bytes, using: &generator)])
            #expect(said.count < 200)
        }
        let endless = events(EmpaticaServerConversation(), (0..<100).map { _ in [UInt8](repeating: 65, count: 10_000) })
        #expect(endless.malformed.count == 1)
    }
}

/// What the server says to one that connects, and then these lines.
func streaming(_ lines: [String], end: String = "\r\n") -> [UInt8] {
    let setup = [
        "R device_list 1 | 9ff167 Empatica_E4", "R device_connect OK", "R device_subscribe acc OK",
        "R device_subscribe bvp OK", "R device_subscribe gsr OK", "R device_subscribe ibi OK",
        "R device_subscribe tmp OK", "R device_subscribe bat OK", "R device_subscribe tag OK",
    ]
    return Array((setup + lines).map { $0 + end }.joined().utf8)
}
