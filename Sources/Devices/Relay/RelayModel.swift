extension DeviceModel {
    /// A phone that sends a board's samples to the ECG relay of a service.
    public static let relay = DeviceModel(
        id: "relay", title: "phone on the ECG relay of marey serve", transport: .relay,
        conversation: { options throws in
            try options.check(against: [])
            return RelayConversation(id: "session")
        })
}
