extension DeviceModel {
    /// The Arduino boards with a Bluetooth shield that the Kardia relay reads.
    static let kardia = DeviceModel(
        id: "kardia", title: "Kardia relay's ECG board (Blend Micro, BLE Shield)",
        transport: .bluetooth(
            BluetoothRecognition(
                services: [KardiaConversation.service], namePrefixes: ["BlendMicro", "BLE Shield"])),
        faults: .ofCountingPeripheral,
        conversation: { options throws in
            try options.check(against: [])
            return KardiaConversation()
        },
        simulator: { KardiaSimulator($0, faults: $1) })
}
