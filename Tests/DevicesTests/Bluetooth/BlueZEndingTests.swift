import DBus
import Devices
import Signals
import Synchronization
import Testing

/// What is called off or let go leaves nothing behind: no connection of the device, none of the bus.
@Suite(.enabled(if: PrivateBus.isPresent, "dbus-daemon is not installed"), .timeLimit(.minutes(1)))
struct BlueZEndingTests {
    @Test func aCentralThatNobodyHoldsLeavesTheBus() async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let control = try DBusConnection.bus(at: bus.address)
        let (departures, departed) = AsyncStream.makeStream(of: Void.self)
        let watch = try await control.listen(
            "type='signal',interface='org.freedesktop.DBus',member='NameOwnerChanged'"
        ) { signal in
            if signal.arguments.count == 3, signal.arguments[2].text == "" { departed.finish() }
        }
        do {
            let central = try BlueZCentral(busAddress: bus.address)
            await #expect(throws: LinkError.self) { for try await _ in central.scan(for: []) {} }
        }
        for await _ in departures {}
        watch.cancel()
        control.close()
    }

    @Test func aLinkKeepsTheBusThatItsCentralLetGo() async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let daemon = try await ScriptedDaemon(on: bus.address) { _, _ in false }
        let link = try await BlueZCentral(busAddress: bus.address).connect(to: ScriptedDaemon.address)
        try await link.read(ScriptedDaemon.measurement)
        guard case .received([0x01], _, _)? = await link.next() else {
            Issue.record("nothing was read")
            return
        }
        await link.close()
        #expect(daemon.asked.withLock { $0.last } == "Disconnect")
    }

    @Test func aConnectThatIsCalledOffUnansweredIsTakenBack() async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
        let daemon = try await ScriptedDaemon(on: bus.address) { _, call in
            guard call.member == "Connect" else { return false }
            isAsked.finish()
            return true
        }
        let central = try BlueZCentral(busAddress: bus.address)
        let connecting = Task { try await central.connect(to: ScriptedDaemon.address) }
        for await _ in asked {}
        connecting.cancel()
        await #expect(throws: CancellationError.self) { _ = try await connecting.value }
        #expect(daemon.asked.withLock { $0.last } == "Disconnect")
    }

    @Test func aConnectThatIsCalledOffBeforeItWaitsForTheServicesIsTakenBack() async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let question = Mutex<DBusCall?>(nil)
        let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
        let daemon = try await ScriptedDaemon(on: bus.address) { _, call in
            guard call.member == "Get" else { return false }
            question.withLock { $0 = call }
            isAsked.finish()
            return true
        }
        let central = try BlueZCentral(busAddress: bus.address)
        let connecting = Task { try await central.connect(to: ScriptedDaemon.address) }
        for await _ in asked {}
        connecting.cancel()
        question.withLock { $0 }?.reply([.variant(.bool(false))])
        await #expect(throws: CancellationError.self) { _ = try await connecting.value }
        #expect(daemon.asked.withLock { $0.last } == "Disconnect")
    }

    @Test func aDeviceThatIsLostBeforeItToldItsServicesIsNotWaitedFor() async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let daemon = try await ScriptedDaemon(on: bus.address) { daemon, call in
            guard call.member == "Get" else { return false }
            daemon.loseDevice()
            call.reply([.variant(.bool(false))])
            return true
        }
        // Longer than the test may take.
        let central = try BlueZCentral(busAddress: bus.address, patience: 1_000)
        await #expect {
            _ = try await central.connect(to: ScriptedDaemon.address)
        } throws: { error in
            if case LinkError.lost = error { true } else { false }
        }
        withExtendedLifetime(daemon) {}
    }

    @Test func aLinkThatIsLostWhileItSubscribesListensNoMore() async throws {
        let bus = try PrivateBus()
        defer { withExtendedLifetime(bus) {} }
        let daemon = try await ScriptedDaemon(on: bus.address) { daemon, call in
            guard call.member == "AcquireNotify" else { return false }
            daemon.loseDevice()
            call.fail("org.bluez.Error.NotSupported", "no sockets here")
            return true
        }
        let central = try BlueZCentral(busAddress: bus.address)
        let link = try await central.connect(to: ScriptedDaemon.address)
        try await link.subscribe(ScriptedDaemon.measurement)
        #expect(!daemon.asked.withLock { $0.contains("StartNotify") })
        guard case .closed(.some, _)? = await link.next() else {
            Issue.record("the link did not end")
            return
        }
    }
}
