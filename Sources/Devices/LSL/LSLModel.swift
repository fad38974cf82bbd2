extension DeviceModel {
    /// Any stream of the Lab Streaming Layer.
    static let labStreamingLayer = DeviceModel(
        id: "lsl", title: "Lab Streaming Layer stream", transport: .lsl,
        conversation: { options throws in
            try options.check(against: [])
            return LSLConversation()
        }, simulator: DeviceModel.empaticaServer.simulator)
}
