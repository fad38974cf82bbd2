import DeviceTestSupport
import Devices
import Foundation
import Signals
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(patience)) struct ByteLogTests {
    private func header() -> ByteLogHeader {
        ByteLogHeader(device: "empatica", place: "127.0.0.1:28000", options: ["a": "b"], clock: SystemClock())
    }

    private func entries(_ count: Int) -> [ByteLogEntry] {
        var generator = SplitMix64(seed: 4)
        return (0..<count).map { index in
            let bytes = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            let moment = 1_000 + Double(index) * 0.01
            switch index % 9 {
            case 0: return ByteLogEntry(.opened, at: moment)
            case 1: return ByteLogEntry(.received(bytes, from: .stream), at: moment)
            case 2: return ByteLogEntry(.received(bytes, from: .characteristic(BluetoothUUID(0x2A37))), at: moment)
            case 3: return ByteLogEntry(.sent(bytes, to: .stream), at: moment)
            case 4: return ByteLogEntry(.overrun(count: index), at: moment)
            case 5: return ByteLogEntry(.subscribed(BluetoothUUID(0x2A37)), at: moment)
            case 6: return ByteLogEntry(.asked(BluetoothUUID(0x2A19)), at: moment)
            case 7:
                let uuid = BluetoothUUID(0x2A39)
                let error = index % 2 == 0 ? LinkError.missing(uuid) : .refused("not now")
                return ByteLogEntry(.refused(error, by: .characteristic(uuid)), at: moment)
            default: return ByteLogEntry(.closed(index % 2 == 0 ? nil : "gone"), at: moment)
            }
        }
    }

    private func write(_ entries: [ByteLogEntry], to url: URL) throws {
        let writer = try ByteLogWriter(url, header: header())
        for entry in entries { try writer.append(entry) }
        try writer.close()
    }

    private func read(_ url: URL) throws -> (entries: [ByteLogEntry], lost: Int) {
        let reader = try ByteLogReader(url)
        var entries: [ByteLogEntry] = []
        while let entry = try reader.next() { entries.append(entry) }
        return (entries, reader.lostBytes)
    }

    @Test func whatIsWrittenIsRead() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("device.bytes")
            let entries = entries(2_000)
            try write(entries, to: url)
            let back = try read(url)
            #expect(back.entries == entries && back.lost == 0)
            // What a device said is as personal as the recording.
            let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            let reader = try ByteLogReader(url)
            #expect(reader.header.device == "empatica" && reader.header.options == ["a": "b"])
            #expect(ByteLogReader.recognizes(Array(try Data(contentsOf: url).prefix(16))))
            #expect(throws: (any Error).self) { try ByteLogWriter(url, header: header()) }
        }
    }

    @Test func aCutFileIsReadUpToItsLastWholeRecord() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("device.bytes")
            let entries = entries(60)
            try write(entries, to: url)
            let whole = try Data(contentsOf: url)
            var generator = SplitMix64(seed: 9)
            var before = -1
            for length in (0..<200).map({ _ in Int.random(in: 300...whole.count, using: &generator) }).sorted() {
                let cut = folder.appendingPathComponent("cut-\(length)")
                try whole.prefix(length).write(to: cut)
                let back = try read(cut)
                #expect(back.entries.elementsEqual(entries.prefix(back.entries.count)))
                #expect(back.entries.count >= before && back.lost < 400)
                before = back.entries.count
            }
        }
    }

    @Test func damageIsPassedOverAndCounted() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("device.bytes")
            let entries = entries(800)
            try write(entries, to: url)
            var bytes = try Data(contentsOf: url)
            for place in [20_000, 30_000, 40_000] { bytes[place] ^= 0x10 }
            try bytes.write(to: url)
            let back = try read(url)
            #expect(back.entries.count >= entries.count - 3 && back.entries.count < entries.count && back.lost > 0)
            #expect(Set(back.entries).isSubset(of: Set(entries)))
        }
    }

    @Test func mutatedLogsNeitherCrashNorHang() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("device.bytes")
            try write(entries(20), to: url)
            let bytes = Array(try Data(contentsOf: url))
            var generator = SplitMix64(seed: 2)
            let mutant = folder.appendingPathComponent("mutant")
            for _ in 0..<mutants(1_000) {
                try Data(mutated(bytes, using: &generator)).write(to: mutant)
                if let back = try? read(mutant) { #expect(back.entries.count <= 30) }
            }
        }
    }

    @Test func aReplayedSessionGivesTheSameEvents() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("marey-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("e4.bytes")
        let runner = SimulatorRunner(EmpaticaServerSimulator(), clock: ScaledClock(speed: 20))
        let host = try StreamSimulatorHost(tcp: runner)
        let server = Task { try await host.run() }
        defer { server.cancel() }
        let writer = try ByteLogWriter(url, header: header())
        let live = try await converse(
            EmpaticaServerConversation(), over: TCPConnector(host: "127.0.0.1", port: try #require(host.port)),
            log: writer.append, until: { if case .values("ibi", _) = $0 { true } else { false } })
        try writer.close()
        for pace in [ReplayConnector.Pace.unpaced, .realTime(speed: 4)] {
            let replay = try ReplayConnector(url, pace: pace)
            let again = try await converse(EmpaticaServerConversation(), over: replay)
            #expect(again.events == live.events)
            #expect(replay.lostBytes == 0)
            await #expect(throws: LinkError.self) { _ = try await replay.connect() }
        }
    }

    @Test func anAnswerDoesNotComeBeforeItsQuestionIsAskedAgain() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("marey-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("serial.bytes")
        func said(_ text: String, at moment: Seconds) -> ByteLogEntry {
            ByteLogEntry(.received(Array(text.utf8), from: .stream), at: moment)
        }
        func asked(_ text: String, at moment: Seconds) -> ByteLogEntry {
            ByteLogEntry(.sent(Array(text.utf8), to: .stream), at: moment)
        }
        try write(
            [
                ByteLogEntry(.opened, at: 1), asked("t", at: 1.1), said("who", at: 1.2), said("more", at: 1.3),
                asked("e", at: 1.4), asked("x", at: 1.5), said("end", at: 1.6), ByteLogEntry(.closed(nil), at: 2),
            ], to: url)
        let link = try await ReplayConnector(url, pace: .unpaced).connect()
        let heard = Mutex<[String]>([])
        let (news, teller) = AsyncStream.makeStream(of: Void.self)
        let reading = Task {
            while let event = await link.next() {
                guard case .received(let bytes, _, _) = event else { continue }
                heard.withLock { $0.append(String(decoding: bytes, as: UTF8.self)) }
                teller.yield()
            }
        }
        func rest() async { for _ in 0..<10_000 { await Task.yield() } }
        var changes = news.makeAsyncIterator()
        await rest()
        #expect(heard.withLock { $0 }.isEmpty)
        try await link.send(Array("t".utf8), to: .stream, acknowledged: false)
        for _ in 0..<2 { await changes.next() }
        try await link.send(Array("e".utf8), to: .stream, acknowledged: false)
        await rest()
        #expect(heard.withLock { $0 } == ["who", "more"])
        // What nobody asks now comes all the same, a second later.
        await changes.next()
        #expect(heard.withLock { $0 } == ["who", "more", "end"])
        await reading.value
    }

    @Test func aReplayKeepsConnectionsApart() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("marey-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("two.bytes")
        try write(
            [
                ByteLogEntry(.opened, at: 1), ByteLogEntry(.sent([9], to: .stream), at: 1),
                ByteLogEntry(.received([1], from: .stream), at: 2), ByteLogEntry(.closed("gone"), at: 3),
                ByteLogEntry(.opened, at: 4), ByteLogEntry(.received([2], from: .stream), at: 5),
                ByteLogEntry(.opened, at: 6), ByteLogEntry(.received([3], from: .stream), at: 7),
            ], to: url)
        let replay = try ReplayConnector(url, pace: .unpaced)
        var said: [[LinkEvent]] = []
        while let link = try? await replay.connect() {
            var events: [LinkEvent] = []
            while let event = await link.next() { events.append(event) }
            said.append(events)
        }
        #expect(said.count == 3)
        #expect(said.first == [.received([1], from: .stream, at: 2), .closed(.lost("gone"), at: 3)])
        #expect(said.last?.first == .received([3], from: .stream, at: 7))
    }
}
