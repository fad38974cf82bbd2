import DBus
import Devices
import Synchronization

/// BlueZ with one device and one characteristic, whose answers the test plays.
final class ScriptedDaemon: Sendable {
    static let address = "00:00:5E:00:53:77"
    static let measurement = BluetoothUUID(0x2A37)
    private static let device = "/org/bluez/hci0/dev_00_00_5E_00_53_77"
    private static let characteristic = device + "/service0010/char0011"

    /// The methods that were called, in order.
    let asked = Mutex<[String]>([])
    private let bus: DBusConnection
    private let play: @Sendable (ScriptedDaemon, DBusCall) -> Bool

    /// Serves on the bus at `busAddress`. `play` is asked first, and returns whether the answer is its own, at once, later
    /// or never.
    init(on busAddress: String, _ play: @escaping @Sendable (ScriptedDaemon, DBusCall) -> Bool) async throws {
        bus = try DBusConnection.bus(at: busAddress)
        self.play = play
        try await bus.serve("org.bluez") { [weak self] call in self?.answer(call) }
    }

    /// Says that the device is gone.
    func loseDevice() {
        bus.emit(
            Self.device, "org.freedesktop.DBus.Properties", "PropertiesChanged",
            [.string("org.bluez.Device1"), .properties(["Connected": .bool(false)]), .array([], of: "s")])
    }

    private func answer(_ call: DBusCall) {
        asked.withLock { $0.append(call.member) }
        guard !play(self, call) else { return }
        switch call.member {
        case "GetManagedObjects": call.reply([Self.objects])
        case "Get": call.reply([.variant(.bool(true))])
        case "ReadValue": call.reply([.bytes([0x01])])
        default: call.reply()
        }
    }

    private static var objects: DBusValue {
        func object(_ path: String, _ interface: String, _ properties: DBusValue) -> DBusEntry {
            let interfaces = [DBusEntry(key: interface, value: properties)]
            return DBusEntry(key: path, value: .dictionary(interfaces, key: "s", value: "a{sv}"))
        }
        let uuid = "00002a37-0000-1000-8000-00805f9b34fb"
        return .dictionary(
            [
                object(device, "org.bluez.Device1", .properties(["Address": .string(address)])),
                object(characteristic, "org.bluez.GattCharacteristic1", .properties(["UUID": .string(uuid)])),
            ], key: "o", value: "a{sa{sv}}")
    }
}
