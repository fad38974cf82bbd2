import Devices
import Foundation
import Signals
import TestSupport
import Testing

/// Empty notifications, closed sockets and crashed daemons, at random positions of random characteristics.
@Suite(.enabled(if: PrivateBus.isPresent, "dbus-daemon is not installed"), .timeLimit(.minutes(1)))
struct NotificationFaultTests {
    private static let address = "00:00:5E:00:53:01"
    private static let characteristics = (0..<5).map { "0000aa0\($0)-0000-1000-8000-00805f9b34fb" }

    private struct Rig {
        let bus: PrivateBus
        let daemon: RadioDaemon
        let central: BlueZCentral
        var link: any Link
        var acquired: AsyncStream<String>.Iterator
    }

    /// A link whose characteristics are all subscribed.
    private static func rig() async throws -> Rig {
        let bus = try PrivateBus()
        let daemon = RadioDaemon(
            on: bus.address, [RadioDaemon.Device(address: address, characteristics: characteristics)])
        try await daemon.start()
        let central = try BlueZCentral(busAddress: bus.address)
        let link = try await central.connect(to: address)
        var rig = Rig(
            bus: bus, daemon: daemon, central: central, link: link, acquired: daemon.acquired.makeAsyncIterator())
        for uuid in characteristics {
            try await link.subscribe(try #require(BluetoothUUID(uuid)))
            _ = await rig.acquired.next()
        }
        return rig
    }

    @Test(
        "an empty value at any place of any characteristic is a value, and what comes after it arrives",
        arguments: 1...6)
    func emptyValuesArrive(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let rig = try await Self.rig()
        defer { withExtendedLifetime(rig.bus) {} }
        var sent: [String: [[UInt8]]] = [:]
        for number in 0..<200 {
            let uuid = Self.characteristics[Int.random(in: 0..<Self.characteristics.count, using: &random)]
            let value: [UInt8] = Int.random(in: 0..<4, using: &random) == 0 ? [] : [UInt8(number), 1, 2]
            #expect(rig.daemon.notify(value, uuid, of: Self.address))
            sent[uuid, default: []].append(value)
        }
        var heard: [String: [[UInt8]]] = [:]
        for _ in 0..<200 {
            guard case .received(let bytes, .characteristic(let uuid), _)? = await rig.link.next() else {
                Issue.record("the link ended")
                return
            }
            heard[uuid.description.lowercased(), default: []].append(bytes)
        }
        #expect(heard == sent)
        await rig.link.close()
        rig.daemon.crash()
    }

    @Test(
        "a socket that closes while its device is connected is acquired again, also right after an empty value",
        arguments: 1...6)
    func closedSocketsAreAcquiredAgain(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var rig = try await Self.rig()
        defer { withExtendedLifetime(rig.bus) {} }
        // Each characteristic at most three times in 10 s: a fourth end is a lost link.
        for uuid in (Self.characteristics + Self.characteristics).shuffled(using: &random) {
            var expected: [[UInt8]] = []
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                let value: [UInt8] = Bool.random(using: &random) ? [] : [UInt8.random(in: 0...255, using: &random)]
                #expect(rig.daemon.notify(value, uuid, of: Self.address))
                expected.append(value)
            }
            rig.daemon.closeSocket(uuid, of: Self.address)
            #expect(await rig.acquired.next() == RadioDaemon.path(of: uuid, of: Self.address))
            #expect(rig.daemon.notify([9, 9], uuid, of: Self.address))
            expected.append([9, 9])
            var heard: [[UInt8]] = []
            var renewed = 0
            while heard.count < expected.count || renewed == 0 {
                switch await rig.link.next() {
                case .received(let bytes, _, _): heard.append(bytes)
                case .resubscribed(let renewedUUID, _):
                    #expect(renewedUUID == BluetoothUUID(uuid))
                    renewed += 1
                case let event:
                    Issue.record("the link returned \(String(describing: event))")
                    return
                }
            }
            #expect(heard == expected && renewed == 1)
        }
        await rig.link.close()
        rig.daemon.crash()
    }

    @Test func notificationsThatEndAgainAndAgainAreALostLink() async throws {
        var rig = try await Self.rig()
        defer { withExtendedLifetime(rig.bus) {} }
        let uuid = Self.characteristics[2]
        for _ in 0..<3 {
            rig.daemon.closeSocket(uuid, of: Self.address)
            _ = await rig.acquired.next()
        }
        rig.daemon.closeSocket(uuid, of: Self.address)
        var last: LinkEvent?
        while let event = await rig.link.next() { last = event }
        guard case .closed(let error?, _) = last else {
            Issue.record("the link ended with \(String(describing: last))")
            return
        }
        #expect(error.cause == .notifications)
        // The device is free for the next connection.
        #expect(rig.daemon.asked.last == "Disconnect")
        rig.daemon.crash()
    }

    @Test("a daemon that ends at any moment is a lost link, and the next one connects again", arguments: 1...5)
    func daemonsThatEndAreLostLinks(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var rig = try await Self.rig()
        defer { withExtendedLifetime(rig.bus) {} }
        for _ in 0..<3 {
            let count = Int.random(in: 0..<20, using: &random)
            let uuid = Self.characteristics[Int.random(in: 0..<5, using: &random)]
            for number in 0..<count { rig.daemon.notify([UInt8(number)], uuid, of: Self.address) }
            rig.daemon.crash()
            var heard = 0
            var end: LinkError?
            while let event = await rig.link.next() {
                switch event {
                case .received: heard += 1
                case .closed(let error, _): end = error
                default: break
                }
            }
            // Values sent before the crash arrive.
            #expect(heard == count)
            #expect(end?.cause == .service)
            await #expect {
                _ = try await rig.central.connect(to: Self.address)
            } throws: { error in
                if case LinkError.unavailable = error { true } else { false }
            }
            try await rig.daemon.start()
            rig.link = try await rig.central.connect(to: Self.address)
            for uuid in Self.characteristics {
                try await rig.link.subscribe(try #require(BluetoothUUID(uuid)))
                _ = await rig.acquired.next()
            }
        }
        await rig.link.close()
        rig.daemon.crash()
    }
}

/// Devices that are not known yet, chosen by address, by name, or as the first of their kind.
@Suite(.enabled(if: PrivateBus.isPresent, "dbus-daemon is not installed"), .timeLimit(.minutes(1)))
struct BluetoothSearchTests {
    private static let heartRate = BluetoothRecognition(services: [BluetoothUUID(0x180D)])

    @Test("unknown devices that are looked for at the same time are all found in one discovery", arguments: 2...6)
    func oneDiscoveryServesAll(count: Int) async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let devices = (0..<count).map { number in
            RadioDaemon.Device(address: "00:00:5E:00:53:0\(number)", heardAfter: 0.1 + 0.15 * Double(number))
        }
        let daemon = RadioDaemon(on: bus.address, devices)
        try await daemon.start()
        // Longer than the time limit: no search waits for the timeout of another.
        let central = try BlueZCentral(busAddress: bus.address, patience: 1_000)
        try await withThrowingTaskGroup { group in
            for device in devices {
                group.addTask { try await central.connect(to: device.address) }
            }
            for try await link in group { await link.close() }
        }
        daemon.crash()
    }

    @Test func aDeviceIsFoundByItsNameAndStaysTheOneThatWasChosen() async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let daemon = RadioDaemon(
            on: bus.address,
            [
                RadioDaemon.Device(address: "00:00:5E:00:53:01", name: "Polar H10 11111111", heardAfter: 0.05),
                RadioDaemon.Device(address: "00:00:5E:00:53:02", name: "Polar H10 8C1A2B", heardAfter: 0.2),
            ])
        try await daemon.start()
        let central = try BlueZCentral(busAddress: bus.address)
        let connector = GattConnector(central: central, target: .name("polar h10 8c1a2b"), kind: "heart-rate")
        #expect(connector.address == nil)
        let link = try await connector.connect()
        #expect(link.peer?.name == "Polar H10 8C1A2B")
        #expect(connector.place == "00:00:5E:00:53:02")
        await link.close()
        daemon.crash()
    }

    @Test func theFirstOfItsKindIsNoneThatAnotherConnectorNames() async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let daemon = RadioDaemon(
            on: bus.address,
            [
                RadioDaemon.Device(address: "00:00:5E:00:53:01", name: "Named", heardAfter: 0.05),
                RadioDaemon.Device(address: "00:00:5E:00:53:02", name: "Other", services: [], heardAfter: 0.1),
                RadioDaemon.Device(address: "00:00:5E:00:53:03", name: "Strap", heardAfter: 0.2),
                RadioDaemon.Device(address: "00:00:5E:00:53:04", name: "Addressed", heardAfter: 0.05),
            ])
        try await daemon.start()
        let central = try BlueZCentral(busAddress: bus.address)
        let first = GattConnector(central: central, target: .first(Self.heartRate), kind: "heart-rate")
        let named = GattConnector(central: central, target: .name("Named"), kind: "heart-rate")
        let addressed = GattConnector(central: central, address: "00:00:5E:00:53:04")
        let link = try await first.connect()
        #expect(first.address == "00:00:5E:00:53:03")
        await link.close()
        withExtendedLifetime((named, addressed)) {}
        daemon.crash()
    }

    @Test(
        "the error for an adapter that rfkill blocks names the remedy, for known and unknown devices",
        arguments: [
            ("org.bluez.Error.Failed", "Blocked through rfkill"), ("org.bluez.Error.Blocked", "Blocked through rfkill"),
        ], [nil, 0.05] as [Double?])
    func rfkillHasItsRemedy(error: (String, String), heardAfter: Double?) async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let device = RadioDaemon.Device(address: "00:00:5E:00:53:01", heardAfter: heardAfter)
        let daemon = RadioDaemon(on: bus.address, [device], power: error)
        try await daemon.start()
        let central = try BlueZCentral(busAddress: bus.address)
        await #expect {
            _ = try await central.connect(to: device.address)
        } throws: { error in
            guard case LinkError.unavailable(let text) = error else { return false }
            return text.contains("rfkill unblock bluetooth")
        }
        daemon.crash()
    }
}
