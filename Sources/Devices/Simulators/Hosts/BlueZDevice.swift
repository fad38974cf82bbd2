import DBus

/// A simulated device as BlueZ' objects.
struct BlueZDevice {
    let path: String
    let advertisement: Advertisement
    let profile: GattProfile
    let runner: SimulatorRunner
    /// Whether it was heard.
    var isKnown = false
    var isConnected = false
    /// Characteristics (by path) that send over a socket; the descriptors are ours.
    var sockets: [String: Int32] = [:]
    /// Characteristics (by path) that send property changes.
    var notifying: Set<String> = []

    init(_ advertisement: Advertisement, _ profile: GattProfile, _ runner: SimulatorRunner) {
        path = "\(BlueZServer.adapterPath)/dev_\(advertisement.address.replacing(":", with: "_"))"
        (self.advertisement, self.profile, self.runner) = (advertisement, profile, runner)
    }

    /// All objects it has now: itself, and while connected its services and characteristics.
    var objects: [String: BlueZObjects.Interfaces] {
        var objects: [String: BlueZObjects.Interfaces] = [path: [BlueZObjects.device: deviceProperties]]
        guard isConnected else { return objects }
        for (position, service) in profile.services.enumerated() {
            let servicePath = path + "/service" + Self.handle(0x10 + position * 0x40)
            objects[servicePath] = [
                BlueZObjects.gattService: [
                    "UUID": .string(service.uuid.description), "Primary": .bool(true), "Device": .path(path),
                ]
            ]
            for (number, characteristic) in service.characteristics.enumerated() {
                let flags = characteristic.properties.map(\.rawValue).sorted()
                objects[Self.path(servicePath, position, number)] = [
                    BlueZObjects.characteristic: [
                        "UUID": .string(characteristic.uuid.description), "Service": .path(servicePath),
                        "Flags": .array(flags.map { .string($0) }, of: "s"), "Value": .bytes([]), "MTU": .uint16(517),
                    ]
                ]
            }
        }
        return objects
    }

    private var deviceProperties: [String: DBusValue] {
        var properties: [String: DBusValue] = [
            "Address": .string(advertisement.address), "AddressType": .string("public"),
            "Name": .string(profile.name), "Alias": .string(profile.name), "Paired": .bool(false),
            "Connected": .bool(isConnected), "ServicesResolved": .bool(isConnected),
            "UUIDs": .array(profile.advertised.map { .string($0.description) }, of: "s"),
            "Adapter": .path(BlueZServer.adapterPath),
        ]
        if let rssi = advertisement.rssi { properties["RSSI"] = .int16(Int16(clamping: rssi)) }
        return properties
    }

    /// Where a characteristic is.
    func path(of uuid: BluetoothUUID) -> String? {
        for (position, service) in profile.services.enumerated() {
            if let number = service.characteristics.firstIndex(where: { $0.uuid == uuid }) {
                return Self.path(path + "/service" + Self.handle(0x10 + position * 0x40), position, number)
            }
        }
        return nil
    }

    /// Which characteristic is there.
    func uuid(at path: String) -> BluetoothUUID? {
        profile.services.flatMap(\.characteristics).map(\.uuid).first { self.path(of: $0) == path }
    }

    private static func path(_ service: String, _ position: Int, _ number: Int) -> String {
        service + "/char" + handle(0x11 + position * 0x40 + number * 3)
    }

    private static func handle(_ number: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    // MARK: - Values

    static func properties(_ values: [String: DBusValue]) -> DBusValue {
        .dictionary(
            values.sorted { $0.key < $1.key }.map { DBusEntry(key: $0.key, value: .variant($0.value)) }, key: "s",
            value: "v")
    }

    static func interfaces(_ interfaces: BlueZObjects.Interfaces) -> DBusValue {
        .dictionary(
            interfaces.sorted { $0.key < $1.key }.map { DBusEntry(key: $0.key, value: properties($0.value)) }, key: "s",
            value: "a{sv}")
    }
}
