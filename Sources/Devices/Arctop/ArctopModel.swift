import Simulation

extension DeviceModel {
    private static let arctopKey = DeviceSecret(model: "arctop", option: "key", meaning: "the account's key")
    private static let arctopOptions = [
        DeviceOption("scale", "1 or 100: the range of the server's metrics", standard: "must be given")
    ]

    /// An Arctop stream server: metrics a phone computes from a headband.
    static let arctop = DeviceModel(
        id: "arctop", title: "Arctop stream server", transport: .tcp(host: "127.0.0.1", port: 0),
        options: arctopOptions, secrets: [arctopKey],
        simulatedOptions: ["scale=\(Int(ArctopSimulation().scale.rawValue))"],
        simulatedEnvironment: [arctopKey.variable: ArctopSimulation().key],
        faults: [.contactLost, .losses],
        conversation: { options throws in
            try options.check(against: arctopKey.options + arctopOptions)
            guard let key = try arctopKey.value(in: options) else {
                throw DeviceFailure(description: "An Arctop server wants the account's key: \(arctopKey.remedy).")
            }
            guard let number = try options.number("scale"), let scale = ArctopScale(rawValue: number) else {
                throw DeviceFailure(
                    description: "Option scale: give 1 or 100, the range of the server's metrics; it is not guessed.")
            }
            return ArctopConversation(ArctopSettings(key: key, scale: scale))
        },
        simulator: { session, faults in
            var simulation = ArctopSimulation()
            simulation.seed = session.seed
            simulation.duration = session.duration
            simulation.offHead = faults.contactLost
            simulation.lost = faults.losses
            if let start = session.start { simulation.start = start }
            return ArctopSimulator(simulation)
        })
}
