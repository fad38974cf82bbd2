import DBus
import Foundation

/// Bluetooth through BlueZ, the Linux standard, over the system's D-Bus, which is left when nobody holds the central, a
/// scan or a link of it any more.
///
/// Sources: `doc/org.bluez.{Adapter,Device,GattCharacteristic}.rst` of BlueZ.
public struct BlueZCentral: GattCentral {
    let bus: DBusConnection
    let adapter: String?
    let clock: any HostClock
    /// Seconds to wait for a device to be heard, to connect, and to tell its services.
    let patience: Double
    /// The discovery that all scans share.
    let discovery: BlueZDiscovery
    private let claims = BluetoothClaims()

    /// Connects to the bus BlueZ is on.
    /// - Parameters:
    ///   - adapter: which adapter, such as `hci0`; nil takes the first.
    ///   - busAddress: where; nil: the system bus, or the one `DBUS_SYSTEM_BUS_ADDRESS` names.
    ///   - patience: seconds to wait for a device at each step of a connection.
    /// - Throws: `LinkError.unavailable` when there is no such bus.
    public init(
        adapter: String? = nil, busAddress: String? = nil, clock: any HostClock = SystemClock(), patience: Double = 30
    ) throws(LinkError) {
        do {
            bus = if let busAddress { try DBusConnection.bus(at: busAddress) } else { try DBusConnection.system() }
        } catch {
            throw .unavailable("There is no system D-Bus to reach Bluetooth through: \(error).")
        }
        (self.adapter, self.clock, self.patience) = (adapter, clock, patience)
        discovery = BlueZDiscovery(bus)
    }

    /// Keeps a device for the connector that names it; see `GattCentral`.
    public func reserve(_ target: GattTarget) { claims.reserve(target) }

    /// Returns true for a device that no connector has or names; see `GattCentral`.
    public func isFree(_ advertisement: Advertisement) -> Bool { claims.isFree(advertisement) }

    /// Scans; see `GattCentral`.
    public func scan(for services: [BluetoothUUID]) -> AsyncThrowingStream<Advertisement, any Error> {
        AsyncThrowingStream { output in
            let scanning = Task {
                do {
                    try await BlueZScan(central: self, services: services).run { output.yield($0) }
                    output.finish()
                } catch {
                    output.finish(throwing: Self.explained(error))
                }
            }
            output.onTermination = { _ in scanning.cancel() }
        }
    }

    /// Connects; see `GattCentral`. The device is this central's until the link is closed, also while it is lost.
    /// - Throws: `LinkError.refused` where another program of this user has it.
    public func connect(to address: String) async throws -> any Link {
        let key = address.uppercased()
        let isNew = try claims.take(key, on: try await busName())
        do {
            let (device, name) = try await path(of: address)
            let link = BlueZLink(bus: bus, device: device, address: address, name: name, clock: clock) { [claims] in
                claims.release(key)
            }
            try await link.open(patience: patience)
            return link
        } catch {
            if isNew { claims.release(key) }
            throw Self.explained(error)
        }
    }

    /// Returns 0.5 s after the next start of bluetoothd, which takes its adapter in that time.
    public func untilServiceReturns() async {
        let (returns, returned) = AsyncStream.makeStream(of: Void.self)
        let watch = try? await bus.listen(BlueZObjects.ownerChanges) { signal in
            if signal.arguments.last?.text?.isEmpty == false { returned.finish() }
        }
        guard let watch else { return await untilCancelled() }
        for await _ in returns {}
        watch.cancel()
        try? await clock.sleep(until: clock.now + 0.5)
    }

    /// What the bus calls itself; empty where it does not say.
    private func busName() async throws -> String {
        do {
            let name = "org.freedesktop.DBus"
            let reply = try await bus.call(name, "/org/freedesktop/DBus", name, "GetId", isCancellable: true)
            return reply.first?.text ?? ""
        } catch is DBusError {
            return ""
        }
    }

    /// The device's object and name; listens for it when it is not known yet.
    private func path(of address: String) async throws -> (path: String, name: String) {
        let objects = try await objects()
        if let known = objects.known(at: address) {
            if let adapter = objects.adapters.first(where: { known.path.hasPrefix($0 + "/") }) {
                try await powerOn(adapter, objects)
            }
            return known
        }
        let found = try await withDeadline(patience) {
            for try await advertisement in scan(for: [])
            where advertisement.address.uppercased() == address.uppercased() {
                return true
            }
            return false
        }
        guard found == true, let known = try await self.objects().known(at: address) else {
            throw LinkError.unreachable(
                "No Bluetooth device \(address) was heard: is it switched on, worn and near? `marey devices scan` lists what is."
            )
        }
        return known
    }

    // MARK: - For scans and links

    func objects() async throws -> BlueZObjects {
        BlueZObjects(
            try await bus.call(BlueZObjects.service, "/", BlueZObjects.objectManager, "GetManagedObjects").first)
    }

    /// The adapter's object, switched on.
    func adapterPath() async throws -> String {
        let objects = try await objects()
        let paths = objects.adapters
        guard let path = adapter.map({ "/org/bluez/\($0)" }) ?? paths.first, paths.contains(path) else {
            throw LinkError.unavailable(
                "This machine has no Bluetooth adapter\(adapter.map { " \($0)" } ?? "") that BlueZ knows: plug one in, or see `bluetoothctl list`."
            )
        }
        try await powerOn(path, objects)
        return path
    }

    /// Switches an adapter on.
    private func powerOn(_ path: String, _ objects: BlueZObjects) async throws {
        guard objects.objects[path]?[BlueZObjects.adapter]?["Powered"]?.flag == false else { return }
        // A daemon that is starting may answer “busy”.
        for attempt in 1...5 {
            do {
                _ = try await bus.call(
                    BlueZObjects.service, path, BlueZObjects.properties, "Set",
                    [.string(BlueZObjects.adapter), .string("Powered"), .variant(.bool(true))])
                break
            } catch let error as DBusError where error.name == "org.bluez.Error.Busy" && attempt < 5 {
                try await clock.sleep(until: clock.now + 0.5)
            }
        }
    }

    /// Returns true for errors that mean that bluetoothd does not run.
    static func isServiceGone(_ error: DBusError) -> Bool {
        let prefix = "org.freedesktop.DBus.Error."
        let names = ["ServiceUnknown", "NameHasNoOwner", "Disconnected"].map { prefix + $0 }
        return names.contains(error.name) || error.name == DBusError.ended.name
    }

    /// Returns true when a call had no reply in time, or the daemon ended before its reply.
    static func isUnanswered(_ error: DBusError) -> Bool { error.name == "org.freedesktop.DBus.Error.NoReply" }

    /// Returns true for errors that mean that the adapter is off.
    static func isSwitchedOff(_ error: DBusError) -> Bool {
        isBlocked(error) || error.name == "org.bluez.Error.NotReady"
    }

    /// Returns true for errors that mean that the kernel's radio switch (rfkill) blocks the adapter. BlueZ names it since 5.66.
    private static func isBlocked(_ error: DBusError) -> Bool {
        error.name == "org.bluez.Error.Blocked" || error.message.lowercased().contains("rfkill")
    }

    /// A D-Bus error in words the user can act on.
    static func explained(_ error: any Error) -> any Error {
        guard let error = error as? DBusError else { return error }
        if isBlocked(error) {
            return LinkError.unavailable(
                "The Bluetooth adapter is blocked by rfkill: run `rfkill unblock bluetooth`. If `rfkill list` still says "
                    + "“Hard blocked: yes”, turn on the machine's radio switch or leave flight mode.")
        }
        switch error.name {
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner":
            return LinkError.unavailable(
                "Bluetooth's daemon does not run: install bluez and start it (systemctl start bluetooth).")
        case "org.freedesktop.DBus.Error.AccessDenied":
            return LinkError.unavailable(
                "You may not use Bluetooth here: join the group bluetooth or ask the machine's keeper (\(error.message))."
            )
        case "org.bluez.Error.NotReady":
            return LinkError.unavailable(
                "The Bluetooth adapter is off: run `bluetoothctl power on`. If that fails, `rfkill list` says whether it is "
                    + "blocked, and `rfkill unblock bluetooth` frees it.")
        case "org.bluez.Error.NotPermitted", "org.bluez.Error.NotAuthorized", "org.bluez.Error.NotSupported":
            return LinkError.refused("The device or BlueZ refused: \(error).")
        default:
            return LinkError.lost("Bluetooth failed: \(error).")
        }
    }
}

/// The result of `body`, or nil when it takes longer than so many seconds; it is cancelled then.
func withDeadline<Result: Sendable>(
    _ seconds: Double, _ body: @escaping @Sendable () async throws -> Result
) async throws -> Result? {
    try await withThrowingTaskGroup(of: Result?.self) { group in
        group.addTask { try await body() }
        group.addTask {
            try await Task.sleep(for: .seconds(seconds))
            return nil
        }
        defer { group.cancelAll() }
        return try await group.next() ?? nil
    }
}
