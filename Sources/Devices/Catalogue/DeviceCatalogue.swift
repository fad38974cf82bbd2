extension DeviceModel {
    /// Every kind of device, in the order lists show them. A new device is one line here.
    public static let all: [DeviceModel] = [
        .heartRate,
        .polar,
        .muse,
        .museAthena,
        .kardia,
        .relay,
        .empaticaServer,
        .methodSCRIPT,
        .methodSCRIPTBluetooth,
        .arctop,
        .labStreamingLayer,
        .replay,
    ]

    /// The kind of this name, nil when there is none.
    public static func named(_ id: String) -> DeviceModel? {
        all.first { $0.id == id }
    }

    /// The kind of device behind a Bluetooth advertisement, nil when it is none of ours.
    public static func recognised(name: String, services: Set<BluetoothUUID>) -> DeviceModel? {
        var best: (model: DeviceModel, match: Int)?
        for model in all {
            guard case .bluetooth(let recognition) = model.transport else { continue }
            let match = recognition.match(name: name, services: services)
            if match > best?.match ?? 0 { best = (model, match) }
        }
        return best?.model
    }
}
