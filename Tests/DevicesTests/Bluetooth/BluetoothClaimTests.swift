import DBus
import Devices
import Synchronization
import Testing

/// Two sessions that want the same device.
@Suite(.enabled(if: PrivateBus.isPresent, "dbus-daemon is not installed"), .timeLimit(.minutes(1)))
struct BluetoothClaimTests {
    private static let address = ScriptedDaemon.address

    private static func isTaken(_ error: any Error) -> Bool {
        guard case LinkError.refused(let words) = error else { return false }
        return words.contains(address) && words.contains("another session of this program")
    }

    @Test func aSecondSessionIsRefusedAndTakesNothingAway() async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let daemon = try await ScriptedDaemon(on: bus.address) { _, _ in false }
        let (first, second) = (
            try BlueZCentral(busAddress: bus.address), try BlueZCentral(busAddress: bus.address)
        )
        let link = try await first.connect(to: Self.address)
        let asked = daemon.asked.withLock { $0.count }
        await #expect {
            _ = try await second.connect(to: Self.address.lowercased())
        } throws: { Self.isTaken($0) }
        #expect(daemon.asked.withLock { $0.count } == asked)
        // What was closed is there for others.
        await link.close()
        let other = try await second.connect(to: Self.address)
        await #expect { _ = try await first.connect(to: Self.address) } throws: { Self.isTaken($0) }
        await other.close()
    }

    @Test func aSessionKeepsADeviceThatItLostAndConnectsItAgain() async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let daemon = try await ScriptedDaemon(on: bus.address) { _, _ in false }
        let (first, second) = (
            try BlueZCentral(busAddress: bus.address), try BlueZCentral(busAddress: bus.address)
        )
        let lost = try await first.connect(to: Self.address)
        daemon.loseDevice()
        while await lost.next() != nil {}
        await #expect { _ = try await second.connect(to: Self.address) } throws: { Self.isTaken($0) }
        let link = try await first.connect(to: Self.address)
        // A late end of the one before gives nothing away.
        await lost.close()
        await #expect { _ = try await second.connect(to: Self.address) } throws: { Self.isTaken($0) }
        await link.close()
        await (try await second.connect(to: Self.address)).close()
        withExtendedLifetime(daemon) {}
    }

    @Test func aDeviceThatCouldNotBeConnectedIsNobodys() async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let daemon = try await ScriptedDaemon(on: bus.address) { daemon, call in
            let isFirst = daemon.asked.withLock { $0.count { $0 == "Connect" } } == 1
            guard call.member == "Connect", isFirst else { return false }
            call.fail("org.bluez.Error.Failed", "out of reach")
            return true
        }
        let (first, second) = (
            try BlueZCentral(busAddress: bus.address), try BlueZCentral(busAddress: bus.address)
        )
        await #expect(throws: LinkError.self) { _ = try await first.connect(to: Self.address) }
        let link = try await second.connect(to: Self.address)
        await link.close()
        withExtendedLifetime((first, daemon)) {}
    }
}
