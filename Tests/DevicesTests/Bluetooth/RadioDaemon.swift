import DBus
import Foundation
import Synchronization

/// A BlueZ daemon with devices that advertise after a delay and send what the test wants. It can crash and start again, and
/// allows its client one discovery, as BlueZ does.
final class RadioDaemon: Sendable {
    /// A device and the characteristics that notify.
    struct Device: Sendable {
        var address: String
        var name = ""
        var services = ["0000180d-0000-1000-8000-00805f9b34fb"]
        /// Seconds of discovery after which it is heard; nil for a device that is known already.
        var heardAfter: Double?
        var characteristics = ["00002a37-0000-1000-8000-00805f9b34fb"]
    }

    private struct State {
        var known: Set<String> = []
        var isConnected: Set<String> = []
        var sockets: [String: Int32] = [:]
        var isDiscovering = false
        var asked: [String] = []
        var bus: DBusConnection?
        var round = 0
        /// True after a crash: calls get no reply.
        var isDead = false
    }

    private static let adapter = "/org/bluez/hci0"
    private let busAddress: String
    private let devices: [Device]
    /// The error of switching the adapter on; nil when it is on.
    private let power: (name: String, message: String)?
    private let state = Mutex(State())
    /// The paths of characteristics whose notifications were acquired, in order.
    let acquired: AsyncStream<String>
    private let tell: AsyncStream<String>.Continuation

    init(on busAddress: String, _ devices: [Device], power: (name: String, message: String)? = nil) {
        (self.busAddress, self.devices, self.power) = (busAddress, devices, power)
        (acquired, tell) = AsyncStream.makeStream(of: String.self)
        state.withLock { $0.known = Set(devices.filter { $0.heardAfter == nil }.map(\.address)) }
    }

    deinit { state.withLock { for socket in $0.sockets.values { close(socket) } } }

    var asked: [String] { state.withLock { $0.asked } }

    /// Begins the daemon.
    func start() async throws {
        let bus = try DBusConnection.bus(at: busAddress)
        state.withLock { ($0.bus, $0.isDead) = (bus, false) }
        try await bus.serve("org.bluez") { [weak self] call in self?.answer(call) }
    }

    /// Ends the daemon as a crash does: its sockets close, its name goes, and it forgets all.
    func crash() {
        let bus = state.withLock { state in
            for socket in state.sockets.values { close(socket) }
            (state.sockets, state.isConnected, state.isDiscovering) = ([:], [], false)
            state.isDead = true
            defer { state.bus = nil }
            return state.bus
        }
        bus?.close()
    }

    /// Sends a value of a subscribed characteristic.
    /// - Returns: true when it was sent.
    @discardableResult
    func notify(_ value: [UInt8], _ characteristic: String, of address: String) -> Bool {
        let path = Self.path(of: characteristic, of: address)
        return state.withLock { state in
            guard let socket = state.sockets[path] else { return false }
            return value.withUnsafeBytes { send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) } == value.count
        }
    }

    /// Closes a characteristic's socket while its device stays connected.
    func closeSocket(_ characteristic: String, of address: String) {
        let path = Self.path(of: characteristic, of: address)
        if let socket = state.withLock({ $0.sockets.removeValue(forKey: path) }) { close(socket) }
    }

    static func path(of address: String) -> String {
        adapter + "/dev_" + address.replacingOccurrences(of: ":", with: "_")
    }

    static func path(of characteristic: String, of address: String) -> String {
        path(of: address) + "/service0010/char" + characteristic.prefix(8)
    }

    // MARK: - Calls

    private func answer(_ call: DBusCall) {
        let isDead = state.withLock { state in
            state.asked.append(call.member)
            return state.isDead
        }
        guard !isDead else { return }
        switch call.member {
        case "GetManagedObjects": call.reply([objects])
        case "Get": get(call)
        case "Set":
            if let power { call.fail(power.name, power.message) } else { call.reply() }
        case "StartDiscovery": discover(call)
        case "StopDiscovery":
            let wasDiscovering = state.withLock { state in
                defer { (state.isDiscovering, state.round) = (false, state.round + 1) }
                return state.isDiscovering
            }
            if wasDiscovering { call.reply() } else { call.fail("org.bluez.Error.Failed", "No discovery started") }
        case "Connect": connect(call)
        case "Disconnect": disconnect(call)
        case "AcquireNotify": acquire(call)
        default: call.reply()
        }
    }

    private func get(_ call: DBusCall) {
        let property = call.arguments.last?.text ?? ""
        let isTrue = state.withLock { state in
            switch property {
            case "Discovering": state.isDiscovering
            case "Connected", "ServicesResolved": state.isConnected.contains(call.path)
            default: false
            }
        }
        call.reply([.variant(.bool(isTrue))])
    }

    private func discover(_ call: DBusCall) {
        let (wasDiscovering, round) = state.withLock { state in
            defer { state.isDiscovering = true }
            return (state.isDiscovering, state.round)
        }
        guard !wasDiscovering else { return call.fail("org.bluez.Error.InProgress", "Operation already in progress") }
        call.reply()
        for device in devices {
            guard let delay = device.heardAfter else { continue }
            Task { [weak self] in
                try? await Task.sleep(for: .seconds(delay))
                self?.hear(device, round)
            }
        }
    }

    /// A device advertises: it is heard where the discovery that was running then still runs.
    private func hear(_ device: Device, _ round: Int) {
        let bus = state.withLock { state -> DBusConnection? in
            guard state.isDiscovering, state.round == round, state.known.insert(device.address).inserted else {
                return nil
            }
            return state.bus
        }
        bus?.emit(
            "/", "org.freedesktop.DBus.ObjectManager", "InterfacesAdded",
            [.path(Self.path(of: device.address)), Self.dictionary([("org.bluez.Device1", properties(device))])])
    }

    private func connect(_ call: DBusCall) {
        _ = state.withLock { $0.isConnected.insert(call.path) }
        call.reply()
    }

    private func disconnect(_ call: DBusCall) {
        let bus = state.withLock { state in
            for (path, socket) in state.sockets where path.hasPrefix(call.path + "/") {
                close(socket)
                state.sockets[path] = nil
            }
            state.isConnected.remove(call.path)
            return state.bus
        }
        bus?.emit(
            call.path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
            [.string("org.bluez.Device1"), .properties(["Connected": .bool(false)]), .array([], of: "s")])
        call.reply()
    }

    private func acquire(_ call: DBusCall) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return call.fail("org.bluez.Error.Failed", "no socket") }
        let former = state.withLock { $0.sockets.updateValue(ends[0], forKey: call.path) }
        if let former { close(former) }
        let theirs = ends[1]
        call.reply([.descriptor(theirs), .uint16(247)]) { [tell] in
            close(theirs)
            tell.yield(call.path)
        }
    }

    // MARK: - Objects

    private var objects: DBusValue {
        let (known, connected) = state.withLock { ($0.known, $0.isConnected) }
        var all: [(String, DBusValue)] = [
            (
                Self.adapter,
                Self.dictionary([("org.bluez.Adapter1", .properties(["Powered": .bool(power == nil)]))])
            )
        ]
        for device in devices where known.contains(device.address) {
            let path = Self.path(of: device.address)
            all.append((path, Self.dictionary([("org.bluez.Device1", properties(device))])))
            guard connected.contains(path) else { continue }
            for uuid in device.characteristics {
                let characteristic = DBusValue.properties([
                    "UUID": .string(uuid), "Flags": .array([.string("notify")], of: "s"),
                ])
                all.append(
                    (
                        Self.path(of: uuid, of: device.address),
                        Self.dictionary([("org.bluez.GattCharacteristic1", characteristic)])
                    ))
            }
        }
        return .dictionary(all.map { DBusEntry(key: $0.0, value: $0.1) }, key: "o", value: "a{sa{sv}}")
    }

    private func properties(_ device: Device) -> DBusValue {
        .properties([
            "Address": .string(device.address), "Name": .string(device.name), "RSSI": .int16(-60),
            "UUIDs": .array(device.services.map { .string($0) }, of: "s"),
        ])
    }

    private static func dictionary(_ interfaces: [(String, DBusValue)]) -> DBusValue {
        .dictionary(interfaces.map { DBusEntry(key: $0.0, value: $0.1) }, key: "s", value: "a{sv}")
    }
}
