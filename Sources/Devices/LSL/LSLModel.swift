extension DeviceModel {
    /// Any stream of the Lab Streaming Layer.
    static let labStreamingLayer = DeviceModel(
        id: "lsl", title: "Lab Streaming Layer stream", transport: .lsl,
        // The wristband whose signals are published: they are stamped by this computer, without a battery or a button.
        faults: [.clockDrift, .contactLost, .batteryLife],
        conversation: { options throws in
            try options.check(against: [])
            return LSLConversation()
        }, simulator: DeviceModel.empaticaServer.simulator)
}
