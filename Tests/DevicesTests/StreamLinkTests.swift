import DeviceTestSupport
import Devices
import Formats
import Foundation
import Signals
import Synchronization
import TestSupport
import Testing

/// What a simulator measured, gathered from its thread.
final class Truth: Sendable {
    private let samples = Mutex<[MeasuredSamples]>([])
    func add(_ measured: MeasuredSamples) { samples.withLock { $0.append(measured) } }
    func all(_ stream: String) -> [Float] {
        samples.withLock { $0.filter { $0.stream == stream }.flatMap(\.block.samples) }
    }
}

@Suite(.timeLimit(.minutes(1))) struct TCPLinkTests {
    @Test func anE4SessionOverTCPIsComplete() async throws {
        let truth = Truth()
        let runner = SimulatorRunner(
            EmpaticaServerSimulator(), clock: ScaledClock(speed: 20), measured: truth.add)
        let host = try StreamSimulatorHost(tcp: runner)
        let server = Task { try await host.run() }
        defer { server.cancel() }
        let connector = TCPConnector(host: "127.0.0.1", port: try #require(host.port))
        let rates = ["bvp": 64.0, "eda": 4, "temperature": 4]
        var counts = rates.mapValues { _ in 0 }
        let (events, _, _) = try await converse(
            EmpaticaServerConversation(), over: connector,
            until: { event in
                if case .samples(let samples) = event { counts[samples.stream]? += samples.block.frameCount }
                return rates.allSatisfy { Double(counts[$0.key] ?? 0) > 50 * $0.value }
            })
        #expect(events.malformed.isEmpty && events.failures.isEmpty)
        for (stream, rate) in rates {
            let got = events.samples(stream)
            let values = got.flatMap { $0.block.channel(0) }
            let first = try #require(got.first?.deviceTime) - 1_700_000_000
            let start = Int((first * rate).rounded())
            let expected = truth.all(stream).dropFirst(start).prefix(values.count)
            #expect(values.elementsEqual(expected) && Double(values.count) / rate > 50)
        }
        #expect(events.values("ibi").count > 10)
    }

    @Test func aServerOfWristbandsServesSeveralClientsTheSameSignals() async throws {
        let truth = Truth()
        let runner = SimulatorRunner(
            EmpaticaServerSimulator(), clock: ScaledClock(speed: 20), measured: truth.add)
        let host = try StreamSimulatorHost(tcp: runner)
        let server = Task { try await host.run() }
        defer { server.cancel() }
        let connector = TCPConnector(host: "127.0.0.1", port: try #require(host.port))
        // Connected all the while.
        let first = try await connector.connect()
        for streams in [[.bvp, .gsr], [.gsr]] as [[EmpaticaSubscription]] {
            var settings = EmpaticaServerSettings()
            settings.subscriptions = streams
            var count = 0
            let (events, _, _) = try await converse(
                EmpaticaServerConversation(settings), over: connector,
                until: { event in
                    if case .samples(let samples) = event, samples.stream == "eda" { count += samples.block.frameCount }
                    return count > 40
                })
            #expect(events.samples("bvp").isEmpty != streams.contains(.bvp))
            let got = events.samples("eda")
            let start = Int(((try #require(got.first?.deviceTime) - 1_700_000_000) * 4).rounded())
            let values = got.flatMap { $0.block.channel(0) }
            let measured = truth.all("eda").dropFirst(start).prefix(values.count)
            #expect(measured.count > 20 && values.starts(with: measured))
        }
        await first.close()
    }

    @Test func aCutConnectionEndsAndCanBeMadeAgain() async throws {
        var simulation = EmpaticaSimulation()
        simulation.cuts = (1...1_000).map { 20 * Double($0) }
        let runner = SimulatorRunner(EmpaticaServerSimulator(simulation), clock: ScaledClock(speed: 8))
        let host = try StreamSimulatorHost(tcp: runner)
        let server = Task { try await host.run() }
        defer { server.cancel() }
        let connector = TCPConnector(host: "127.0.0.1", port: try #require(host.port))
        var first = try await converse(EmpaticaServerConversation(), over: connector)
        // The first cut may come before the hand-shake is done.
        while !first.events.contains(.ready) || first.events.samples("bvp").isEmpty {
            first = try await converse(EmpaticaServerConversation(), over: connector)
        }
        #expect(first.end == nil && first.events.contains(.ready))
        // And so may the next.
        var second = first
        repeat {
            second = try await converse(
                second.conversation, over: connector,
                until: { if case .samples(let samples) = $0 { samples.stream == "bvp" } else { false } })
        } while second.events.samples("bvp").isEmpty
        #expect(second.events.samples("bvp").first.map { $0.restarted && $0.index == 0 } == true)
    }

    @Test func aReaderThatFallsBehindMakesTheSenderWait() async throws {
        let listener = try TCPListener()
        let accepted = Task { try await listener.accept() }
        let client = try await TCPConnector(host: "127.0.0.1", port: listener.port).connect()
        let server = try await accepted.value
        let chunk = [UInt8](repeating: 7, count: 1 << 20)
        let sent = Atomic(0)
        let sender = Task {
            for _ in 0..<48 {
                try await server.send(chunk, to: .stream, acknowledged: false)
                sent.add(1, ordering: .relaxed)
            }
            await server.close()
        }
        guard case .received(let first, .stream, _)? = await client.next() else {
            Issue.record("nothing came")
            return
        }
        // Nothing more is taken: what the sender got rid of is what queues hold.
        var received = first.count
        #expect(sent.load(ordering: .relaxed) < 40)
        while let event = await client.next() {
            switch event {
            case .received(let bytes, _, _): received += bytes.count
            case .resubscribed: break
            case .overrun: Issue.record("bytes were dropped")
            case .closed(let error, _): #expect(error == nil)
            }
        }
        try await sender.value
        #expect(received == 48 << 20)
        await client.close()
    }

    @Test func whereNobodyListensThatIsSaid() async throws {
        await #expect(throws: LinkError.self) {
            _ = try await TCPConnector(host: "127.0.0.1", port: 1, timeout: 1).connect()
        }
        let listener = try TCPListener()
        #expect(throws: LinkError.self) { _ = try TCPListener(port: listener.port) }
        await #expect(throws: LinkError.self) {
            _ = try await TCPConnector(host: "no such host.invalid", port: 80).connect()
        }
    }

    @Test func waitingCanBeCancelled() async throws {
        let listener = try TCPListener()
        let waiting = Task { try await listener.accept() }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await waiting.value }
        let accepted = Task { try await listener.accept() }
        let client = try await TCPConnector(host: "127.0.0.1", port: listener.port).connect()
        let server = try await accepted.value
        let next = Task { await client.next() }
        next.cancel()
        #expect(await next.value == nil)
        await server.close()
        #expect(await client.next() != nil)
        #expect(await client.next() == nil)
        await #expect(throws: LinkError.self) { try await client.send([1], to: .stream, acknowledged: false) }
    }
}

@Suite(.timeLimit(.minutes(1))) struct SerialLinkTests {
    /// Settings under which a busy computer is not taken for an instrument that does not answer.
    private func patient(_ script: MethodSCRIPTScript) -> MethodSCRIPTSettings {
        var settings = MethodSCRIPTSettings(.serial, script: script)
        settings.replyTimeout = 20
        return settings
    }

    @Test func aScriptRunsOverATerminal() async throws {
        let truth = Truth()
        let clock = ScaledClock(speed: 10)
        let runner = SimulatorRunner(MethodSCRIPTSimulator(), clock: clock, measured: truth.add)
        let host = try StreamSimulatorHost(terminal: runner)
        let server = Task { try await host.run() }
        defer { server.cancel() }
        let script = try MethodSCRIPTScript(text: MethodSCRIPTConversationTests.amperometry)
        let (events, conversation, _) = try await converse(
            MethodSCRIPTConversation(patient(script)),
            over: SerialConnector(path: host.place, baudRate: 230_400), until: { $0 == .finished })
        #expect(events.failures.isEmpty && events.malformed.isEmpty)
        let current = events.values("current").map { Float($0.values[0]) }
        #expect(current.count == 50 && current == truth.all("current"))
        #expect(conversation.firmware?.family == .emStatPico)
    }

    @Test func aRunningScriptIsAborted() async throws {
        let runner = SimulatorRunner(MethodSCRIPTSimulator())
        let host = try StreamSimulatorHost(terminal: runner)
        let server = Task { try await host.run() }
        defer { server.cancel() }
        let script = try MethodSCRIPTScript(text: MethodSCRIPTConversationTests.amperometry)
        let begin = ContinuousClock.now
        let (events, _, _) = try await converse(
            MethodSCRIPTConversation(patient(script)),
            over: SerialConnector(path: host.place, baudRate: 921_600),
            steer: { if case .values = $0 { .abort } else { nil } }, until: { $0 == .finished })
        // On a busy computer more values come before the abort is sent.
        let limit = ContinuousClock.now - begin < .milliseconds(900) ? 5 : 50
        #expect(events.values("current").count < limit && events.markers.last == "measurement ends")
    }

    @Test func aPortIsForOneProgramAlone() async throws {
        let terminal = try PseudoTerminal()
        let first = try await SerialConnector(path: terminal.path, baudRate: 115_200).connect()
        await #expect(throws: LinkError.self) {
            _ = try await SerialConnector(path: terminal.path, baudRate: 115_200).connect()
        }
        await first.close()
        while await first.next() != nil {}
        let again = try await SerialConnector(path: terminal.path, baudRate: 115_200).connect()
        await again.close()
    }

    @Test func bytesPassUnchanged() async throws {
        let echo = SimulatorRunner(Echo())
        let host = try StreamSimulatorHost(terminal: echo)
        let server = Task { try await host.run() }
        defer { server.cancel() }
        let link = try await SerialConnector(path: host.place, baudRate: 230_400).connect()
        let bytes = (0..<1_024).map { UInt8($0 & 0xFF) }
        try await link.send(bytes, to: .stream, acknowledged: false)
        var received: [UInt8] = []
        while received.count < bytes.count, case .received(let part, _, _)? = await link.next() { received += part }
        #expect(received == bytes)
        await link.close()
    }

    @Test func anUnpluggedPortIsLost() async throws {
        var terminal: PseudoTerminal? = try PseudoTerminal()
        let link = try await SerialConnector(path: try #require(terminal).path, baudRate: 115_200).connect()
        terminal = nil
        guard case .closed(.lost(let text, _)?, _)? = await link.next() else {
            Issue.record("no loss was told")
            return
        }
        #expect(text.contains("hung up"))
    }

    @Test func aSimulatedPortThatWasUnpluggedCanBeOpenedAgain() async throws {
        let host = try StreamSimulatorHost(terminal: SimulatorRunner(Echo(hangsUp: true)))
        let server = Task { try await host.run() }
        defer { server.cancel() }
        for _ in 0..<2 {
            let link = try await SerialConnector(path: host.place, baudRate: 230_400).connect()
            try await link.send([1, 2, 3], to: .stream, acknowledged: false)
            var received: [UInt8] = []
            while received.count < 3, case .received(let part, _, _)? = await link.next() { received += part }
            #expect(received == [1, 2, 3])
            try await link.send([0xFF], to: .stream, acknowledged: false)
            while let event = await link.next() {
                if case .closed(let error, _) = event { #expect(error != nil) }
            }
        }
    }

    @Test func missingPortsAndOddRatesAreExplained() async {
        await #expect(throws: LinkError.self) {
            _ = try await SerialConnector(path: "/dev/ttyNone", baudRate: 115_200).connect()
        }
        await #expect(throws: LinkError.self) {
            _ = try await SerialConnector(path: "/dev/null", baudRate: 115_200).connect()
        }
        await #expect(throws: LinkError.self) {
            _ = try await SerialConnector(path: "/dev/null", baudRate: 12_345).connect()
        }
        #expect(SerialConnector.baudRates.contains(921_600))
    }

    @Test func portsAreListedWithWhatTheySay() throws {
        try withTemporaryFolder { folder in
            let devices = folder.appendingPathComponent("dev")
            let usb = folder.appendingPathComponent("usb1/1-1")
            let classes = folder.appendingPathComponent("class")
            let device = usb.appendingPathComponent("1-1:1.0/ttyUSB10")
            for place in [devices, device, classes.appendingPathComponent("ttyUSB10")] {
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            }
            for name in ["ttyUSB10", "ttyUSB2", "ttyS0", "null"] {
                try Data().write(to: devices.appendingPathComponent(name))
            }
            try Data("ESPicoDev\n".utf8).write(to: usb.appendingPathComponent("product"))
            try Data("PalmSens\n".utf8).write(to: usb.appendingPathComponent("manufacturer"))
            try FileManager.default.createSymbolicLink(
                at: classes.appendingPathComponent("ttyUSB10/device"), withDestinationURL: device)
            let ports = SerialPort.all(devices: devices, classes: classes)
            #expect(ports.map { $0.path.split(separator: "/").last } == ["ttyUSB2", "ttyUSB10"])
            #expect(ports.last?.product == "ESPicoDev")
            #expect(ports.first?.product == "")
        }
    }

    private struct Echo: DeviceSimulator {
        /// Whether it breaks the connection when it is sent 255.
        var hangsUp = false
        var due: Seconds? { nil }
        mutating func connect(at moment: Seconds, into actions: inout [SimulatorAction]) {}
        mutating func receive(
            _ bytes: [UInt8], at endpoint: Endpoint, at moment: Seconds, into actions: inout [SimulatorAction]
        ) {
            actions.append(hangsUp && bytes.contains(0xFF) ? .close : .send(bytes, from: .stream))
        }
        mutating func advance(to moment: Seconds, into actions: inout [SimulatorAction]) {}
        mutating func disconnect(at moment: Seconds) {}
    }
}
