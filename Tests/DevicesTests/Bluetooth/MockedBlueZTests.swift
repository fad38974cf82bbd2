import DBus
import Devices
import Signals
import Testing

/// python-dbusmock's BlueZ, with a GATT table added by hand: objects we did not write.
@Suite(.enabled(if: MockedBus.isPresent, "python3-dbusmock is not installed"), .timeLimit(.minutes(1)))
struct MockedBlueZTests {
    static let address = "11:22:33:44:55:66"
    static let device = "/org/bluez/hci0/dev_11_22_33_44_55_66"
    static let characteristic = device + "/service0010/char0011"
    static let mock = "org.freedesktop.DBus.Mock"

    /// A mocked strap; returns the bus and a connection that commands the mock.
    func strap() async throws -> (MockedBus, DBusConnection) {
        let bus = try MockedBus()
        let control = try DBusConnection.bus(at: bus.address)
        let (appeared, named) = AsyncStream.makeStream(of: Void.self)
        let waiting = try await control.listen(
            "type='signal',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='org.bluez'"
        ) { _ in named.finish() }
        try bus.start()
        for await _ in appeared {}
        waiting.cancel()
        _ = try await control.call(
            "org.bluez", "/org/bluez", "org.bluez.Mock", "AddAdapter", [.string("hci0"), .string("lab")])
        _ = try await control.call(
            "org.bluez", "/org/bluez", "org.bluez.Mock", "AddDevice",
            [.string("hci0"), .string(Self.address), .string("Strap")])
        try await addHeartRate(control)
        return (bus, control)
    }

    private func addHeartRate(_ control: DBusConnection) async throws {
        func add(_ path: String, _ interface: String, _ properties: DBusValue, _ methods: [DBusValue]) async throws {
            _ = try await control.call(
                "org.bluez", "/org/bluez", Self.mock, "AddObject",
                [.path(path), .string(interface), properties, .array(methods, of: "(ssss)")])
        }
        try await add(
            Self.device + "/service0010", "org.bluez.GattService1",
            .properties(["UUID": .string("0000180d-0000-1000-8000-00805f9b34fb"), "Primary": .bool(true)]), [])
        func method(_ name: String, _ input: String, _ output: String, _ code: String) -> DBusValue {
            .structure([.string(name), .string(input), .string(output), .string(code)])
        }
        try await add(
            Self.characteristic, "org.bluez.GattCharacteristic1",
            .properties([
                "UUID": .string("00002a37-0000-1000-8000-00805f9b34fb"), "Value": .bytes([]),
                "Flags": .array([.string("notify"), .string("read")], of: "s"),
            ]),
            [
                method("ReadValue", "a{sv}", "ay", "ret = dbus.ByteArray(b'\\x00\\x48')"),
                method("StartNotify", "", "", ""),
            ])
        _ = try await control.call(
            "org.bluez", Self.device, Self.mock, "UpdateProperties",
            [.string("org.bluez.Device1"), .properties(["ServicesResolved": .bool(true)])])
    }

    @Test func notificationsComeAsPropertyChangesWhereNoSocketIsOffered() async throws {
        let (bus, control) = try await strap()
        let link = try await BlueZCentral(busAddress: bus.address).connect(to: Self.address)
        try await link.subscribe(BluetoothUUID(0x2A37))
        let sent: [[UInt8]] = [[0x00, 0x48], [0x00, 0x48], [0x10, 0x3C, 0x00, 0x04]]
        for value in sent {
            _ = try await control.call(
                "org.bluez", Self.characteristic, Self.mock, "UpdateProperties",
                [.string("org.bluez.GattCharacteristic1"), .properties(["Value": .bytes(value)])])
        }
        for value in sent {
            guard case .received(let bytes, _, _)? = await link.next() else {
                Issue.record("the link ended")
                return
            }
            #expect(bytes == value)
        }
    }

    @Test func aCharacteristicIsRead() async throws {
        let (bus, _) = try await strap()
        let link = try await BlueZCentral(busAddress: bus.address).connect(to: Self.address)
        try await link.read(BluetoothUUID(0x2A37))
        guard case .received(let bytes, .characteristic(let uuid), _)? = await link.next() else {
            Issue.record("the link ended")
            return
        }
        #expect(bytes == [0x00, 0x48])
        #expect(uuid == BluetoothUUID(0x2A37))
    }

    @Test func aVanishedDeviceEndsTheLink() async throws {
        let (bus, control) = try await strap()
        let link = try await BlueZCentral(busAddress: bus.address).connect(to: Self.address)
        _ = try await control.call(
            "org.bluez", Self.device, Self.mock, "UpdateProperties",
            [.string("org.bluez.Device1"), .properties(["Connected": .bool(false)])])
        guard case .closed(.some, _)? = await link.next() else {
            Issue.record("the link did not end")
            return
        }
    }
}
