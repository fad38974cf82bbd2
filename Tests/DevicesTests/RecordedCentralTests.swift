import Devices
import Foundation
import Signals
import Simulation
import TestSupport
import Testing

/// A clock at which nothing is ever due.
private struct StoppedClock: HostClock {
    var now: Seconds { 0 }
    var wallClock: Timestamp { Timestamp(secondsSince1970: 0) }
    func sleep(until moment: Seconds) async throws { try await Task.sleep(for: .seconds(3_600)) }
}

@Suite(.timeLimit(patience)) struct RecordedCentralTests {
    private let address = "A0:9E:1A:00:11:22"
    private let measurement = BluetoothUUID(0x2A37)
    private let controlPoint = BluetoothUUID(0x2A39)

    private func write(_ entries: [ByteLogEntry], to url: URL, holdsRequests: Bool? = true) throws {
        var header = ByteLogHeader(device: "heart-rate", place: address, clock: SystemClock())
        header.holdsRequests = holdsRequests
        let writer = try ByteLogWriter(url, header: header)
        for entry in entries { try writer.append(entry) }
        try writer.close()
    }

    /// A simulated strap and what it told within half a minute.
    private func recorded() -> (live: [DeviceEvent], log: [ByteLogEntry]) {
        var dialogue = Dialogue(PolarConversation(), PolarSimulator(SimulationParameters()))
        dialogue.run(until: 30)
        dialogue.end()
        return (dialogue.events, dialogue.log)
    }

    /// All but values: beats that a timer told are told by the next message where no time passes.
    private func comparable(_ events: [DeviceEvent]) -> [DeviceEvent] {
        events.filter { if case .values = $0 { false } else { true } }
    }

    private func replay(
        _ url: URL, _ conversation: PolarConversation = PolarConversation()
    ) async throws -> [DeviceEvent] {
        let central = try RecordedCentral(url, pace: .unpaced)
        let connector = GattConnector(central: central, address: central.address)
        return try await converse(conversation, over: connector, clock: StoppedClock()).events
    }

    @Test func theConversationRunsAgainAsItDidLive() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("polar.bytes")
            let (live, log) = recorded()
            try write(log, to: url)
            #expect(live.samples("ecg").count > 40 && live.samples("acceleration").count > 30)
            #expect(comparable(try await replay(url)) == comparable(live))
        }
    }

    @Test func logsThatHoldOnlyBytesReplayAsBefore() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("old.bytes")
            let (live, log) = recorded()
            let bytes = log.filter { entry in
                switch entry.content {
                case .sent, .received: true
                default: false
                }
            }
            try write(bytes, to: url, holdsRequests: nil)
            #expect(try ByteLogReader(url).header.holdsRequests == nil)
            #expect(comparable(try await replay(url)) == comparable(live))
        }
    }

    @Test func aCommandThatTheLogDoesNotHoldIsTold() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("polar.bytes")
            try write(recorded().log, to: url)
            let other = PolarConversation(streams: [PolarStream(.acceleration, sampleRate: 100)])
            // The start of the acceleration at 100 Hz: rate, resolution and range as the sensor takes them.
            let told = try await replay(url, other).failures.map(\.description)
            #expect(told.contains { $0.contains("polar.bytes there is no write of 02 02 00 01 64 00") })
        }
    }

    @Test func whatWasRefusedIsRefusedAgainAndTheFirstTimeOnly() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("strap.bytes")
            let endpoint = Endpoint.characteristic(controlPoint)
            try write(
                [
                    ByteLogEntry(.opened, at: 1), ByteLogEntry(.subscribed(controlPoint), at: 1),
                    ByteLogEntry(.refused(.missing(controlPoint), by: endpoint), at: 1.1),
                    ByteLogEntry(.sent([1], to: endpoint), at: 2),
                    ByteLogEntry(.refused(.refused("busy"), by: endpoint), at: 2.2),
                    ByteLogEntry(.sent([1], to: endpoint), at: 3), ByteLogEntry(.closed(nil), at: 4),
                    ByteLogEntry(.opened, at: 5), ByteLogEntry(.sent([2], to: endpoint), at: 6),
                    ByteLogEntry(.closed(nil), at: 7),
                ], to: url)
            let central = try RecordedCentral(url, pace: .unpaced)
            let link = try await central.connect(to: address)
            await #expect(throws: LinkError.missing(controlPoint)) { try await link.subscribe(controlPoint) }
            await #expect(throws: LinkError.refused("busy")) {
                try await link.send([1], to: endpoint, acknowledged: true)
            }
            try await link.send([1], to: endpoint, acknowledged: true)
            // What belongs to the next connection is none of this one's.
            await #expect(throws: LinkError.self) { try await link.send([2], to: endpoint, acknowledged: true) }
            await #expect(throws: LinkError.self) { try await link.read(measurement) }
            #expect(await link.next() == .closed(nil, at: 4))
            let second = try await central.connect(to: address)
            try await second.send([2], to: endpoint, acknowledged: true)
            await #expect(throws: LinkError.self) { try await second.send([1], to: endpoint, acknowledged: true) }
            await #expect(throws: LinkError.self) { try await central.connect(to: "00:00:00:00:00:00") }
        }
    }

    @Test func valuesComeOnlyOfCharacteristicsThatWereAskedFor() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("strap.bytes")
            let battery = BluetoothUUID(0x2A19)
            try write(
                [
                    ByteLogEntry(.opened, at: 1), ByteLogEntry(.subscribed(measurement), at: 1),
                    ByteLogEntry(.subscribed(battery), at: 1),
                    ByteLogEntry(.received([90], from: .characteristic(battery)), at: 2),
                    ByteLogEntry(.received([0, 60], from: .characteristic(measurement)), at: 3),
                    ByteLogEntry(.closed("gone"), at: 4),
                ], to: url)
            let link = try await RecordedCentral(url, pace: .unpaced, patience: 0.01).connect(to: address)
            try await link.subscribe(measurement)
            #expect(await link.next() == .received([0, 60], from: .characteristic(measurement), at: 3))
            #expect(await link.next() == .closed(.lost("gone"), at: 4))
            #expect(await link.next() == nil)
        }
    }

    @Test func aValueWaitsUntilItsCharacteristicIsAskedFor() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("strap.bytes")
            try write(
                [
                    ByteLogEntry(.opened, at: 1), ByteLogEntry(.subscribed(measurement), at: 1),
                    ByteLogEntry(.received([0, 60], from: .characteristic(measurement)), at: 3),
                ], to: url)
            let link = try await RecordedCentral(url, pace: .unpaced, patience: 60).connect(to: address)
            async let first = link.next()
            try await link.subscribe(measurement)
            #expect(await first == .received([0, 60], from: .characteristic(measurement), at: 3))
        }
    }

    @Test func aScanFindsTheDeviceOfTheLog() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("strap.bytes")
            try write([], to: url)
            let central = try RecordedCentral(url)
            for (services, expected) in [([], [address]), ([BluetoothUUID(0x180D)], [address]), ([PMD.service], [])] {
                var found: [String] = []
                for try await device in central.scan(for: services) { found.append(device.address) }
                #expect(found == expected)
            }
        }
    }
}
