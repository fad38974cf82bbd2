import Signals

/// The Device Information service, 0x180A: who the device is. Each answer is emitted with what was known before.
struct DeviceInformationPart: GattPart {
    /// What is known so far.
    private(set) var identity = DeviceIdentity()

    static let service = BluetoothUUID(0x180A)

    /// The service's characteristics, by their meaning.
    enum Field: UInt16, CaseIterable {
        case systemID = 0x2A23
        case model = 0x2A24
        case serialNumber = 0x2A25
        case firmware = 0x2A26
        case hardware = 0x2A27
        case software = 0x2A28
        case manufacturer = 0x2A29
        case plugAndPlayID = 0x2A50

        var characteristic: BluetoothUUID { BluetoothUUID(rawValue) }
    }

    private static let fields = Dictionary(uniqueKeysWithValues: Field.allCases.map { ($0.characteristic, $0) })

    mutating func open(at moment: Seconds, into actions: inout [ConversationAction]) {
        for field in Field.allCases { actions.append(.read(field.characteristic)) }
    }

    mutating func receive(
        _ bytes: [UInt8], from characteristic: BluetoothUUID, at moment: Seconds,
        into actions: inout [ConversationAction]
    ) -> Bool {
        guard let field = Self.fields[characteristic] else { return false }
        // Some devices end their texts with zeros.
        let text = String(decoding: bytes.prefix { $0 != 0 }.prefix(512), as: UTF8.self)
        switch field {
        case .model: identity.model = text
        case .serialNumber: identity.serialNumber = text
        case .firmware: identity.firmware = text
        case .hardware: identity.hardware = text
        case .software: identity.details["software"] = text
        case .manufacturer: identity.manufacturer = text
        case .systemID:
            guard let text = Self.systemID(bytes) else { return refuse(bytes, "System ID", 8, &actions) }
            identity.details["systemID"] = text
        case .plugAndPlayID:
            guard let text = Self.plugAndPlayID(bytes) else { return refuse(bytes, "PnP ID", 7, &actions) }
            identity.details["plugAndPlayID"] = text
        }
        actions.emit(.identity(identity))
        return true
    }

    private func refuse(
        _ bytes: [UInt8], _ place: String, _ expected: Int, _ actions: inout [ConversationAction]
    ) -> Bool {
        let problem = "expected \(expected) bytes, got \(bytes.count)"
        actions.emit(.malformed(MalformedMessage(place: place, problem: problem, bytes: bytes)))
        return true
    }

    /// Manufacturer's and organisation's numbers in hexadecimal.
    private static func systemID(_ bytes: [UInt8]) -> String? {
        var reader = ByteReader(bytes)
        guard bytes.count == 8, let manufacturer = reader.unsigned(5), let organisation = reader.unsigned(3)
        else { return nil }
        return String(manufacturer, radix: 16) + "-" + String(organisation, radix: 16)
    }

    /// Who issued the vendor's number, vendor, product and version.
    private static func plugAndPlayID(_ bytes: [UInt8]) -> String? {
        var reader = ByteReader(bytes)
        guard bytes.count == 7, let source = reader.u8(), let vendor = reader.u16le(), let product = reader.u16le(),
            let version = reader.u16le()
        else { return nil }
        let issuer = source == 1 ? "Bluetooth" : (source == 2 ? "USB" : "issuer \(source)")
        return "\(issuer) vendor \(vendor), product \(product), version \(version)"
    }
}
