extension DeviceModel {
    /// Any chest strap, arm band or watch with the Bluetooth Heart Rate service.
    static let heartRate = DeviceModel(
        id: "heart-rate", title: "Heart rate sensor",
        transport: .bluetooth(BluetoothRecognition(services: [HeartRatePart.service])),
        faults: .ofCountingPeripheral,
        conversation: { options throws in
            try options.check(against: [])
            return HeartRateConversation()
        },
        simulator: { HeartRateSimulator($0, faults: $1) })
}
