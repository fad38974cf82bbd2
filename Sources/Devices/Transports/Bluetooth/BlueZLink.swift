import DBus
import Foundation
import Signals
import Synchronization

/// A connection to one device through BlueZ.
///
/// Notifications come over a socket of their own (`AcquireNotify`) where the characteristic allows it: one value per
/// read, without the bus in between. Elsewhere they come as property changes.
final class BlueZLink: Link {
    private let bus: DBusConnection
    private let device: String
    private let address: String
    private let clock: any HostClock
    private let events = LinkQueue()
    private let state = Mutex(State())

    private struct State {
        var characteristics: [BluetoothUUID: BlueZCharacteristic] = [:]
        var subscriptions: [DBusSubscription] = []
        var sockets: [NotifySocket] = []
        var ending: DBusEnding?
        /// Whether the device's services are known, or why they will not be.
        var resolution: Result<Void, any Error>?
        var waiting: CheckedContinuation<Void, any Error>?
        var isClosing = false
        var isClosed = false
        /// Lets others have the device.
        var release: (@Sendable () -> Void)?
    }

    /// - Parameter release: is called once when the link was closed, not when it was lost.
    init(
        bus: DBusConnection, device: String, address: String, clock: any HostClock,
        release: @escaping @Sendable () -> Void
    ) {
        (self.bus, self.device, self.address, self.clock) = (bus, device, address, clock)
        state.withLock { $0.release = release }
    }

    // MARK: - Opening

    /// Connects and finds the characteristics. What does not come about, or is called off, is taken back.
    func open(patience: Double) async throws {
        try await watch()
        try Task.checkCancellation()
        do {
            try await call(device, BlueZObjects.device, "Connect", timeout: patience, isCancellable: true)
        } catch let error as DBusError where error.name == "org.bluez.Error.AlreadyConnected" {
            // The desktop or another user's program holds the connection; BlueZ shares it.
        } catch let error as DBusError {
            // What the daemon itself refuses is over; what it did not answer goes on.
            if error.name.hasPrefix("org.bluez.") { finish(nil) } else { await disconnect() }
            throw LinkError.unreachable("\(address) did not accept a connection: \(error). Is it worn, and not in use?")
        } catch {
            await disconnect()
            throw error
        }
        do {
            try await findCharacteristics(patience: patience)
            // Nobody gets a link that was called off, so nobody would end it.
            try Task.checkCancellation()
        } catch {
            await disconnect()
            throw error
        }
    }

    private func findCharacteristics(patience: Double) async throws {
        let isComplete: Void? = try await withDeadline(patience) { try await self.waitForServices() }
        guard isComplete != nil else {
            throw LinkError.unreachable("\(address) connected but did not tell its services in \(Int(patience)) s.")
        }
        let objects = BlueZObjects(
            try await bus.call(BlueZObjects.service, "/", BlueZObjects.objectManager, "GetManagedObjects").first)
        state.withLock { $0.characteristics = objects.characteristics(of: device) }
    }

    private func watch() async throws {
        let changes = try await bus.listen(
            "type='signal',sender='\(BlueZObjects.service)',interface='\(BlueZObjects.properties)',path='\(device)'"
        ) { [weak self] signal in
            self?.deviceChanged((signal.arguments.dropFirst().first?.entries) ?? [:])
        }
        let removals = try await bus.listen(
            "type='signal',sender='\(BlueZObjects.service)',interface='\(BlueZObjects.objectManager)',"
                + "member='InterfacesRemoved'"
        ) { [weak self, device] signal in
            guard signal.arguments.first?.text == device else { return }
            // Other interfaces of the device come and go: its battery's when a connection is about to end.
            let removed = signal.arguments.dropFirst().first?.texts ?? []
            if removed.contains(BlueZObjects.device) { self?.lost() }
        }
        let ending = bus.whenEnded { [weak self] in self?.lost() }
        state.withLock { state in
            state.subscriptions += [changes, removals]
            state.ending = ending
        }
    }

    private func deviceChanged(_ properties: [String: DBusValue]) {
        if properties["ServicesResolved"]?.flag == true { resolve(.success(())) }
        if properties["Connected"]?.flag == false { lost() }
    }

    private func waitForServices() async throws {
        let known = try await call(
            device, BlueZObjects.properties, "Get", [.string(BlueZObjects.device), .string("ServicesResolved")])
        if known.first?.flag == true { return }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (waiting: CheckedContinuation<Void, any Error>) in
                // Also when it was lost, or the wait called off, before it began.
                let resolution = state.withLock { state in
                    if state.resolution == nil { state.waiting = waiting }
                    return state.resolution
                }
                if let resolution { waiting.resume(with: resolution) }
            }
        } onCancel: {
            resolve(.failure(CancellationError()))
        }
    }

    /// Takes the first outcome.
    private func resolve(_ result: Result<Void, any Error>) {
        let waiting = state.withLock { state in
            if state.resolution == nil { state.resolution = result }
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(with: result)
    }

    // MARK: - Link

    func next() async -> LinkEvent? { await events.next() }

    var hasWaiting: Bool { events.hasWaiting }

    func send(_ bytes: [UInt8], to endpoint: Endpoint, acknowledged: Bool) async throws {
        guard case .characteristic(let uuid) = endpoint else {
            throw LinkError.refused("A Bluetooth device has no byte stream: name a characteristic.")
        }
        let options = DBusValue.properties(["type": .string(acknowledged ? "request" : "command")])
        try await explaining {
            _ = try await call(
                try path(uuid), BlueZObjects.characteristic, "WriteValue", [.bytes(bytes), options])
        }
    }

    func read(_ uuid: BluetoothUUID) async throws {
        try await explaining {
            let reply = try await call(
                try path(uuid), BlueZObjects.characteristic, "ReadValue", [.properties([:])])
            events.put(.received(reply.first?.data ?? [], from: .characteristic(uuid), at: clock.now))
        }
    }

    func subscribe(_ uuid: BluetoothUUID) async throws {
        let path = try path(uuid)
        try await explaining {
            do {
                try await acquire(uuid, path)
            } catch is DBusError {
                // No socket for this one (another program listens, or an old daemon): signals do as well.
                try await listen(uuid, path)
            }
        }
    }

    /// Ends the connection and returns when the daemon has: who connects sooner is thrown out with it.
    func close() async {
        guard !state.withLock({ $0.isClosed }) else { return }
        await disconnect(isOver: true)
    }

    // MARK: - Notifications

    private func acquire(_ uuid: BluetoothUUID, _ path: String) async throws {
        let reply = try await call(path, BlueZObjects.characteristic, "AcquireNotify", [.properties([:])])
        guard case .descriptor(let descriptor) = reply.first, descriptor >= 0 else {
            throw DBusError(name: "reply", message: "AcquireNotify returned no socket")
        }
        let socket = NotifySocket(descriptor) { [events, clock] value in
            events.put(.received(value, from: .characteristic(uuid), at: clock.now))
        }
        let isLate = state.withLock { state in
            if !state.isClosed { state.sockets.append(socket) }
            return state.isClosed
        }
        if isLate { socket.cancel() }
    }

    private func listen(_ uuid: BluetoothUUID, _ path: String) async throws {
        let subscription = try await bus.listen(
            "type='signal',sender='\(BlueZObjects.service)',interface='\(BlueZObjects.properties)',path='\(path)'"
        ) { [events, clock] signal in
            guard let value = signal.arguments.dropFirst().first?.entries?["Value"]?.data else { return }
            events.put(.received(value, from: .characteristic(uuid), at: clock.now))
        }
        let isLate = state.withLock { state in
            if !state.isClosed { state.subscriptions.append(subscription) }
            return state.isClosed
        }
        guard !isLate else { return subscription.cancel() }
        try await call(path, BlueZObjects.characteristic, "StartNotify")
    }

    // MARK: - Ending

    /// Has the daemon end the connection, also one that is still being made.
    /// - Parameter isOver: whether others may have the device then.
    private func disconnect(isOver: Bool = false) async {
        state.withLock { $0.isClosing = true }
        _ = try? await call(device, BlueZObjects.device, "Disconnect", timeout: 5)
        // Before the end is told: what is connected upon that has a claim of its own.
        if isOver { takeRelease()?() }
        finish(nil)
    }

    private func takeRelease() -> (@Sendable () -> Void)? {
        state.withLock { state in
            defer { state.release = nil }
            return state.release
        }
    }

    private func lost() {
        resolve(.failure(LinkError.lost("\(address) disconnected.")))
        // Asked for: `close` waits for the daemon's answer.
        guard !state.withLock({ $0.isClosing }) else { return }
        finish(.lost("\(address) disconnected: out of reach, switched off, or its battery is empty."))
    }

    private func finish(_ error: LinkError?) {
        let (sockets, subscriptions, ending) = state.withLock { state in
            defer { (state.sockets, state.subscriptions, state.ending, state.isClosed) = ([], [], nil, true) }
            return (state.sockets, state.subscriptions, state.ending)
        }
        for socket in sockets { socket.cancel() }
        for subscription in subscriptions { subscription.cancel() }
        ending?.cancel()
        events.put(.closed(error, at: clock.now))
    }

    // MARK: - Calls

    private func path(_ uuid: BluetoothUUID) throws(LinkError) -> String {
        guard let found = state.withLock({ $0.characteristics[uuid] }) else { throw .missing(uuid) }
        return found.path
    }

    @discardableResult
    private func call(
        _ path: String, _ interface: String, _ member: String, _ arguments: [DBusValue] = [], timeout: Double = 25,
        isCancellable: Bool = false
    ) async throws -> [DBusValue] {
        try await bus.call(
            BlueZObjects.service, path, interface, member, arguments, timeout: timeout, isCancellable: isCancellable)
    }

    private func explaining(_ body: () async throws -> Void) async throws {
        do { try await body() } catch { throw BlueZCentral.explained(error) }
    }
}
