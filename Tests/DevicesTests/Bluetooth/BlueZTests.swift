import DBus
import Devices
import Signals
import Testing

/// BlueZ' objects served on a real dbus-daemon, used through the central as any device is.
@Suite(.enabled(if: PrivateBus.isPresent, "dbus-daemon is not installed"), .timeLimit(.minutes(1)))
struct BlueZTests {
    static let address = "00:00:5E:00:53:01"

    /// Runs `body` with a central on a bus where an `EchoDevice` is served.
    func withEcho(_ body: @Sendable (BlueZCentral) async throws -> Void) async throws {
        let bus = try PrivateBus()
        let runner = SimulatorRunner(EchoDevice())
        let advertisement = Advertisement(address: Self.address, name: "Echo", services: [EchoDevice.heartRate])
        let server = try await BlueZServer(busAddress: bus.address, devices: [(advertisement, runner)])
        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        let serving = Task { try await server.run { isReady.finish() } }
        for await _ in ready {}
        try await body(try BlueZCentral(busAddress: bus.address))
        serving.cancel()
        _ = try await serving.value
    }

    func received(_ link: any Link) async -> [UInt8]? {
        while let event = await link.next() {
            if case .received(let bytes, _, _) = event { return bytes }
        }
        return nil
    }

    @Test func aScanFindsTheDeviceByItsService() async throws {
        try await withEcho { central in
            for try await found in central.scan(for: [EchoDevice.heartRate]) {
                #expect(found.address == Self.address)
                #expect(found.name == "Echo")
                #expect(found.services == [EchoDevice.heartRate])
                break
            }
        }
    }

    @Test func aDeviceNotYetHeardIsScannedForAndConnected() async throws {
        try await withEcho { central in
            let link = try await central.connect(to: Self.address)
            try await link.read(EchoDevice.location)
            #expect(await received(link) == [0x01])
        }
    }

    @Test func equalNotificationsInARowAllArriveInOrder() async throws {
        try await withEcho { central in
            let link = try await central.connect(to: Self.address)
            try await link.subscribe(EchoDevice.measurement)
            let sent: [[UInt8]] = [[1], [1], [1, 2, 3], [3], [3]]
            for bytes in sent {
                try await link.send(bytes, to: .characteristic(EchoDevice.control), acknowledged: true)
            }
            for bytes in sent { #expect(await received(link) == bytes) }
        }
    }

    @Test func notificationsAreHandedOutOnce() async throws {
        try await withEcho { central in
            let link = try await central.connect(to: Self.address)
            try await link.subscribe(EchoDevice.measurement)
            await #expect {
                try await link.subscribe(EchoDevice.measurement)
            } throws: { error in
                "\(error)".contains("Notify acquired")
            }
            try await link.send([7], to: .characteristic(EchoDevice.control), acknowledged: true)
            #expect(await received(link) == [7])
        }
    }

    @Test func aRefusedWriteSaysTheDevicesErrorCode() async throws {
        try await withEcho { central in
            let link = try await central.connect(to: Self.address)
            await #expect {
                try await link.send([0x02], to: .characteristic(EchoDevice.control), acknowledged: true)
            } throws: { error in
                "\(error)".contains("0x80")
            }
        }
    }

    @Test func aMissingCharacteristicIsNamed() async throws {
        try await withEcho { central in
            let link = try await central.connect(to: Self.address)
            await #expect(throws: LinkError.missing(BluetoothUUID(0x2A19))) {
                try await link.subscribe(BluetoothUUID(0x2A19))
            }
        }
    }

    @Test func aDeviceThatHangsUpEndsTheLinkAndCanBeConnectedAgain() async throws {
        try await withEcho { central in
            let link = try await central.connect(to: Self.address)
            try await link.subscribe(EchoDevice.measurement)
            try? await link.send([0xFF], to: .characteristic(EchoDevice.control), acknowledged: true)
            var last: LinkEvent?
            while let event = await link.next() { last = event }
            guard case .closed(.some, _) = last else {
                Issue.record("the link ended with \(String(describing: last))")
                return
            }
            let again = try await central.connect(to: Self.address)
            try await again.read(EchoDevice.location)
            #expect(await received(again) == [0x01])
            await again.close()
        }
    }

    @Test func aLinkThatIsClosedEndsWithoutAnErrorWhenTheDaemonHasEndedIt() async throws {
        try await withEcho { central in
            let link = try await central.connect(to: Self.address)
            try await link.subscribe(EchoDevice.measurement)
            await link.close()
            var last: LinkEvent?
            while let event = await link.next() { last = event }
            guard case .closed(nil, _) = last else {
                Issue.record("the link ended with \(String(describing: last))")
                return
            }
        }
    }

    @Test func anUnknownDeviceIsUnreachableInWords() async throws {
        try await withEcho { _ in }
        let bus = try PrivateBus()
        let server = try await BlueZServer(busAddress: bus.address, devices: [])
        let (ready, isReady) = AsyncStream.makeStream(of: Void.self)
        let serving = Task { try await server.run { isReady.finish() } }
        for await _ in ready {}
        let central = try BlueZCentral(busAddress: bus.address, patience: 0.2)
        await #expect {
            _ = try await central.connect(to: "00:00:5E:00:53:99")
        } throws: { error in
            if case LinkError.unreachable = error { true } else { false }
        }
        serving.cancel()
        _ = try await serving.value
    }

    @Test func withoutTheDaemonTheRemedyIsNamed() async throws {
        let bus = try PrivateBus()
        let central = try BlueZCentral(busAddress: bus.address)
        await #expect {
            for try await _ in central.scan(for: []) {}
        } throws: { error in
            "\(error)".contains("systemctl start bluetooth")
        }
    }
}
