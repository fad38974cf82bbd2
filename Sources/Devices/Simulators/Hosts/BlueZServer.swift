import DBus
import Foundation

/// Simulated devices as BlueZ would show them on a D-Bus: every program that uses BlueZ finds and connects them.
///
/// It owns the name `org.bluez`, so it belongs on a bus of its own (`dbus-daemon --session --print-address`), which
/// programs are pointed to by `DBUS_SYSTEM_BUS_ADDRESS`.
public actor BlueZServer {
    private let bus: DBusConnection
    private var devices: [String: BlueZDevice] = [:]
    private var isDiscovering = false
    private var isPowered = true
    private let inputs: AsyncStream<Input>
    private let incoming: AsyncStream<Input>.Continuation

    /// What happens to the server, in order.
    private enum Input: Sendable {
        case call(DBusCall)
        case sent([SimulatorAction], path: String)
    }

    static let adapterPath = "/org/bluez/hci0"
    private static let battery = "org.bluez.Battery1"

    /// Serves devices on the bus at `busAddress`.
    /// - Throws: `LinkError.unavailable` when the bus does not answer.
    public init(
        busAddress: String, devices: [(advertisement: Advertisement, runner: SimulatorRunner)]
    ) async throws {
        do {
            bus = try DBusConnection.bus(at: busAddress)
        } catch {
            throw LinkError.unavailable("No D-Bus answers at \(busAddress): \(error).")
        }
        (inputs, incoming) = AsyncStream.makeStream(of: Input.self)
        for device in devices {
            guard let profile = await device.runner.profile() else { continue }
            let shown = BlueZDevice(device.advertisement, profile, device.runner)
            self.devices[shown.path] = shown
        }
    }

    /// Serves until the task is cancelled or the bus goes away.
    /// - Parameter ready: called once the name is owned.
    /// - Throws: `LinkError.unavailable` when the name is taken.
    public func run(ready: @escaping @Sendable () -> Void = {}) async throws {
        let ending = bus.whenEnded { [incoming] in incoming.finish() }
        defer { ending.cancel() }
        do {
            try await bus.serve(BlueZObjects.service) { [incoming] in incoming.yield(.call($0)) }
        } catch {
            throw LinkError.unavailable("Can't stand in for BlueZ on this bus: \(error).")
        }
        ready()
        await withTaskGroup { group in
            for device in devices.values { group.addTask { await device.runner.run() } }
            for await input in inputs {
                switch input {
                case .call(let call): await handle(call)
                case .sent(let actions, let path): deliver(actions, of: path)
                }
            }
            group.cancelAll()
        }
        bus.close()
    }

    // MARK: - Calls

    private func handle(_ call: DBusCall) async {
        switch (call.interface, call.member) {
        case (BlueZObjects.objectManager, "GetManagedObjects"): call.reply([managedObjects()])
        case (BlueZObjects.properties, _): property(call)
        case (BlueZObjects.adapter, let member): adapter(member, call)
        case (BlueZObjects.device, "Connect"): await connect(call)
        case (BlueZObjects.device, "Disconnect"):
            // As the real daemon: the battery's interface goes first, the answer comes when all is over.
            bus.emit(
                "/", BlueZObjects.objectManager, "InterfacesRemoved",
                [.path(call.path), .array([.string(Self.battery)], of: "s")])
            await disconnect(call.path)
            call.reply()
        case (BlueZObjects.characteristic, let member): await characteristic(member, call)
        case ("org.freedesktop.DBus.Peer", "Ping"): call.reply()
        default: call.fail("org.freedesktop.DBus.Error.UnknownMethod", "\(call.interface).\(call.member)")
        }
    }

    private func managedObjects() -> DBusValue {
        var entries = [DBusEntry(key: Self.adapterPath, value: BlueZDevice.interfaces(adapterInterfaces))]
        for (_, device) in devices.sorted(by: { $0.key < $1.key }) where device.isKnown {
            for (path, interfaces) in device.objects.sorted(by: { $0.key < $1.key }) {
                entries.append(DBusEntry(key: path, value: BlueZDevice.interfaces(interfaces)))
            }
        }
        return .dictionary(entries, key: "o", value: "a{sa{sv}}")
    }

    private var adapterInterfaces: BlueZObjects.Interfaces {
        [
            BlueZObjects.adapter: [
                "Address": .string("00:00:5E:00:53:00"), "Powered": .bool(isPowered),
                "Discovering": .bool(isDiscovering),
            ]
        ]
    }

    private func adapter(_ member: String, _ call: DBusCall) {
        switch member {
        case "SetDiscoveryFilter": call.reply()
        case "StartDiscovery" where isDiscovering:
            call.fail("org.bluez.Error.InProgress", "Operation already in progress")
        case "StartDiscovery" where !isPowered: call.fail("org.bluez.Error.NotReady", "Resource Not Ready")
        case "StartDiscovery":
            isDiscovering = true
            call.reply()
            for path in devices.keys.sorted() { makeKnown(path) }
        case "StopDiscovery":
            isDiscovering = false
            call.reply()
        default: call.fail("org.freedesktop.DBus.Error.UnknownMethod", member)
        }
    }

    private func property(_ call: DBusCall) {
        let interfaces =
            call.path == Self.adapterPath
            ? adapterInterfaces : device(of: call.path)?.objects[call.path] ?? [:]
        guard let interface = call.arguments.first?.text, let properties = interfaces[interface] else {
            return call.fail("org.freedesktop.DBus.Error.UnknownObject", call.path)
        }
        switch call.member {
        case "GetAll": call.reply([BlueZDevice.properties(properties)])
        case "Get":
            guard let value = properties[call.arguments.dropFirst().first?.text ?? ""] else {
                return call.fail("org.freedesktop.DBus.Error.InvalidArgs", "No such property")
            }
            call.reply([.variant(value)])
        case "Set":
            if let flag = call.arguments.last?.flag { isPowered = flag }
            call.reply()
        default: call.fail("org.freedesktop.DBus.Error.UnknownMethod", call.member)
        }
    }

    private func device(of path: String) -> BlueZDevice? {
        devices.first { path == $0.key || path.hasPrefix($0.key + "/") }?.value
    }

    private func makeKnown(_ path: String) {
        guard let device = devices[path], !device.isKnown else { return }
        devices[path]?.isKnown = true
        added(path, device.objects[path] ?? [:])
    }

    // MARK: - Connections

    private func connect(_ call: DBusCall) async {
        let path = call.path
        guard let device = devices[path] else { return call.fail("org.bluez.Error.DoesNotExist", "Does Not Exist") }
        if device.isConnected { return call.fail("org.bluez.Error.AlreadyConnected", "Already Connected") }
        makeKnown(path)
        let first = await device.runner.connect { [incoming] actions in
            incoming.yield(.sent(actions, path: path))
        }
        devices[path]?.isConnected = true
        changed(path, BlueZObjects.device, ["Connected": .bool(true)])
        call.reply()
        for (object, interfaces) in (devices[path]?.objects ?? [:]).sorted(by: { $0.key < $1.key }) where object != path
        {
            added(object, interfaces)
        }
        changed(path, BlueZObjects.device, ["ServicesResolved": .bool(true)])
        deliver(first, of: path)
    }

    private func disconnect(_ path: String) async {
        guard let device = devices[path], device.isConnected else { return }
        await device.runner.disconnect()
        let gone = device.objects.keys.filter { $0 != path }.sorted()
        for socket in device.sockets.values { close(socket) }
        devices[path]?.isConnected = false
        devices[path]?.sockets = [:]
        devices[path]?.notifying = []
        changed(path, BlueZObjects.device, ["ServicesResolved": .bool(false), "Connected": .bool(false)])
        for object in gone {
            bus.emit(
                "/", BlueZObjects.objectManager, "InterfacesRemoved",
                [.path(object), .array([.string(BlueZObjects.characteristic)], of: "s")])
        }
    }

    /// What a device sends: notifications to sockets and listeners, and its end.
    private func deliver(_ actions: [SimulatorAction], of path: String) {
        for action in actions {
            switch action {
            case .send(let bytes, .characteristic(let uuid)): notify(bytes, uuid, of: path)
            case .close: Task { await disconnect(path) }
            default: break
            }
        }
    }

    private func notify(_ bytes: [UInt8], _ uuid: BluetoothUUID, of path: String) {
        guard let device = devices[path], let object = device.path(of: uuid) else { return }
        if let socket = device.sockets[object] {
            // A full socket loses the value, as BlueZ does.
            _ = bytes.withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
        } else if device.notifying.contains(object) {
            changed(object, BlueZObjects.characteristic, ["Value": .bytes(bytes)])
        }
    }

    // MARK: - Characteristics

    private func characteristic(_ member: String, _ call: DBusCall) async {
        guard let device = device(of: call.path), device.isConnected, let uuid = device.uuid(at: call.path) else {
            return call.fail("org.bluez.Error.Failed", "Not connected")
        }
        switch member {
        case "ReadValue": answer(call, await device.runner.read(uuid), device, reading: uuid)
        case "WriteValue":
            let bytes = call.arguments.first?.data ?? []
            answer(call, await device.runner.receive(bytes, at: .characteristic(uuid)), device, reading: nil)
        case "StartNotify" where device.sockets[call.path] != nil:
            call.fail("org.bluez.Error.NotPermitted", "Notify acquired")
        case "StartNotify":
            devices[device.path]?.notifying.insert(call.path)
            answer(call, await device.runner.subscribe(uuid), device, reading: nil)
        case "AcquireNotify" where device.notifying.contains(call.path):
            call.fail("org.bluez.Error.InProgress", "In Progress")
        case "AcquireNotify" where device.sockets[call.path].map(Self.hasListener) == true:
            call.fail("org.bluez.Error.NotPermitted", "Notify acquired")
        case "AcquireNotify": await acquire(call, uuid, device)
        case "StopNotify":
            devices[device.path]?.notifying.remove(call.path)
            call.reply()
        default: call.fail("org.freedesktop.DBus.Error.UnknownMethod", member)
        }
    }

    /// Whether the other end of a socket is open.
    private static func hasListener(_ socket: Int32) -> Bool {
        var state = pollfd(fd: socket, events: 0, revents: 0)
        return poll(&state, 1, 0) == 0
    }

    private func acquire(_ call: DBusCall, _ uuid: BluetoothUUID, _ device: BlueZDevice) async {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            return call.fail("org.bluez.Error.Failed", "No socket")
        }
        if let former = devices[device.path]?.sockets.updateValue(ends[0], forKey: call.path) { close(former) }
        let theirs = ends[1]
        call.reply([.descriptor(theirs), .uint16(517)]) { close(theirs) }
        deliver(await device.runner.subscribe(uuid), of: device.path)
    }

    private func answer(
        _ call: DBusCall, _ actions: [SimulatorAction], _ device: BlueZDevice, reading uuid: BluetoothUUID?
    ) {
        var actions = actions
        var value: [UInt8] = []
        for action in actions {
            guard case .refuse(_, let code) = action else { continue }
            let digits = String(code, radix: 16)
            return call.fail("org.bluez.Error.Failed", "Operation failed with ATT error: 0x\(digits)")
        }
        if let uuid,
            let reply = actions.firstIndex(where: {
                if case .send(_, .characteristic(uuid)) = $0 { true } else { false }
            }), case .send(let bytes, _) = actions.remove(at: reply)
        {
            value = bytes
        }
        call.reply(uuid == nil ? [] : [.bytes(value)])
        deliver(actions, of: device.path)
    }

    // MARK: - Signals

    private func added(_ path: String, _ interfaces: BlueZObjects.Interfaces) {
        bus.emit(
            "/", BlueZObjects.objectManager, "InterfacesAdded", [.path(path), BlueZDevice.interfaces(interfaces)])
    }

    private func changed(_ path: String, _ interface: String, _ properties: [String: DBusValue]) {
        bus.emit(
            path, BlueZObjects.properties, "PropertiesChanged",
            [.string(interface), BlueZDevice.properties(properties), .array([], of: "s")])
    }
}
