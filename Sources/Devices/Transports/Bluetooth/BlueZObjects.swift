import DBus

/// What `GetManagedObjects` of BlueZ tells: object path → interface → property → value.
struct BlueZObjects: Sendable {
    typealias Interfaces = [String: [String: DBusValue]]

    static let service = "org.bluez"
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let gattService = "org.bluez.GattService1"
    static let characteristic = "org.bluez.GattCharacteristic1"
    static let properties = "org.freedesktop.DBus.Properties"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"

    /// The rule for signals that the daemon began or ended: name, former owner, new owner, of which one is empty.
    static let ownerChanges =
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',"
        + "arg0='\(service)'"

    var objects: [String: Interfaces] = [:]

    /// From the reply's only value, `a{oa{sa{sv}}}`.
    init(_ reply: DBusValue?) {
        for (path, interfaces) in reply?.entries ?? [:] { objects[path] = Self.interfaces(interfaces) }
    }

    /// From `a{sa{sv}}`.
    static func interfaces(_ value: DBusValue) -> Interfaces {
        (value.entries ?? [:]).mapValues { $0.entries ?? [:] }
    }

    /// The adapters' paths in order.
    var adapters: [String] {
        objects.filter { $0.value[Self.adapter] != nil }.map(\.key).sorted()
    }

    /// The path and name of the device with this address.
    func known(at address: String) -> (path: String, name: String)? {
        for (path, interfaces) in objects {
            guard let device = interfaces[Self.device], let known = Advertisement(device),
                known.address.uppercased() == address.uppercased()
            else { continue }
            return (path, known.name)
        }
        return nil
    }

    /// The characteristics below a device, by UUID; of several with the same the first by path.
    func characteristics(of device: String) -> [BluetoothUUID: BlueZCharacteristic] {
        var found: [BluetoothUUID: BlueZCharacteristic] = [:]
        for (path, interfaces) in objects.sorted(by: { $0.key < $1.key }) where path.hasPrefix(device + "/") {
            guard let properties = interfaces[Self.characteristic],
                let uuid = properties["UUID"]?.text.flatMap({ BluetoothUUID($0) }), found[uuid] == nil
            else { continue }
            found[uuid] = BlueZCharacteristic(path: path, flags: Set(properties["Flags"]?.texts ?? []))
        }
        return found
    }
}

/// A characteristic of a connected device.
struct BlueZCharacteristic: Hashable, Sendable {
    var path: String
    var flags: Set<String>
}

extension Advertisement {
    /// What BlueZ knows of a device.
    init?(_ properties: [String: DBusValue]) {
        guard let address = properties["Address"]?.text else { return nil }
        self.init(
            address: address, name: properties["Name"]?.text ?? "", rssi: properties["RSSI"]?.integer,
            services: (properties["UUIDs"]?.texts ?? []).compactMap { BluetoothUUID($0) },
            isConnected: properties["Connected"]?.flag == true)
    }
}
