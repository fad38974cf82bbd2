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
        /// The subscriptions of characteristics whose values come as property changes.
        var listeners: [BluetoothUUID: DBusSubscription] = [:]
        var sockets: [BluetoothUUID: NotifySocket] = [:]
        /// The moments at which each characteristic's notifications were subscribed again.
        var renewals: [BluetoothUUID: [Seconds]] = [:]
        var ending: DBusEnding?
        /// Whether the device's services are known, or why they will not be.
        var resolution: Result<Void, any Error>?
        var waiting: CheckedContinuation<Void, any Error>?
        var isClosing = false
        var isClosed = false
        /// Lets others have the device.
        var release: (@Sendable () -> Void)?
    }

    /// The maximum number of times a characteristic's notifications may end within `renewalSpan` seconds.
    private static let maxRenewals = 3
    private static let renewalSpan: Seconds = 10

    let peer: DeviceIdentity?

    /// - Parameters:
    ///   - name: the name that the device advertises.
    ///   - release: is called once when the link was closed, not when it was lost.
    init(
        bus: DBusConnection, device: String, address: String, name: String = "", clock: any HostClock,
        release: @escaping @Sendable () -> Void
    ) {
        (self.bus, self.device, self.address, self.clock) = (bus, device, address, clock)
        var identity = DeviceIdentity()
        identity.name = name
        identity.details["address"] = address
        peer = identity
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
        } catch let error as DBusError where BlueZCentral.isServiceGone(error) || BlueZCentral.isSwitchedOff(error) {
            finish(nil)
            throw error
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
        let owners = try await bus.listen(BlueZObjects.ownerChanges) { [weak self] signal in
            // A former owner has ended, and its objects with it; a new one may have replaced it.
            if let former = signal.arguments.dropFirst().first?.text, !former.isEmpty { self?.serviceEnded() }
        }
        let ending = bus.whenEnded { [weak self] in self?.serviceEnded() }
        state.withLock { state in
            state.subscriptions += [changes, removals, owners]
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
        } ended: { [weak self] in
            self?.notificationsEnded(uuid)
        }
        let (isLate, former) = state.withLock { state in
            (state.isClosed, state.isClosed ? nil : state.sockets.updateValue(socket, forKey: uuid))
        }
        former?.cancel()
        if isLate { socket.cancel() }
    }

    private func listen(_ uuid: BluetoothUUID, _ path: String) async throws {
        let subscription = try await bus.listen(
            "type='signal',sender='\(BlueZObjects.service)',interface='\(BlueZObjects.properties)',path='\(path)'"
        ) { [weak self, events, clock] signal in
            guard let changes = signal.arguments.dropFirst().first?.entries else { return }
            if let value = changes["Value"]?.data {
                events.put(.received(value, from: .characteristic(uuid), at: clock.now))
            }
            if changes["Notifying"]?.flag == false { self?.notificationsEnded(uuid) }
        }
        let (isLate, former) = state.withLock { state in
            (state.isClosed, state.isClosed ? nil : state.listeners.updateValue(subscription, forKey: uuid))
        }
        former?.cancel()
        guard !isLate else { return subscription.cancel() }
        try await call(path, BlueZObjects.characteristic, "StartNotify")
    }

    /// The daemon ended the notifications of a characteristic. If the device is still connected, they are subscribed again.
    private func notificationsEnded(_ uuid: BluetoothUUID) {
        let isOver = state.withLock { state in
            state.sockets[uuid] = nil
            return state.isClosing || state.isClosed
        }
        if !isOver { Task { await renew(uuid) } }
    }

    private func renew(_ uuid: BluetoothUUID) async {
        guard await isStillConnected() else { return }
        let moment = clock.now
        let isTooOften = state.withLock { state in
            let recent = state.renewals[uuid, default: []].filter { moment - $0 < Self.renewalSpan }
            state.renewals[uuid] = recent + [moment]
            return recent.count >= Self.maxRenewals
        }
        do {
            guard !isTooOften else { throw LinkError.refused("They ended \(Self.maxRenewals + 1) times in a row.") }
            events.put(.resubscribed(uuid, at: moment))
            try await subscribe(uuid)
        } catch {
            guard await isStillConnected() else { return }
            await breakOff(
                .lost(
                    "\(address): the notifications of \(uuid) ended while it was connected, and cannot be had again: "
                        + "\(error)", by: .notifications))
        }
    }

    /// Returns true while the daemon has the device connected; else ends the link.
    private func isStillConnected() async -> Bool {
        do {
            let answer = try await call(
                device, BlueZObjects.properties, "Get", [.string(BlueZObjects.device), .string("Connected")],
                timeout: 5)
            if answer.first?.flag == true { return !state.withLock { $0.isClosing || $0.isClosed } }
            lost()
        } catch let error as DBusError where BlueZCentral.isServiceGone(error) || BlueZCentral.isUnanswered(error) {
            serviceEnded()
        } catch {
            lost()
        }
        return false
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

    private func serviceEnded() {
        resolve(.failure(LinkError.lost(Self.serviceText, by: .service)))
        guard !state.withLock({ $0.isClosing }) else { return }
        finish(.lost("\(address): \(Self.serviceText)", by: .service))
    }

    private static let serviceText =
        "Bluetooth's daemon ended. It is waited for; start it if it does not come back (systemctl start bluetooth)."

    /// Disconnects a device whose connection has become useless, and ends the link with an error.
    private func breakOff(_ error: LinkError) async {
        let isFirst = state.withLock { state in
            defer { state.isClosing = true }
            return !state.isClosing && !state.isClosed
        }
        guard isFirst else { return }
        _ = try? await call(device, BlueZObjects.device, "Disconnect", timeout: 5)
        finish(error)
    }

    private func finish(_ error: LinkError?) {
        let (sockets, subscriptions, ending) = state.withLock { state in
            defer {
                (state.sockets, state.subscriptions, state.listeners) = ([:], [], [:])
                (state.ending, state.isClosed) = (nil, true)
            }
            return (Array(state.sockets.values), state.subscriptions + state.listeners.values, state.ending)
        }
        // Values that the device sent before the end are kept.
        for socket in sockets { socket.drain() }
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
